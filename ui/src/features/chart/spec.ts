// The Vega-Lite specification of a chart. All text in it is data or a label; no channel opens or loads anything.

import { t } from "@lingui/core/macro";
import type { TopLevelSpec } from "vega-lite";
import { compactUnit } from "../../kit/format";
import { timeAt } from "../../kit/period";
import { textWidth } from "../../kit/textWidth";
import { type Chart, MOST_BARS, type Row } from "./choose";
import { namesWithShares, pieMarks } from "./pie";
import { LABEL_GAP, LABEL_SIZE, valueLabels } from "./valueLabels";
import { type NamedColumns, pointInWords, showAlong } from "./words";

/** Colours of a theme, as CSS writes them. */
export interface Ink {
  background: string;
  text: string;
  faint: string;
  grid: string;
  mark: string;
  font: string;
  /** For what colours tell apart; each at least 3:1 on the background. */
  palette: string[];
}

export interface Drawing {
  spec: TopLevelSpec;
  /** The rows that are drawn, in the order in which arrow keys walk. */
  rows: Row[];
  /** The axis of the measure does not begin at 0. */
  cut: boolean;
}

const BAR = 24;
const LABEL = 190;
/** Width that the axis of the measure and the padding take from upright bars. */
const AXIS = 60;
/** Width around the plot of lying bars, besides their names. */
const AROUND = 20;
/** Share of the plot that labels beside bars may take. */
const MOST_BESIDE = 0.35;
/** Share of the room of grouped bars that is theirs. */
const GROUP_BAND = 0.8;

interface Datum {
  i: number;
  y: number;
  x?: number | string;
  name?: string;
  by?: string;
  tip: string;
  label?: string;
}

