// Where a text is found in the rows, and which part of a value to mark.

import type { ValueFormatter } from "../../kit/show";
import { foldCase, testContains } from "./filter";
import type { Cell } from "./select";

/** Found cells beyond these are not counted. */
export const MOST_FOUND = 10_000;

/** Cells with the text, row by row. */
export function findCells(
  text: string,
  rowCount: number,
  shows: ValueFormatter[],
  valueAt: (row: number, column: number) => string | null,
): Cell[] {
  const found: Cell[] = [];
  if (text.trim() === "") return found;
  const tests = shows.map((show) => testContains(text.trim(), show));
  for (let row = 0; row < rowCount; row++) {
    for (let column = 0; column < tests.length; column++) {
      if (tests[column]!(valueAt(row, column))) found.push({ row, column });
      if (found.length === MOST_FOUND) return found;
    }
  }
  return found;
}

/** The one after (or before) a cell, around the end; the first or last without a cell. */
export function nextFound(found: Cell[], at: Cell | null, back: boolean): number {
  if (found.length === 0) return -1;
  if (!at) return back ? found.length - 1 : 0;
  const order = (cell: Cell) => cell.row - at.row || cell.column - at.column;
  const next = back ? found.findLastIndex((cell) => order(cell) < 0) : found.findIndex((cell) => order(cell) > 0);
  return next >= 0 ? next : back ? found.length - 1 : 0;
}

/** A shown text in parts, every second of which is the one that was looked for. */
export function markedParts(shown: string, text: string): string[] {
  const wanted = foldCase(text.trim());
  const folded = foldCase(shown);
  // Where folding changes the length, places in one are not those of the other.
  if (wanted === "" || folded.length !== shown.length) return [shown];
  const parts: string[] = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    parts.push(shown.slice(from, at), shown.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, shown.slice(from)];
}
