// Vega, behind one function. Expressions are interpreted from their syntax trees: the content policy allows no code that is
// made from text. Nothing is loaded from anywhere, and no mark opens anything.

import { type Loader, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { locale } from "../../kit/language";

/** The point under the pointer: its place among the drawn rows, null when there is none. */
export type OnPoint = (index: number | null) => void;

export interface DrawnChart {
  view: View;
  close: () => void;
}

const NOTHING = () => Promise.reject(new Error("A chart loads nothing"));
const NO_LOADER: Loader = {
  load: NOTHING,
  sanitize: NOTHING,
  http: NOTHING,
  file: NOTHING,
  options: {},
} as unknown as Loader;

/** Draws a chart into an element. `onPick` gets the place of a point that is clicked. */
export async function drawChart(
  element: HTMLElement,
  spec: TopLevelSpec,
  onPoint: OnPoint,
  onPick: (index: number) => void,
): Promise<DrawnChart> {
  // Room is made for labels as they measure in the font that they are drawn in.
  await document.fonts?.ready;
  const view = viewOf(spec).initialize(element).hover();
  // The figure describes points as text.
  view.tooltip((_handler: unknown, _event: unknown, item: unknown, value: unknown) => {
    onPoint(value !== null && value !== undefined ? placeOf(item) : null);
  });
  view.addEventListener("click", (_event, item) => {
    const index = placeOf(item);
    if (index !== null) onPick(index);
  });
  await view.runAsync();
  return { view, close: () => void view.finalize() };
}

/** The place of a mark's row; null for axes and lines, whose marks have no row of their own. */
function placeOf(item: unknown): number | null {
  const datum = (item as { datum?: { i?: unknown } } | null | undefined)?.datum;
  return typeof datum?.i === "number" ? datum.i : null;
}

/** The chart as SVG text. */
export function asSvg(spec: TopLevelSpec): Promise<string> {
  return viewOf(spec).toSVG();
}

/** The chart as PNG in base64, twice as fine as the screen. */
export async function asPng(spec: TopLevelSpec): Promise<string> {
  const canvas = await viewOf(spec).toCanvas(2);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}

function viewOf(spec: TopLevelSpec): View {
  const compiled = compile(spec).spec;
  return new View(parse(compiled, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: "svg",
    loader: NO_LOADER,
    locale: localeOf(locale()),
  } as unknown as ConstructorParameters<typeof View>[1]);
}

/** The locale of Vega's numbers and months. */
function localeOf(name: string) {
  const number = new Intl.NumberFormat(name, { numberingSystem: "latn" });
  const part = (type: string, of: number) => number.formatToParts(of).find((p) => p.type === type)?.value;
  const names = (options: Intl.DateTimeFormatOptions, dates: Date[]) => {
    const format = new Intl.DateTimeFormat(name, { ...options, timeZone: "UTC", calendar: "gregory" });
    return dates.map((date) => format.format(date));
  };
  const months = Array.from({ length: 12 }, (_, m) => new Date(Date.UTC(2023, m, 1)));
  // 1 January 2023 was a Sunday, with which Vega begins.
  const days = Array.from({ length: 7 }, (_, d) => new Date(Date.UTC(2023, 0, 1 + d)));
  return {
    number: {
      decimal: part("decimal", 1.5) ?? ".",
      thousands: part("group", 1_234_567) ?? ",",
      grouping: [3],
      currency: ["", ""] as [string, string],
    },
    time: {
      dateTime: "%x, %X",
      date: "%-d %b %Y",
      time: "%H:%M:%S",
      periods: ["AM", "PM"] as [string, string],
      days: names({ weekday: "long" }, days),
      shortDays: names({ weekday: "short" }, days),
      months: names({ month: "long" }, months),
      shortMonths: names({ month: "short" }, months),
    },
  };
}