/** A chart of these rows, as wide and high as its place. */
export function drawingOf(
  named: NamedColumns,
  chart: Chart,
  all: readonly Row[],
  ink: Ink,
  size: { width: number; height: number },
): Drawing {
  const rows = drawnChart(chart, all);
  const along = (row: Row) =>
    chart.along.map((at) => shownOr(row[at] ?? null, showAlong(named, chart, at), named.labels[at]!)).join(", ");
  const names = separateLabels(rows.map(along));
  const values: Datum[] = rows.map((row, i) => ({
    i,
    y: Number(row[chart.measure]),
    x: xOf(chart, row, along),
    name: names[i]!,
    ...(chart.by === null
      ? {}
      : { by: shownOr(row[chart.by] ?? null, showAlong(named, chart, chart.by), named.labels[chart.by]!) }),
    tip: pointInWords(named, chart, row),
  }));
  const measure = named.labels[chart.measure]!;
  const numbers = values.map(({ y }) => y);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  // A line that hardly moves would be flat from 0. Bars always begin there: their length is the number.
  const cut = chart.type === "line" && low > 0 && (high - low) / high < 0.25;
  const color = {
    field: "by",
    type: "nominal" as const,
    title: chart.by === null ? null : named.labels[chart.by]!,
    scale: { range: ink.palette },
    sort: null,
    legend: {
      orient: "top" as const,
      direction: "horizontal" as const,
      columns: 4,
      labelLimit: 140,
      symbolType: "square" as const,
    },
  };
  const by = chart.by === null ? {} : { color };
  const tooltip = { field: "tip", type: "nominal" as const };
  const amount = {
    field: "y",
    type: "quantitative" as const,
    title: measure,
    axis: { ...numberAxis(low, high), tickCount: 5 },
  };
  const base = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    width: size.width,
    height: size.height,
    autosize: { type: "fit" as const, contains: "padding" as const },
    padding: 4,
    config: configOf(ink),
  };
  const time = chart.grain !== null && chart.grain !== "quarter" && chart.type === "line";
  const x = time
    ? {
        field: "x",
        type: "temporal" as const,
        scale: { type: "utc" as const },
        title: null,
        axis: { ...timeAxis(chart), labelOverlap: true, grid: false },
      }
    : {
        field: "x",
        type: "ordinal" as const,
        sort: null,
        title: null,
        axis: { labelAngle: 0, labelOverlap: true, labelLimit: 90, grid: false },
      };
  const slanted = { ...x, axis: { ...x.axis, labelAngle: values.length > 12 && !chart.grain ? -30 : 0 } };
  // Bars with their values, where each has room of some width.
  const labelled = <const Bars extends object>(bars: Bars, where: "above" | "beside", width: number) => {
    const labels = valueLabels(named, chart, rows, width);
    if (!labels) return { layer: [bars] };
    return {
      data: { values: values.map((value, i) => ({ ...value, label: labels[i]! })) },
      layer: [bars, labelLayer(where, ink)],
    };
  };
  switch (chart.type) {
    case "line":
      return {
        rows,
        cut,
        spec: {
          ...base,
          encoding: { x, y: { ...amount, scale: { zero: !cut } }, ...by },
          layer: [
            { mark: { type: "line", strokeWidth: 2, interpolate: "linear" } },
            {
              mark: { type: "point", filled: true, size: values.length <= 60 ? 36 : 8, opacity: 1 },
              encoding: { tooltip },
            },
          ],
        },
      };
    case "pie": {
      const shares = namesWithShares(names, numbers);
      const data = { values: values.map((value, i) => ({ ...value, share: shares[i]! })) };
      return { rows, cut: false, spec: { ...base, data, ...pieMarks(measure, ink, size.width) } };
    }
    case "points":
      return {
        rows,
        cut: false,
        spec: {
          ...base,
          mark: { type: "point", filled: true, size: 48, opacity: 0.75 },
          encoding: {
            x: {
              field: "x",
              type: "quantitative",
              title: named.labels[chart.along[0]!]!,
              scale: { zero: false },
              axis: { ...numberAxis(...spanOf(values)), tickCount: 6 },
            },
            y: { ...amount, scale: { zero: false } },
            tooltip,
          },
        },
      };
    case "bar": {
      if (chart.grain !== null)
        return {
          rows,
          cut: false,
          spec: {
            ...base,
            ...labelled({ mark: { type: "bar", cornerRadiusEnd: 2 } }, "above", (size.width - AXIS) / rows.length),
            encoding: { x, y: amount, tooltip },
          },
        };
      const plot = size.width - Math.min(LABEL, widest(names)) - AROUND;
      const room = plot * MOST_BESIDE;
      const labels = valueLabels(named, chart, rows, room);
      // The axis goes on behind the longest bar, as far as its label needs.
      const scale =
        labels && high > 0 ? { domainMax: (high * plot) / (plot - widest(labels) - 2 * LABEL_GAP) } : { zero: true };
      return {
        rows,
        cut: false,
        spec: {
          ...base,
          ...labelled({ mark: { type: "bar", cornerRadiusEnd: 2, height: { band: 0.72 } } }, "beside", room),
          height: Math.max(size.height, rows.length * BAR),
          encoding: {
            y: {
              field: "name",
              type: "ordinal",
              sort: null,
              title: null,
              axis: { labelLimit: LABEL, grid: false, domain: false },
            },
            x: { ...amount, scale },
            tooltip,
          },
        },
      };
    }
    case "grouped": {
      const bars = new Set(values.map((v) => v.x)).size * new Set(values.map((v) => v.by)).size;
      return {
        rows,
        cut: false,
        spec: {
          ...base,
          ...labelled({ mark: { type: "bar" }, encoding: by }, "above", ((size.width - AXIS) / bars) * GROUP_BAND),
          encoding: {
            x: slanted,
            xOffset: { field: "by", type: "nominal", sort: null },
            y: { ...amount, stack: null },
            tooltip,
          },
        },
      };
    }
    case "stacked":
      return {
        rows,
        cut: false,
        spec: {
          ...base,
          mark: { type: "bar" },
          encoding: {
            x: slanted,
            y: { ...amount, stack: "zero" },
            ...by,
            tooltip,
          },
        },
      };
  }
}

const widest = (texts: string[]) => texts.reduce((most, text) => Math.max(most, textWidth(text, LABEL_SIZE)), 0);

