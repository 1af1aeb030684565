import { useDeferredValue, useMemo, useState } from "react";
import type { Show } from "../../kit/show";
import { findCells, nextFound } from "./search";
import type { Cell } from "./select";
import type { Row } from "./source";

/** The text that is searched for, a little behind the typing; null while the search is closed. */
export function useSearchText() {
  const [text, setText] = useState<string | null>(null);
  return { text, setText, settled: useDeferredValue(text ?? "") };
}

/** Cells in which the text is found; null until all rows are here. */
export function useFound(text: string, rows: Row[] | null, seen: number[], shows: Show[], head: Cell | null) {
  const found = useMemo(() => {
    if (!rows || text.trim() === "") return null;
    const seenShows = seen.map((c) => shows[c]!);
    return findCells(text, rows.length, seenShows, (r, c) => rows[r]?.[seen[c]!] ?? null);
  }, [text, rows, seen, shows]);
  const at = head && found ? found.findIndex((cell) => cell.row === head.row && cell.column === head.column) : -1;
  const next = (back: boolean): Cell | null => {
    const place = found ? nextFound(found, head, back) : -1;
    return found?.[place] ?? null;
  };
  return { found: found?.length ?? null, at, next };
}
