// A chart in words: its title, its description for those who do not see it, each of its points, and what it leaves out.

import type { ResultColumn } from "../../host/bindings";
import { count } from "../../kit/format";
import { GRAINS, periodText } from "../../kit/period";
import { exactly, type Show, showOf } from "../../kit/show";
import { CHART_NAMES, type Chart, MOST_BARS, type Row } from "./choose";

export interface Named {
  columns: ResultColumn[];
  /** Columns as readers say them. */
  labels: string[];
}

/** How values along an axis are written. */
export function showAlong({ columns }: Named, { grain }: Chart, at: number): Show {
  const exact = columns[at]!.type === "integer" ? exactly : showOf(columns[at]!);
  return grain ? periodText(grain, exact) : exact;
}

export function titleOf({ labels }: Named, chart: Chart): string {
  const along = chart.along.map((at) => labels[at]).join(", ");
  const by = chart.by === null ? "" : ` and ${labels[chart.by]}`;
  const joint = chart.type === "points" ? "against" : "by";
  return `${labels[chart.measure]} ${joint} ${along}${by}`;
}

/** One point: "Mar 2024, Web: 1,204". */
export function pointInWords(named: Named, chart: Chart, row: Row): string {
  const cell = (at: number, show: Show) => {
    const value = row[at] ?? null;
    return value === null ? `no ${named.labels[at]}` : show(value);
  };
  const measure = cell(chart.measure, showOf(named.columns[chart.measure]!));
  if (chart.type === "points") {
    const x = chart.along[0]!;
    const name = named.columns.findIndex((column, at) => column.type === "text" && at !== x && at !== chart.measure);
    const lead = name < 0 ? "" : `${cell(name, exactly)}: `;
    return `${lead}${named.labels[x]} ${cell(x, showOf(named.columns[x]!))}, ${named.labels[chart.measure]} ${measure}`;
  }
  const along = [...chart.along, ...(chart.by === null ? [] : [chart.by])];
  return `${along.map((at) => cell(at, showAlong(named, chart, at))).join(", ")}: ${measure}`;
}

const FORMS: Record<Chart["type"], string> = {
  line: "Line chart",
  bar: "Bar chart",
  grouped: "Grouped bar chart",
  stacked: "Stacked bar chart",
  points: "Scatter plot",
};

/** What the chart shows, for those who do not see it. The rows themselves are in the table. */
export function describe(named: Named, chart: Chart, rows: readonly Row[]): string {
  const known = rows.filter((row) => (row[chart.measure] ?? null) !== null);
  const value = (row: Row) => Number(row[chart.measure]);
  const ends =
    known.length === 0
      ? []
      : [
          known.reduce((a, b) => (value(b) > value(a) ? b : a)),
          known.reduce((a, b) => (value(b) < value(a) ? b : a)),
        ];
  const unit = chart.grain && chart.by === null ? GRAINS[chart.grain] : chart.type === "bar" ? "bar" : "point";
  const what = `${FORMS[chart.type]} of ${titleOf(named, chart)}, ${count(rows.length)} ${unit}${rows.length === 1 ? "" : "s"}.`;
  if (ends.length === 0 || chart.type === "points") return what;
  return `${what} Highest: ${pointInWords(named, chart, ends[0]!)}. Lowest: ${pointInWords(named, chart, ends[1]!)}.`;
}

/** What the picture leaves out or does not show as it might seem; null if there is nothing. */
export function caveat(named: Named, chart: Chart, rows: readonly Row[], drawn: number, cut: boolean): string | null {
  const missing = rows.filter((row) => (row[chart.measure] ?? null) === null).length;
  const notes = [
    drawn < rows.length - missing && chart.type === "bar"
      ? `The ${count(MOST_BARS)} ${chart.along.length > 0 && chart.grain === null ? "largest" : "first"} of ${count(rows.length)}`
      : "",
    missing > 0 ? `${count(missing)} without ${named.labels[chart.measure]} left out` : "",
    cut ? "The axis does not begin at 0" : "",
  ].filter(Boolean);
  return notes.length === 0 ? null : `${notes.join(". ")}.`;
}

export { CHART_NAMES };