/** Text at the ends of bars: above upright ones, right of others. */
function labelLayer(where: "above" | "beside", ink: Ink) {
  const placed =
    where === "above" ? { baseline: "bottom" as const, dy: -LABEL_GAP } : { align: "left" as const, dx: LABEL_GAP };
  return {
    mark: { type: "text" as const, color: ink.text, fontSize: LABEL_SIZE, ...placed },
    encoding: { text: { field: "label", type: "nominal" as const } },
  };
}

/** Distinguishes equal names by invisible characters, so that two rows become two bars. */
function separateLabels(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return name + "\u200b".repeat(before);
  });
}

/** The rows that are drawn: those with an amount, points in time one after another, of many bars the largest. */
function drawnChart(chart: Chart, all: readonly Row[]): Row[] {
  const has = (at: number) => (row: Row) => (row[at] ?? null) !== null;
  const known = all.filter(has(chart.measure));
  const { grain } = chart;
  if (chart.type === "points") return known.filter(has(chart.along[0]!));
  if (grain) {
    const at = (row: Row) => timeAt(row[chart.along[0]!] ?? "", grain) ?? 0;
    return known.filter(has(chart.along[0]!)).sort((a, b) => at(a) - at(b));
  }
  if (chart.type !== "bar") return known;
  const value = (row: Row) => Number(row[chart.measure]);
  const falls = known.every((row, i) => i === 0 || value(row) <= value(known[i - 1]!));
  const rises = known.every((row, i) => i === 0 || value(row) >= value(known[i - 1]!));
  const sorted =
    falls || (rises && known.length <= MOST_BARS) ? known : [...known].sort((a, b) => value(b) - value(a));
  return sorted.slice(0, MOST_BARS);
}

function xOf(chart: Chart, row: Row, along: (row: Row) => string): number | string {
  if (chart.type === "points") return Number(row[chart.along[0]!]);
  if (chart.grain && chart.grain !== "quarter" && chart.type === "line")
    return timeAt(row[chart.along[0]!] ?? "", chart.grain) ?? 0;
  return along(row);
}

const shownOr = (value: string | null, show: (value: string) => string, name: string) =>
  value === null ? t`no ${name}` : show(value);

function spanOf(values: Datum[]): [number, number] {
  const numbers = values.map(({ x }) => Number(x));
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** The last number is drawn inside of its end: where it would stand on the one before, one of them is left out. */
const APART = { labelOverlap: "greedy" as const, labelSeparation: 8 };

/** Whole numbers as such, large ones in one unit as the language shortens them (but for 0, which has none), small ones with their digits. */
function numberAxis(low: number, high: number) {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const unit = most >= 100_000 ? compactUnit(most) : null;
  if (unit) {
    const amount = `format(datum.value / ${unit.size}, ',~f') + ${JSON.stringify(unit.after)}`;
    return { ...APART, labelExpr: `datum.value === 0 ? '0' : ${amount}` };
  }
  return { ...APART, format: most >= 10 ? ",~f" : "~g" };
}

function timeAxis({ grain }: Chart) {
  if (grain === "year") return { format: "%Y", tickCount: "year" as const };
  if (grain === "month") return { format: "%b %Y" };
  return {};
}

function configOf(ink: Ink) {
  return {
    background: ink.background,
    font: ink.font,
    aria: false,
    view: { stroke: null },
    axis: {
      labelColor: ink.faint,
      titleColor: ink.faint,
      titleFontWeight: "normal" as const,
      labelFontSize: 12,
      titleFontSize: 12,
      gridColor: ink.grid,
      domainColor: ink.grid,
      tickColor: ink.grid,
      labelPadding: 6,
      titlePadding: 8,
      ticks: false,
    },
    legend: {
      labelColor: ink.text,
      titleColor: ink.faint,
      titleFontWeight: "normal" as const,
      labelFontSize: 12,
      titleFontSize: 12,
    },
    bar: { color: ink.mark },
    line: { color: ink.mark },
    point: { color: ink.mark },
  };
}
