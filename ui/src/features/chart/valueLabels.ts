// The values beside bars: all of them where each has room, else none.

import { compact, significant } from "../../kit/format";
import { showOf } from "../../kit/show";
import { textWidth } from "../../kit/textWidth";
import { type Chart, MOST_BARS, type Row } from "./choose";
import type { NamedColumns } from "./words";

export const LABEL_SIZE = 12;
/** The distance of a label to its bar, and of two labels. */
export const LABEL_GAP = 4;

/**
 * Returns the labels of drawn rows, in full or else shortened. Null if they need more than `width` pixels each, or if a
 * value is negative: its label would lie on the names of the bars.
 */
export function valueLabels(
  { columns }: NamedColumns,
  { measure }: Chart,
  rows: readonly Row[],
  width: number,
): string[] | null {
  const values = rows.map((row) => row[measure] ?? "");
  if (rows.length > MOST_BARS || values.some((value) => Number(value) < 0)) return null;
  const fit = (labels: string[]) =>
    labels.every((label) => textWidth(label, LABEL_SIZE) + LABEL_GAP <= width) ? labels : null;
  return fit(values.map(showOf(columns[measure]!))) ?? fit(values.map((value) => shortNumber(Number(value))));
}

/** 164k, 1.2M; small numbers with three digits. */
const shortNumber = (n: number) => (Math.abs(n) < 1000 ? significant(n, 3) : compact(n));
