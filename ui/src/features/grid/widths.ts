import type { ResultColumn } from "../../host/bindings";
import type { ValueFormatter } from "../../kit/show";
import type { Row } from "./source";

const CHARACTER = 7.4;
/** Of the second line of a header. */
const SMALL_CHARACTER = 6.4;
const PADDING = 26;
/** One step of the keyboard. */
export const WIDTH_STEP = 16;
const MIN_WIDTH = 56;
const MAX_WIDTH = 1200;
const MAX_FIRST_WIDTH = 340;
const MAX_FIT_WIDTH = 800;

/** Widths that fit the header, the content below it (`glances`), and the first rows. */
export function firstWidths(
  columns: ResultColumn[],
  rows: Row[],
  shows: ValueFormatter[] = [],
  glances: (string | null)[] = [],
): number[] {
  return columns.map((column, c) => {
    const values = rows.slice(0, 60).map((row) => row[c] ?? null);
    const below = Math.round((glances[c]?.length ?? 0) * SMALL_CHARACTER + PADDING);
    return Math.max(MIN_WIDTH + 20, Math.min(MAX_FIRST_WIDTH, Math.max(below, widthFor(column, values, shows[c]))));
  });
}

/** The width at which a column's values can be read whole. */
export function fittingWidth(column: ResultColumn, values: (string | null)[], show: ValueFormatter): number {
  return Math.max(MIN_WIDTH, Math.min(MAX_FIT_WIDTH, widthFor(column, values, show)));
}

export function clampWidth(width: number): number {
  return Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width));
}

function widthFor(column: ResultColumn, values: (string | null)[], show: ValueFormatter = (value) => value): number {
  const longest = values.reduce(
    (most, value) => Math.max(most, value === null ? 4 : show(value.slice(0, 400)).length),
    column.name.length * 1.05,
  );
  return Math.round(longest * CHARACTER + PADDING);
}
