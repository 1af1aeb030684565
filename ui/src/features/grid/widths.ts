import type { ResultColumn } from "../../host/bindings";
import type { Row } from "./source";

const CHARACTER = 7.4;
const PADDING = 26;
export const MIN_WIDTH = 56;
const MAX_FIRST_WIDTH = 340;

/** Widths that fit the header and the first rows. */
export function firstWidths(columns: ResultColumn[], rows: Row[]): number[] {
  return columns.map((column, c) => {
    const longest = Math.max(column.name.length * 1.05, ...rows.slice(0, 60).map((r) => (r[c] ?? "NULL").length));
    return Math.round(Math.max(MIN_WIDTH + 20, Math.min(MAX_FIRST_WIDTH, longest * CHARACTER + PADDING)));
  });
}
