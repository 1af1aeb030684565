import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { SearchedColumn } from "../../host/bindings";
import { toAppError } from "../../host/host";
import type { ValueFormatter } from "../../kit/show";
import { toastError } from "../../kit/toast";
import { rowsHere } from "./arrange";
import { findCells, nextFound } from "./search";
import type { Cell } from "./select";
import type { RowSource } from "./source";

/** The text that is searched for, a little behind the typing; null while the search is closed. */
export function useSearchText() {
  const [text, setText] = useState<string | null>(null);
  return { text, setText, settled: useDeferredValue(text ?? "") };
}

/** Typing rests so long before rows are searched that are not here. */
const REST_MS = 150;
/** Typing rests so long before a query runs again without its row limit, which may cost money. */
const REOPEN_MS = 600;

/** The text once the typing has rested, and at once where it is empty. */
export function useRested(text: string): string {
  const [rested, setRested] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REOPEN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : rested;
}

/** Cells in which the text is found; null until all rows are searched. */
export function useFound(
  text: string,
  view: RowSource,
  seen: number[],
  shows: ValueFormatter[],
  searched: SearchedColumn[],
  head: Cell | null,
) {
  const rows = rowsHere(view);
  const here = useMemo(() => {
    if (!rows || text.trim() === "") return null;
    const seenShows = seen.map((c) => shows[c]!);
    return findCells(text, rows.length, seenShows, (r, c) => rows[r]?.[seen[c]!] ?? null);
  }, [text, rows, seen, shows]);
  const elsewhere = useFoundElsewhere(rows ? "" : text.trim(), view, searched);
  const found = here ?? elsewhere;
  const at = head && found ? found.findIndex((cell) => cell.row === head.row && cell.column === head.column) : -1;
  const next = (back: boolean): Cell | null => {
    const place = found ? nextFound(found, head, back) : -1;
    return found?.[place] ?? null;
  };
  return { found: found?.length ?? null, at, next };
}

/** The same of rows that the backend keeps. */
function useFoundElsewhere(text: string, view: RowSource, searched: SearchedColumn[]): Cell[] | null {
  const [known, setKnown] = useState<{ text: string; view: RowSource; searched: unknown; cells: Cell[] } | null>(
    null,
  );
  useEffect(() => {
    // Search results of a part of the rows are not shown.
    if (text === "" || view.extent !== "whole" || !view.engine) return;
    let gone = false;
    const { engine } = view;
    const timer = setTimeout(() => {
      engine
        .find(text, searched)
        .then((cells) => !gone && setKnown({ text, view, searched, cells }))
        .catch((thrown) => !gone && toastError(toAppError(thrown)));
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text, view, searched]);
  return known?.text === text && known.view === view && known.searched === searched ? known.cells : null;
}
