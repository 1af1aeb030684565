// Rows that are here whole, sorted and filtered in the window. All others are arranged where they are kept (`engine.ts`): in an
// order of a part, which would be taken for the order of the whole, never.

import { t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import type { ValueFormatter } from "../../kit/show";
import { onlyPart } from "./engine";
import { testOf } from "./filter";
import type { LayoutChange } from "./layout";
import { sortRows } from "./sort";
import type { Row, RowSource } from "./source";

/** Why a result can be neither sorted, filtered nor searched, or null. */
export function whyNotHere({ extent, all, engine }: Pick<RowSource, "extent" | "all" | "engine">): string | null {
  if (extent === "reading") return t`Rows are still being read.`;
  const whole = extent === "whole" && (all !== undefined || engine !== undefined);
  return whole || engine?.readsAll ? null : onlyPart();
}

/** All rows, where they are here. */
export function rowsHere({ extent, all }: Pick<RowSource, "extent" | "all">): Row[] | null {
  return extent === "whole" ? (all ?? null) : null;
}

/** Rows that are looked at in one step. */
const STEP = 1_024;

/** The places of the rows that pass, in order. */
export function* arrange(
  rows: Row[],
  columns: ResultColumn[],
  shows: ValueFormatter[],
  look: LayoutChange,
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
  return yield* sortRows(places, (place) => rows[place]![sort.column] ?? null, columns[sort.column]!.type, sort.down);
}
