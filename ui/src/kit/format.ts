// Numbers, sizes and times in readable form.

import { plural, t } from "@lingui/core/macro";
import type { Page, ResultHandle } from "../host/bindings";
import { dateLocale, locale } from "./language";

/** Formats are slow to make: one for each locale and kind. */
const formats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale()} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.NumberFormat(locale(), { numberingSystem: "latn", ...options });
  formats.set(key, made);
  return made;
}

/** A format keeps the time zone in which it was made: another zone has another one. */
function dates(options: Intl.DateTimeFormatOptions, date: Date): string {
  const key = `${dateLocale()} ${date.getTimezoneOffset()} ${JSON.stringify(options)}`;
  const made = dateFormats.get(key) ?? new Intl.DateTimeFormat(dateLocale(), options);
  dateFormats.set(key, made);
  return made.format(date);
}

const DAY = { year: "numeric", month: "numeric", day: "numeric" } as const;
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" } as const;

/** 1,204 */
export function count(n: number | bigint): string {
  return numbers({}).format(n);
}

/** Formats a number with a fixed number of decimals: 4.2 */
export function decimals(n: number, places: number): string {
  return numbers({ minimumFractionDigits: places, maximumFractionDigits: places }).format(n);
}

/** Formats a number with a number of significant digits: 445,600 or 4.568; 1.235E21 if there would be too many zeros. */
export function significant(n: number, digits: number): string {
  const notation = Math.abs(n) < 1e15 ? "standard" : "scientific";
  return numbers({ maximumSignificantDigits: digits, notation }).format(n);
}

