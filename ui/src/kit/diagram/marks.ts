// Marks of a diagram: the selected card, search results, the card at which the Tab key stops. Cards read them
// from here and not from their data: a diagram of thousands would be built anew for one card, with each letter of a search.

import { createContext, useContext } from "react";

export interface Marks {
  selected: string | null;
  tabStop: string | undefined;
  found: ReadonlySet<string>;
}

export const MarksContext = createContext<Marks>({ selected: null, tabStop: undefined, found: new Set() });

/** The mark of a card. */
export function useMarks(id: string) {
  const { selected, tabStop, found } = useContext(MarksContext);
  return { selected: id === selected, tabStop: id === tabStop, found: found.has(id) };
}
