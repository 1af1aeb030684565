// The order of an answer's rows where its query gives none: a database may then give months in any order.

import type { RunModel } from "../features/graph/model/model";
import type { Sort } from "../features/grid/sort";
import type { Page } from "../host/bindings";
import { grainOf, timeAt } from "../kit/period";

/** Orders rows by the points in time that name them; null if the query orders, or they are already in order. */
export function ownOrder(
  page: Page,
  { sql, code, headline }: Pick<RunModel, "sql" | "code" | "headline">,
): Sort | null {
  const column = headline?.labels[0];
  if (column === undefined || sql === null || code !== null || page.truncated || /\border\s+by\b/i.test(sql))
    return null;
  const values = page.rows.map((row) => row[column] ?? null);
  const grain = grainOf(values, page.columns[column]!.type, headline!.shape === "series");
  if (!grain) return null;
  const times = values.flatMap((value) => (value === null ? [] : [timeAt(value, grain) ?? 0]));
  return times.every((time, at) => at === 0 || times[at - 1]! <= time) ? null : { column, down: false };
}
