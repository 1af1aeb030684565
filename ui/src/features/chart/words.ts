// A chart in words: its title, its description for those who do not see it, each of its points, and what it leaves out.

import { plural, t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import { count } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { periodText, pointsOf } from "../../kit/period";
import { showExactly, showOf, type ValueFormatter } from "../../kit/show";
import { type Chart, MOST_BARS, type Row } from "./choose";

export interface NamedColumns {
  columns: ResultColumn[];
  /** Columns as readers say them. */
  labels: string[];
}

/** The formatter of an axis. */
export function showAlong({ columns }: NamedColumns, { grain }: Chart, at: number): ValueFormatter {
  const exact = columns[at]!.type === "integer" ? showExactly : showOf(columns[at]!);
  return grain ? periodText(grain, exact) : exact;
}

export function titleOf({ labels }: NamedColumns, chart: Chart): string {
  const along = chart.along.map((at) => labels[at]).join(", ");
  const measure = labels[chart.measure] ?? "";
  if (chart.type === "points") return t`${measure} against ${along}`;
  if (chart.by === null) return t`${measure} by ${along}`;
  const by = labels[chart.by] ?? "";
  return t`${measure} by ${along} and ${by}`;
}

/** One point: "Mar 2024, Web: 1,204". */
export function pointInWords(named: NamedColumns, chart: Chart, row: Row): string {
  const cell = (at: number, show: ValueFormatter) => {
    const value = row[at] ?? null;
    return value === null ? t`no ${named.labels[at] ?? ""}` : show(value);
  };
  const measure = cell(chart.measure, showOf(named.columns[chart.measure]!));
  if (chart.type === "points") {
    const x = chart.along[0]!;
    const name = named.columns.findIndex((column, at) => column.type === "text" && at !== x && at !== chart.measure);
    const lead = name < 0 ? "" : `${cell(name, showExactly)}: `;
    return `${lead}${named.labels[x]} ${cell(x, showOf(named.columns[x]!))}, ${named.labels[chart.measure]} ${measure}`;
  }
  const along = [...chart.along, ...(chart.by === null ? [] : [chart.by])];
  return `${along.map((at) => cell(at, showAlong(named, chart, at))).join(", ")}: ${measure}`;
}

const FORMS: Record<Chart["type"], string> = lazyRecord({
  line: () => t`Line chart`,
  bar: () => t`Bar chart`,
  grouped: () => t`Grouped bar chart`,
  stacked: () => t`Stacked bar chart`,
  pie: () => t`Pie chart`,
  points: () => t`Scatter plot`,
});

/** Describes the chart for screen readers. The table contains the rows. */
export function describeChart(named: NamedColumns, chart: Chart, rows: readonly Row[]): string {
  const known = rows.filter((row) => (row[chart.measure] ?? null) !== null);
  const value = (row: Row) => Number(row[chart.measure]);
  const ends =
    known.length === 0
      ? []
      : [
          known.reduce((a, b) => (value(b) > value(a) ? b : a)),
          known.reduce((a, b) => (value(b) < value(a) ? b : a)),
        ];
  const title = titleOf(named, chart);
  const points =
    chart.grain && chart.by === null
      ? pointsOf(rows.length, chart.grain)
      : chart.type === "bar"
        ? plural(rows.length, { one: "# bar", other: "# bars" })
        : chart.type === "pie"
          ? plural(rows.length, { one: "# share", other: "# shares" })
          : plural(rows.length, { one: "# point", other: "# points" });
  const what = t`${FORMS[chart.type]} of ${title}, ${points}.`;
  if (ends.length === 0 || chart.type === "points") return what;
  return `${what} ${t`Highest: ${pointInWords(named, chart, ends[0]!)}. Lowest: ${pointInWords(named, chart, ends[1]!)}.`}`;
}

/** Lists omissions and caveats of the chart; null if there are none. */
export function chartCaveat(
  named: NamedColumns,
  chart: Chart,
  rows: readonly Row[],
  drawn: number,
  cut: boolean,
): string | null {
  const missing = rows.filter((row) => (row[chart.measure] ?? null) === null).length;
  const notes = [
    drawn < rows.length - missing && chart.type === "bar"
      ? chart.along.length > 0 && chart.grain === null
        ? t`The ${count(MOST_BARS)} largest of ${count(rows.length)}`
        : t`The ${count(MOST_BARS)} first of ${count(rows.length)}`
      : "",
    missing > 0 ? t`${count(missing)} without ${named.labels[chart.measure] ?? ""} left out` : "",
    cut ? t`The axis does not start at 0` : "",
  ].filter(Boolean);
  return notes.length === 0 ? null : `${notes.join(". ")}.`;
}