/** A share with one decimal: 62.5% */
export function decimalPercent(part: number): string {
  return numbers({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(part);
}

/** A change with its sign: +12.3% */
export function signedPercent(part: number, places: number): string {
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
  return numbers({ style: "percent", signDisplay: "exceptZero", ...digits }).format(part);
}

/** Dollars and cents: $0.12 */
export function currency(dollars: number): string {
  return numbers({ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }).format(dollars);
}

/** "orders, customers and stores" */
export function listText(names: string[]): string {
  return new Intl.ListFormat(dateLocale(), { type: "conjunction" }).format(names);
}

/** Parts of a sentence, set apart as the language does it. */
export function joinClauses(parts: string[]): string {
  return parts.length === 0 ? "" : parts.reduce((before, next) => t`${before}; ${next}`);
}

/** Rows of a result; "1,000+ rows" when reading stopped there. */
export function rowsOf(page: Pick<Page, "rowCount" | "truncated">): string {
  return page.truncated ? t`${count(page.rowCount)}+ rows` : plural(page.rowCount, { one: "# row", other: "# rows" });
}

/** "1,204 rows so far in 2.1 s" */
export function rowsRead(
  {
    rowCount,
    complete,
    truncated,
    outOfRoom,
  }: Pick<ResultHandle, "rowCount" | "complete" | "truncated" | "outOfRoom">,
  ms: number,
): string {
  const rows = plural(rowCount, { one: "# row", other: "# rows" });
  const time = duration(ms);
  if (outOfRoom) return t`${rows}, stopped after ${time}`;
  if (truncated) return t`${rows}, limit reached in ${time}`;
  return complete ? t`${rows} in ${time}` : t`${rows} so far in ${time}`;
}

/** Why a result was cut that could not be kept whole, and what to do. Null if it could. */
export function roomNote({ outOfRoom }: Pick<ResultHandle, "outOfRoom">): string | null {
  if (outOfRoom === null) return null;
  return outOfRoom === "disk"
    ? t`More rows exist, but the disk is full. Free some space, then run it again.`
    : t`More rows exist, but results are limited to 8 GB here. Export the result to get all rows.`;
}

/** 3.4k, 12k, 1.2M, as the language shortens numbers ("1,2 Mio."): for secondary text. */
export function compact(n: number): string {
  return small(numbers({ notation: "compact", useGrouping: "always" }).formatToParts(n));
}

/** The unit of `compact` and its suffix: 1,500,000 in millions, "M" or " Mio."; null if the language writes it out. */
export function compactUnit(n: number): { size: number; after: string } | null {
  for (const power of [12, 9, 6, 3]) {
    const size = 10 ** power;
    if (Math.abs(n) < size) continue;
    const parts = numbers({ notation: "compact" }).formatToParts(size);
    const count = Number(parts.find(({ type }) => type === "integer")?.value);
    if (!count || !parts.some(({ type }) => type === "compact")) continue;
    return { size: size / count, after: small(parts.filter(({ type }) => type !== "integer")) };
  }
  return null;
}

/** A thousand is a small k in units, and beside them. */
const small = (parts: Intl.NumberFormatPart[]) =>
  parts.map(({ type, value }) => (type === "compact" && value === "K" ? "k" : value)).join("");

/** 640 ms, 4.2 s, 1 min 12 s */
export function duration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${decimals(seconds, 1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A running clock: 0:07, 1:32 */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 491 MB, 1.12 GB; decimal units, as in file managers. French has its own letters for them. */
export function bytes(n: number): string {
  if (n < 1000) return t({ message: `${n} B`, comment: "A number of bytes" });
  if (n < 1_000_000) return t`${Math.round(n / 1000)} kB`;
  if (n < 1_000_000_000) return t`${Math.round(n / 1_000_000)} MB`;
  return t`${decimals(n / 1_000_000_000, 2)} GB`;
}

export function percent(part: number): string {
  if (part > 0 && part < 0.01) return `<${numbers({ style: "percent" }).format(0.01)}`;
  if (part < 1 && part > 0.99) return `>${numbers({ style: "percent" }).format(0.99)}`;
  return numbers({ style: "percent" }).format(part);
}

/** Today, Yesterday, Monday, 3 November, 3 November 2025 */
export function dayName(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return t`Earlier`;
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000);
  if (days <= 0) return t`Today`;
  if (days === 1) return t`Yesterday`;
  if (days < 7) return capitalizeFirst(dates({ weekday: "long" }, then));
  const sameYear = then.getFullYear() === now.getFullYear();
  return dates({ day: "numeric", month: "long", year: sameYear ? undefined : "numeric" }, then);
}

/** As the beginning of a line: French writes days small. */
const capitalizeFirst = (text: string) => text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1);

/** 24 Nov 2026 */
export function calendarDay(iso: string): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return iso;
  return dates({ day: "numeric", month: "short", year: "numeric" }, then);
}

/** 24/11/2026, 14:05:12 */
export function dayAndTime(iso: string): string {
  return dates({ ...DAY, ...TIME }, new Date(iso));
}

/** 14:05 */
export function timeOfDay(iso: string): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  return dates({ hour: "2-digit", minute: "2-digit" }, then);
}

/** 14:05:12 */
export function exactTime(iso: string): string {
  return dates(TIME, new Date(iso));
}

/** "November 2026" of "2026-11" */
export function monthName(month: string): string {
  const first = new Date(`${month}-01T12:00:00`);
  if (Number.isNaN(first.getTime())) return month;
  return dates({ month: "long", year: "numeric" }, first);
}

/** "14:05" today, else "3 Nov" */
export function shortWhen(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  if (midnight(then) === midnight(now)) return timeOfDay(iso);
  return dates({ day: "numeric", month: "short" }, then);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * Groups the digits of an exact number's text without passing it through a float. Four digits stay together, so that
 * years read as years.
 */
export function groupDigits(text: string): string {
  const match = /^(-?)(0|[1-9]\d*)(\.\d+)?$/.exec(text);
  if (!match) return text;
  const [, sign, whole = "", rest] = match;
  if (whole.length < 5 && rest === undefined) return text;
  return `${sign}${whole.length < 5 ? whole : count(BigInt(whole))}${rest === undefined ? "" : point() + rest.slice(1)}`;
}

/** The sign before decimals. */
function point(): string {
  return (
    numbers({})
      .formatToParts(1.5)
      .find((part) => part.type === "decimal")?.value ?? "."
  );
}

/** The last part of a path or address. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** Text cut to a maximum length. */
export function clipText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
