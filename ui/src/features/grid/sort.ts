// The order of rows by the values of a column: numbers and dates by value, texts as the desktop's language orders them,
// NULL last in both directions.

import type { CellType } from "../../host/bindings";
import { locale as chosenLocale } from "../../kit/language";
import { instantOf, timeOf } from "../../kit/moment";
import { exactOf, floatOf, unitsAt } from "./exactNumbers";

export interface Sort {
  /** A column of the source. */
  column: number;
  down: boolean;
}

export const sameSort = (one: Sort | null, other: Sort | null) =>
  one?.column === other?.column && one?.down === other?.down;

/** The next of three states: up, down, as the result came. */
export function nextSort(sort: Sort | null, column: number): Sort | null {
  if (sort?.column !== column) return { column, down: false };
  return sort.down ? null : { column, down: true };
}

/** A place among the values of a column; numbers and whole numbers compare with each other. */
export type Key = number | bigint | string | null;

/** Returns whether values have a place by what they mean, and not as text. */
export function isOrdered(type: CellType): boolean {
  return ["integer", "decimal", "float", "date", "timestamp", "time", "boolean"].includes(type);
}

/** Sort keys of all values. Exact numbers use units at the scale of the longest. */
export function keysOf(values: (string | null)[], type: CellType): Key[] {
  if (type === "integer" || type === "decimal") return exactKeys(values);
  return values.map((value) => (value === null ? null : keyOf(value, type)));
}

function keyOf(value: string, type: CellType): Key {
  if (type === "float") return floatOf(value);
  if (type === "date" || type === "timestamp") return instantOf(value);
  if (type === "time") return timeOf(value);
  if (type === "boolean") return value === "true" ? 1 : 0;
  return value;
}

function exactKeys(values: (string | null)[]): Key[] {
  const numbers = values.map((value) => (value === null ? null : (exactOf(value) ?? floatOf(value))));
  let scale = 0;
  for (const n of numbers) if (n !== null && typeof n !== "number") scale = Math.max(scale, n.scale);
  return numbers.map((n) => (n === null || typeof n === "number" ? n : unitsAt(n, scale)));
}

/** Compares keys of one column. NaN comes after the numbers. */
export function compareCells(type: CellType, locale = chosenLocale()): (a: Key, b: Key) => number {
  if (isOrdered(type)) return compareValues;
  if (type === "binary") return (a, b) => (a! < b! ? -1 : a! > b! ? 1 : 0);
  const collator = new Intl.Collator(locale, { numeric: true });
  return (a, b) => collator.compare(a as string, b as string);
}

function compareValues(a: Key, b: Key): number {
  const [noA, noB] = [Number.isNaN(a), Number.isNaN(b)];
  if (noA || noB) return noA === noB ? 0 : noA ? 1 : -1;
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

/** Rows that are compared in one step. */
const STEP = 1_024;

/** The given rows in the order of a column; equal ones stay as they were. Texts of a language take long to compare: it goes by steps. */
export function* sortRows(
  rows: number[],
  valueAt: (row: number) => string | null,
  type: CellType,
  down: boolean,
  locale = chosenLocale(),
): Generator<void, number[]> {
  const keys = keysOf(rows.map(valueAt), type);
  yield;
  const compare = compareCells(type, locale);
  const order = (a: number, b: number) => {
    const [x, y] = [keys[a]!, keys[b]!];
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    return (down ? compare(y, x) : compare(x, y)) || a - b;
  };
  const places = yield* mergeRuns(rows.length, order);
  return places.map((i) => rows[i]!);
}

/** The numbers below `count` in an order in which no two are equal: short runs are sorted, then merged by pairs. */
function* mergeRuns(count: number, order: (a: number, b: number) => number): Generator<void, number[]> {
  let from: number[] = [];
  for (let at = 0; at < count; at += STEP) {
    const run = Array.from({ length: Math.min(STEP, count - at) }, (_, i) => at + i);
    from.push(...run.sort(order));
    yield;
  }
  let to: number[] = new Array(count);
  for (let length = STEP; length < count; length *= 2) {
    for (let at = 0; at < count; at += 2 * length) {
      const middle = Math.min(count, at + length);
      const end = Math.min(count, at + 2 * length);
      let [a, b] = [at, middle];
      for (let place = at; place < end; place++) {
        const first = b === end || (a < middle && order(from[a]!, from[b]!) < 0);
        to[place] = first ? from[a++]! : from[b++]!;
        if (place % STEP === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
