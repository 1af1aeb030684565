// The look of a grid whose sorting and filters may wait for a word: rows that are not all here would have to be read again for them, and
// what was remembered runs no query of itself.

import { useEffect, useState } from "react";
import { rowsHere } from "./arrange";
import { type GridLayout, isArranged, isChosen } from "./layout";
import { useGridLayout } from "./layoutStore";
import type { Sort } from "./sort";
import type { RowSource } from "./source";

/** Sorting and filters of last time that are not done again yet. */
export interface UnappliedLayout {
  look: GridLayout;
  apply: () => void;
  clear: () => void;
}

const NO_FILTERS: GridLayout["filters"] = {};

/** The look as it applies to a source, under the name that it is remembered by. */
export function useResting(source: RowSource, name: string | undefined, own: Sort | null) {
  const [kept, keep] = useGridLayout(name, source.columns, own);
  const rests = () => rowsHere(source) === null && isArranged(kept);
  const [seen, setSeen] = useState(() => ({ source, rests: rests() }));
  if (seen.source !== source) setSeen({ source, rests: rests() });
  // Unnamed rows cannot be opened again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each source once
  useEffect(() => {
    if (name === undefined && rests()) keep({ ...kept, sort: null, filters: NO_FILTERS });
  }, [source]);

  const rest = seen.source === source && seen.rests && isArranged(kept);
  const wake = (next: GridLayout) => {
    setSeen({ source, rests: false });
    keep(next);
  };
  const resting: UnappliedLayout | null =
    rest && isChosen(kept, own) && name !== undefined
      ? {
          look: kept,
          apply: () => wake(kept),
          clear: () => wake({ ...kept, sort: null, filters: NO_FILTERS }),
        }
      : null;
  return {
    look: rest ? { ...kept, sort: null, filters: NO_FILTERS } : kept,
    /** Changes of column widths or order keep the unapplied part. */
    setLook: (next: GridLayout) =>
      rest && !isArranged(next) ? keep({ ...next, sort: kept.sort, filters: kept.filters }) : wake(next),
    resting,
  };
}
