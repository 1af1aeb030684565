// What is marked in a diagram: the selected card, those that the search found, the one where the Tab key stops. Cards take it
// from here and not from their data: a diagram of thousands would be built anew for one card, with each letter of a search.

import { createContext, useContext } from "react";

export interface Marks {
  selected: string | null;
  tabStop: string | undefined;
  found: ReadonlySet<string>;
}

export const MarksContext = createContext<Marks>({ selected: null, tabStop: undefined, found: new Set() });

/** How a card is marked. */
export function useMarks(id: string) {
  const { selected, tabStop, found } = useContext(MarksContext);
  return { selected: id === selected, tabStop: id === tabStop, found: found.has(id) };
}
