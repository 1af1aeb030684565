// Summary of a column in its header: range or number of values, and NULLs. Only for
// rows that are here already; a few rows are seen as a whole anyway.

import { plural, t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { compact, percent } from "../../kit/format";
import { integerKind, type ValueFormatter } from "../../kit/show";
import { floatOf } from "./exactNumbers";
import type { Row, RowSource } from "./source";
import { extremes } from "./statistics";

/** Fewer rows need no summary. */
export const FEWEST_ROWS = 10;
/** Numbers from here on are shortened. */
const LARGE = 10_000;
/** More values are not counted while a grid is drawn; the statistics of a column count them. */
const MOST_VALUES = 100_000;

/**
 * A line for each column; null if there is nothing to report. `columns` are as they are called on screen, `usual` is how they are shown by
 * themselves: large numbers are shortened there.
 */
export function columnSummaries(
  source: RowSource,
  columns: ResultColumn[],
  shows: ValueFormatter[],
  usual: ValueFormatter[] = shows,
): (string | null)[] {
  const { all, extent } = source;
  if (!all || extent !== "whole" || all.length < FEWEST_ROWS || all.length * columns.length > MOST_VALUES)
    return columns.map(() => null);
  return columns.map((column, c) =>
    glanceOf(column, all, c, shows[c] === usual[c] ? shorten(column, shows[c]!) : shows[c]!),
  );
}

/** "184k" of a large number. */
function shorten({ type }: ResultColumn, show: ValueFormatter): ValueFormatter {
  if (!isNumeric(type)) return show;
  return (value) => {
    const n = Math.abs(floatOf(value));
    if (!Number.isFinite(n) || n < LARGE || n >= 1e12) return show(value);
    return `${value.trim().startsWith("-") ? "-" : ""}${compact(n)}`;
  };
}

function glanceOf({ name, type }: ResultColumn, rows: Row[], index: number, show: ValueFormatter): string | null {
  const values: string[] = [];
  for (const row of rows) {
    const value = row[index];
    if (value !== null && value !== undefined) values.push(value);
  }
  const missing = rows.length - values.length;
  const lack = missing === 0 ? null : t`${percent(missing / rows.length)} NULL`;
  if (values.length === 0) return lack;
  return [spanOf(name, type, values, show), lack].filter(Boolean).join(" · ") || null;
}

function spanOf(name: string, type: ResultColumn["type"], values: string[], show: ValueFormatter): string | null {
  if (type === "nested" || type === "binary" || type === "null") return null;
  const named = type === "integer" && integerKind(name) === "identifier";
  if (!named && (isNumeric(type) || type === "date" || type === "timestamp" || type === "time")) {
    const [least, most] = extremes(values, type);
    if (least === null || most === null) return null;
    const [from, to] = [show(least), show(most)];
    return from === to ? from : t`${from} to ${to}`;
  }
  const distinct = new Set(values).size;
  if (distinct === values.length) return t`all different`;
  return plural(distinct, { one: "# value", other: "# values" });
}
