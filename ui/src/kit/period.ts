// Points in time as queries write them: a year, a quarter, a month, a day, a time of day. What they are is read from the
// values, never from a column's name.

import { plural } from "@lingui/core/macro";
import type { CellType, ResultColumn } from "../host/bindings";
import { locale as chosenLocale } from "./language";
import { instantOf, momentOf } from "./moment";
import { showOf, type ValueFormatter } from "./show";

export type Grain = "year" | "quarter" | "month" | "day" | "time";

const YEAR = /^(19|20|21)\d\d$/;
const QUARTER = /^(\d{4})-Q([1-4])$/;
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** Returns the granularity of a column's points in time; null if it has none. `years` allows its numbers to be years. */
export function grainOf(values: readonly (string | null)[], type: CellType, years: boolean): Grain | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const all = (pattern: RegExp) => known.every((value) => pattern.test(value));
  if (type === "integer") return years && all(YEAR) ? "year" : null;
  if (type === "text") {
    if (all(MONTH)) return "month";
    if (all(QUARTER)) return "quarter";
  } else if (type !== "date" && type !== "timestamp") return null;
  const moments = known.map(momentOf);
  if (!moments.every((moment) => moment !== null)) return null;
  if (moments.some(({ clock }) => !/^(00:00(:00(\.0+)?)?)?$/.test(clock))) return "time";
  if (known.length < 2 || moments.some(({ day }) => day !== 1)) return "day";
  return moments.every(({ month }) => month === 1) ? "year" : "month";
}

/** Its place in time, in milliseconds of UTC; null if it is none. */
export function timeAt(value: string, grain: Grain): number | null {
  const quarter = QUARTER.exec(value);
  if (quarter) return Date.UTC(Number(quarter[1]), (Number(quarter[2]) - 1) * 3);
  if (MONTH.test(value)) return Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5)) - 1);
  if (grain === "year" && YEAR.test(value)) return Date.UTC(Number(value), 0);
  const instant = instantOf(value);
  return typeof instant === "bigint" ? Number(instant / 1_000_000n) : null;
}

/** A point in time in the language of the desktop; `exact` where a day or a time stays as the grid shows it. */
export function periodText(grain: Grain, exact: ValueFormatter, locale = chosenLocale()): ValueFormatter {
  if (grain === "quarter" || grain === "day" || grain === "time") return exact;
  const options =
    grain === "year" ? { year: "numeric" as const } : { year: "numeric" as const, month: "short" as const };
  const format = new Intl.DateTimeFormat(locale, {
    ...options,
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
  return (value) => {
    const at = timeAt(value, grain);
    return at === null ? value : format.format(at);
  };
}

/** The name of a column of months. */
const MONTHS = /(^|[^\p{L}])(month|monat|mois)([^\p{L}]|$)/iu;

/**
 * Returns the formatter of a column with known values: without a time of day if it is always midnight, and as months if
 * its name says so, too.
 */
export function showKnown(
  column: ResultColumn,
  values: () => (string | null)[],
  locale = chosenLocale(),
): ValueFormatter {
  const exact = showOf(column, locale);
  if (column.type !== "date" && column.type !== "timestamp") return exact;
  const grain = grainOf(values(), column.type, false);
  if (grain === null || grain === "time") return exact;
  if (grain === "month" && MONTHS.test(column.name)) return periodText(grain, exact, locale);
  return (value) => exact(value.replace(/[ T].*$/, ""));
}

/** "12 months": points in time of a grain, or rows. */
export function pointsOf(n: number, grain: Grain | null): string {
  switch (grain) {
    case "year":
      return plural(n, { one: "# year", other: "# years" });
    case "quarter":
      return plural(n, { one: "# quarter", other: "# quarters" });
    case "month":
      return plural(n, { one: "# month", other: "# months" });
    case "day":
      return plural(n, { one: "# day", other: "# days" });
    default:
      return plural(n, { one: "# row", other: "# rows" });
  }
}
