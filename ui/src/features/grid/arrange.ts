// Rows sorted and filtered, as a source of their own. It needs all rows of a result, so the result has to be here whole
// and of bounded size.

import { t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import { count } from "../../kit/format";
import type { Show } from "../../kit/show";
import { testOf } from "./filter";
import type { Arranging } from "./look";
import { sorted } from "./sort";
import type { Row, RowSource } from "./source";

export const MOST_ROWS = 50_000;

/** Why a result can be neither sorted, filtered nor searched here, or null. */
export function whyNotHere({ extent, rowCount }: Pick<RowSource, "extent" | "rowCount">): string | null {
  if (extent === "reading") return t`Rows are still being read.`;
  if (extent === "part") return t`Only a part of the result is loaded. Use ORDER BY and WHERE in SQL.`;
  if (rowCount > MOST_ROWS)
    return t`The result has more than ${count(MOST_ROWS)} rows. Use ORDER BY and WHERE in SQL.`;
  return null;
}

/** Rows that are looked at in one step. */
const STEP = 1_024;

/** The places of the rows that pass, in order. */
export function* arrange(
  rows: Row[],
  columns: ResultColumn[],
  shows: Show[],
  look: Arranging,
): Generator<void, number[]> {
  let places = rows.map((_, i) => i);
  for (const [key, filter] of Object.entries(look.filters)) {
    const column = Number(key);
    const test = testOf(filter, columns[column]!.type, shows[column]!);
    const passed: number[] = [];
    for (const place of places) {
      if (test(rows[place]![column] ?? null)) passed.push(place);
      if (place % STEP === 0) yield;
    }
    places = passed;
  }
  const { sort } = look;
  if (!sort) return places;
  return yield* sorted(places, (place) => rows[place]![sort.column] ?? null, columns[sort.column]!.type, sort.down);
}
