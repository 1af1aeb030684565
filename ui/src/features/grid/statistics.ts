// Figures about the values of a column, and about the selected cells.

import type { CellType, ColumnFigures, SelectionFigures } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { type Exact, exactOf, exactText, floatOf, meanOf, sumOf } from "./exactNumbers";
import { compareCells, isOrdered, keysOf } from "./sort";

export function columnFigures(values: (string | null)[], type: CellType): ColumnFigures {
  const given = values.filter((value): value is string => value !== null);
  const [least, most] = extremes(given, type);
  const { sum, mean } = isNumeric(type) ? totalOfColumn(given) : { sum: null, mean: null };
  return {
    rows: values.length,
    nulls: values.length - given.length,
    empty: given.filter((value) => value === "").length,
    distinct: new Set(given).size,
    least,
    most,
    sum,
    mean,
  };
}

/** The least and the most of some values; null where they have no order. */
export function extremes(values: string[], type: CellType): [string | null, string | null] {
  if (type === "nested" || type === "binary" || type === "null" || type === "boolean") return [null, null];
  const keys = keysOf(values, type);
  const compare = compareCells(type);
  let [least, most] = [-1, -1];
  keys.forEach((key, i) => {
    // What has no place among the others is neither least nor most.
    if (isOrdered(type) && Number.isNaN(key)) return;
    if (least < 0 || compare(key, keys[least]!) < 0) least = i;
    if (most < 0 || compare(key, keys[most]!) > 0) most = i;
  });
  return [values[least] ?? null, values[most] ?? null];
}

/** Exact where all numbers are; else as floats add up. */
function totalOfColumn(values: string[]): { sum: string | null; mean: string | null } {
  if (values.length === 0) return { sum: null, mean: null };
  const exact: Exact[] = [];
  for (const value of values) {
    const number = exactOf(value);
    // Whole powers of ten make no sense as digits.
    if (!number || number.scale > 60 || number.units > 10n ** 200n) break;
    exact.push(number);
  }
  if (exact.length === values.length) {
    const sum = sumOf(exact);
    return { sum: exactText(sum), mean: exactText(meanOf(sum, values.length)) };
  }
  const sum = values.reduce((before, value) => before + floatOf(value), 0);
  return { sum: String(sum), mean: String(sum / values.length) };
}

/** Columns of cells, each with its type. */
export function selectionFigures(columns: { type: CellType; values: (string | null)[] }[]): SelectionFigures {
  let [cells, count] = [0, 0];
  const numbers: string[] = [];
  for (const { type, values } of columns) {
    cells += values.length;
    for (const value of values) {
      if (value === null) continue;
      count++;
      if (isNumeric(type)) numbers.push(value);
    }
  }
  return { cells, count, ...totalOfColumn(numbers) };
}
