// Selects the charts for a result. Misleading charts are excluded: ids, years and places are not amounts, a truncated
// result is not the whole, and amounts of different kinds must not share an axis.

import { t } from "@lingui/core/macro";
import type { Headline, ResultColumn } from "../../host/bindings";
import { lazyRecord } from "../../kit/lazyRecord";
import { type Grain, grainOf } from "../../kit/period";
import { integerKind } from "../../kit/show";

export type Row = readonly (string | null)[];

export type ChartType = "line" | "bar" | "grouped" | "stacked" | "pie" | "points";

export const CHART_NAMES: Record<ChartType, string> = lazyRecord({
  line: () => t`Line`,
  bar: () => t`Bars`,
  grouped: () => t`Grouped`,
  stacked: () => t`Stacked`,
  pie: () => t`Pie`,
  points: () => t`Points`,
});

/** One chart of one measure. */
export interface Chart {
  type: ChartType;
  /** The column with the amounts, on the axis of length or height. */
  measure: number;
  /** Along the other axis: points in time, names, or the other amount of `points`. */
  along: number[];
  /** The column shown by colour. */
  by: number | null;
  grain: Grain | null;
}

export interface Choices {
  /** Each measure with its charts, the most fitting first. */
  measures: { column: number; charts: Chart[] }[];
}

/** Maximum number of rows in a chart. */
const MOST_ROWS = 5000;
/** Maximum number of columns of a result without a main number: a chart of one of many would be arbitrary. */
const MOST_COLUMNS = 12;
/** Maximum number of bars; a note mentions the rest. */
export const MOST_BARS = 30;
/** Number of distinguishable colours. */
const MOST_COLOURS = 8;
const MOST_MEASURES = 6;
/** Least and most shares of a pie. */
const [FEWEST_SHARES, MOST_SHARES] = [2, 6];

type Kind = "time" | "amount" | "name" | "place" | "other";

const PLACES = /^(lat|latitude|lon|lng|long|longitude|geom|geometry|geo|wkt)$/i;

/** The role of a column in a chart. */
function kindOf(column: ResultColumn, values: Row, named: boolean): Kind {
  if (PLACES.test(column.name)) return "place";
  const years = column.type === "integer" && (named || integerKind(column.name) === "year");
  if (grainOf(values, column.type, years)) return "time";
  switch (column.type) {
    case "integer":
      return named || integerKind(column.name) !== "number" ? "name" : "amount";
    case "decimal":
    case "float":
      return "amount";
    case "text":
    case "boolean":
      return "name";
    default:
      return "other";
  }
}

/** The charts for all rows of a result; none where no chart is honest. */
export function chooseCharts(
  columns: ResultColumn[],
  rows: readonly Row[],
  headline: Headline | null,
): Choices | null {
  if (rows.length < 2 || rows.length > MOST_ROWS || columns.length < 2) return null;
  if (columns.length > MOST_COLUMNS && (headline?.measure ?? null) === null) return null;
  const valuesOf = (at: number) => rows.map((row) => row[at] ?? null);
  const values = columns.map((_, at) => valuesOf(at));
  const kinds = columns.map((column, at) => kindOf(column, values[at]!, headline?.labels.includes(at) ?? false));
  if (kinds.includes("place")) return null;
  const of = (kind: Kind) => kinds.flatMap((own, at) => (own === kind ? [at] : []));
  const drawable = (at: number) =>
    values[at]!.some((v) => v !== null) && values[at]!.every((v) => v === null || Number.isFinite(Number(v)));
  const amounts = of("amount").filter(drawable);
  const [times, names] = [of("time"), of("name")];
  const first = headline?.measure ?? null;
  const measures = [...amounts].sort((a, b) => Number(b === first) - Number(a === first)).slice(0, MOST_MEASURES);

  const distinct = (at: number) => new Set(values[at]).size;
  const unique = (at: number[]) =>
    new Set(rows.map((row) => JSON.stringify(at.map((c) => row[c] ?? null)))).size === rows.length;
  const grain = (at: number) => grainOf(values[at]!, columns[at]!.type, true);
  const whole = (at: number) => values[at]!.every((v) => v === null || Number(v) >= 0);

  const chartsOf = (measure: number): Chart[] => {
    const base = { measure, by: null, grain: null };
    const others = amounts.filter((at) => at !== measure);
    const points: Chart[] =
      others.length > 0 && rows.length >= 5 ? [{ ...base, type: "points", along: [others[0]!] }] : [];
    const stacked = (chart: Chart): Chart[] =>
      headline?.addsUp && measure === headline.measure && whole(measure) ? [{ ...chart, type: "stacked" }] : [];
    /** A pie where few positive amounts add up, and the rows are all of them. */
    const shares = (chart: Chart): Chart[] =>
      headline?.addsUp &&
      !headline.limited &&
      measure === headline.measure &&
      rows.length >= FEWEST_SHARES &&
      rows.length <= MOST_SHARES &&
      values[measure]!.every((v) => v !== null && Number(v) > 0)
        ? [{ ...chart, type: "pie" }]
        : [];
    // If a name identifies the rows, a date is an attribute of each row, such as a shop's opening, and no line connects them.
    const dated = headline?.shape === "series" || !names.some((at) => unique([at]));
    if (dated && times.length === 1) {
      const [time] = times as [number];
      const over = { ...base, along: [time], grain: grain(time) };
      if (distinct(time) < 2) return [];
      if (unique([time])) {
        const bars: Chart[] = rows.length <= 60 ? [{ ...over, type: "bar" }] : [];
        return rows.length < 3 ? bars : [{ ...over, type: "line" }, ...bars];
      }
      const by = names.find((at) => distinct(at) <= MOST_COLOURS && unique([time, at]));
      if (by === undefined) return [];
      const line: Chart = { ...over, type: "line", by };
      return [line, ...(distinct(time) <= 24 ? stacked({ ...line, type: "stacked" }) : [])];
    }
    if (dated && times.length > 1) return [];
    const label = (headline?.labels ?? []).filter((at) => names.includes(at));
    const one = label.length === 1 ? label[0] : names.find((at) => unique([at]));
    if (one !== undefined) {
      const bars: Chart = { ...base, type: "bar", along: [one] };
      return [bars, ...shares(bars), ...points];
    }
    const pair = pairOf(names, distinct, unique);
    if (pair) {
      const grouped: Chart = { ...base, type: "grouped", along: [pair[0]], by: pair[1] };
      return [grouped, ...stacked(grouped)];
    }
    if (label.length > 1 && unique(label)) return [{ ...base, type: "bar", along: label }];
    return names.length === 0 || rows.length >= 5 ? points : [];
  };
  const found = measures
    .map((column) => ({ column, charts: chartsOf(column) }))
    .filter(({ charts }) => charts.length > 0);
  return found.length === 0 ? null : { measures: found };
}

/** Two names that tell all rows apart, the one with fewer values as colours. */
function pairOf(
  names: number[],
  distinct: (at: number) => number,
  unique: (at: number[]) => boolean,
): [number, number] | null {
  for (const a of names)
    for (const b of names) {
      if (
        a === b ||
        distinct(b) > MOST_COLOURS ||
        distinct(b) < 2 ||
        distinct(a) > MOST_BARS ||
        distinct(a) < distinct(b)
      )
        continue;
      if (unique([a, b])) return [a, b];
    }
  return null;
}
