// The rows that grids on the screen show, by origin: an export of all rows can then report filters that it ignores.

import { useEffect } from "react";
import { create } from "zustand";
import type { CopyFormat } from "./copy";
import type { Origin } from "./origin";

export interface ShownRows {
  /** Rows that are shown. */
  rows: number;
  /** Rows of the result; null while that is not known. */
  total: number | null;
  /** Puts them on the clipboard, in the order and with the columns that are shown. */
  copy: (format: CopyFormat) => void;
}

const useGrids = create<{ grids: Record<string, ShownRows> }>(() => ({ grids: {} }));

const keyOf = (origin: Origin) => JSON.stringify(origin);

/** Tells what a grid shows; null where that is all rows and columns as the result has them. */
export function usePublishShownRows(origin: Origin | null, shown: ShownRows | null) {
  const key = origin && keyOf(origin);
  useEffect(() => {
    if (key === null || shown === null) return;
    useGrids.setState(({ grids }) => ({ grids: { ...grids, [key]: shown } }));
    return () => useGrids.setState(({ grids: { [key]: _, ...rest } }) => ({ grids: rest }));
  }, [key, shown]);
}

/** The part of these rows that a grid shows, if filtered or rearranged. */
export function useShownRows(origin: Origin): ShownRows | null {
  return useGrids((s) => s.grids[keyOf(origin)] ?? null);
}

/** The same, once. */
export function shownRowsOf(origin: Origin): ShownRows | null {
  return useGrids.getState().grids[keyOf(origin)] ?? null;
}
