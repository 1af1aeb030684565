// The filter of a column, and its text.

import { t } from "@lingui/core/macro";
import type { CellType, ResultColumn, RowTest, ShownAs } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { monthName } from "../../kit/format";
import { locale as chosenLocale } from "../../kit/language";
import { instantOf, momentOf, timeOf } from "../../kit/moment";
import { showOf, typedNumber, type ValueFormatter } from "../../kit/show";
import { exactOf, floatOf, unitsAt } from "./exactNumbers";

export type Filter =
  | { kind: "contains"; text: string }
  | { kind: "equals"; text: string }
  | { kind: "range"; from: string; to: string }
  | { kind: "empty" }
  | { kind: "filled" };

export type FilterKind = Filter["kind"];

/** Returns whether something that was remembered is a filter. */
export function isFilter(value: unknown): value is Filter {
  if (typeof value !== "object" || value === null) return false;
  const { kind, text, from, to } = value as Record<string, unknown>;
  if (kind === "empty" || kind === "filled") return true;
  if (kind === "range") return typeof from === "string" && typeof to === "string";
  return (kind === "contains" || kind === "equals") && typeof text === "string";
}

type Bound = bigint | number;

const RANGES: CellType[] = ["integer", "decimal", "float", "date", "timestamp", "time"];

/** The kinds that make sense for a type, the usual one first. */
export function filterKinds(type: CellType): FilterKind[] {
  if (RANGES.includes(type)) return ["range", "equals", "contains", "empty", "filled"];
  if (type === "boolean") return ["equals", "empty", "filled"];
  return ["contains", "equals", "empty", "filled"];
}

/** Why a filter cannot be applied as it is typed, or null. */
export function problemOf(filter: Filter, type: CellType, locale = chosenLocale()): string | null {
  if (filter.kind === "contains") return filter.text === "" ? t`Enter text.` : null;
  if (filter.kind === "equals") return rangeText(type) ? badBound(filter.text, type, locale, true) : null;
  if (filter.kind !== "range") return null;
  if (filter.from.trim() === "" && filter.to.trim() === "") return t`Enter at least one value.`;
  return badBound(filter.from, type, locale) ?? badBound(filter.to, type, locale);
}

function rangeText(type: CellType): boolean {
  return RANGES.includes(type);
}

function badBound(text: string, type: CellType, locale: string, needed = false): string | null {
  if (text.trim() === "") return needed ? t`Enter a value.` : null;
  if (!Number.isNaN(boundOf(text, type, locale, false))) return null;
  if (type === "date" || type === "timestamp") return t`Enter a date such as 2025-01-31, 2025-01 or 2025.`;
  return type === "time" ? t`Enter a time such as 09:30.` : t`Enter a number.`;
}

/** Returns whether a value passes. `show` is how its column is shown: a text may be typed as it is read. */
export function testOf(
  filter: Filter,
  type: CellType,
  show: ValueFormatter,
  locale = chosenLocale(),
): (value: string | null) => boolean {
  switch (filter.kind) {
    case "empty":
      return (value) => value === null || value === "";
    case "filled":
      return (value) => value !== null && value !== "";
    case "contains":
      return testContains(filter.text, show);
    case "equals":
      // A value that has no place, such as NaN, equals only its own text.
      if (!rangeText(type) || Number.isNaN(boundOf(filter.text, type, locale, false)))
        return (value) => value === filter.text || (type === "boolean" && sameFilter(value, filter.text));
      return testRange(filter.text, filter.text, type, locale);
    case "range":
      return testRange(filter.from, filter.to, type, locale);
  }
}

/** The same condition for rows that the backend keeps. `shown` is how their column is shown. */
export function rowTest(filter: Filter, type: CellType, shown: ShownAs, locale = chosenLocale()): RowTest {
  switch (filter.kind) {
    case "empty":
    case "filled":
      return { kind: filter.kind };
    case "contains":
      return { kind: "contains", text: filter.text, shown };
    case "equals":
      if (!rangeText(type) || Number.isNaN(boundOf(filter.text, type, locale, false)))
        return { kind: "same", text: filter.text, case: type !== "boolean" };
      return rangeTest(filter.text, filter.text, type, locale);
    case "range":
      return rangeTest(filter.from, filter.to, type, locale);
  }
}

function rangeTest(from: string, to: string, type: CellType, locale: string): RowTest {
  const end = (text: string, last: boolean) => {
    if (text.trim() === "") return null;
    if (isNumeric(type)) return typedNumber(text.trim(), locale);
    const at = boundOf(text, type, locale, last);
    if (typeof at === "bigint") return at.toString();
    return at > 0 ? "infinity" : "-infinity";
  };
  return { kind: "range", from: end(from, false), to: end(to, true) };
}

function sameFilter(value: string | null, text: string): boolean {
  return value !== null && value.toLowerCase() === text.trim().toLowerCase();
}

/** Returns whether a value has the text in it, as it is or as it is shown; capitals do not count. */
export function testContains(text: string, show: ValueFormatter): (value: string | null) => boolean {
  const wanted = foldCase(text);
  // Digits that are shown next to each other are so in the exact text too.
  const digits = /^\d+$/.test(wanted);
  return (value) => {
    if (value === null) return false;
    if (foldCase(value).includes(wanted)) return true;
    if (digits) return false;
    const shown = show(value);
    return shown !== value && foldCase(shown).includes(wanted);
  };
}

export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function testRange(from: string, to: string, type: CellType, locale: string): (value: string | null) => boolean {
  const low = from.trim() === "" ? null : boundOf(from, type, locale, false);
  const high = to.trim() === "" ? null : boundOf(to, type, locale, true);
  return (value) => {
    if (value === null) return false;
    const at = placeOf(value, type);
    return !Number.isNaN(at) && (low === null || at >= low) && (high === null || at <= high);
  };
}

/** Digits behind the point that are compared; more are rounded down. */
const PLACES = 40;

function numberAt(text: string): Bound {
  const exact = exactOf(text);
  if (!exact) return scaledInfinity(floatOf(text));
  if (exact.scale <= PLACES) return unitsAt(exact, PLACES);
  return exact.units / 10n ** BigInt(exact.scale - PLACES);
}

/** Infinity is beyond all units; any other float is not a plain number. */
function scaledInfinity(n: number): number {
  return Number.isFinite(n) ? Number.NaN : n;
}

function placeOf(value: string, type: CellType): Bound {
  if (type === "float") {
    const n = floatOf(value);
    return Number.isFinite(n) ? numberAt(value) : n;
  }
  if (type === "integer" || type === "decimal") return numberAt(value);
  return type === "time" ? timeOf(value) : instantOf(value);
}

/** Parses a typed point in time: the whole year, month, day or minute if nothing finer is given. */
function boundOf(text: string, type: CellType, locale: string, end: boolean): Bound {
  const typed = text.trim();
  if (type === "time") return end ? isAfter(timeOf(typed), /^\d\d:\d\d$/.test(typed) ? 60n : 0n) : timeOf(typed);
  if (type !== "date" && type !== "timestamp") return numberAt(typedNumber(typed, locale));
  const part = /^(\d{4})(?:-(\d\d))?$/.exec(typed);
  if (part) {
    const [year, month] = [Number(part[1]), part[2] === undefined ? null : Number(part[2])];
    if (month !== null && (month < 1 || month > 12)) return Number.NaN;
    if (!end) return instantOf(`${part[1]}-${part[2] ?? "01"}-01`);
    const next = month === null || month === 12 ? [year + 1, 1] : [year, month + 1];
    const start = instantOf(`${String(next[0]).padStart(4, "0")}-${String(next[1]).padStart(2, "0")}-01`);
    return typeof start === "bigint" ? start - 1n : start;
  }
  const at = instantOf(typed);
  if (!end) return at;
  const clock = momentOf(typed)?.clock ?? "";
  return isAfter(at, clock === "" ? 86_400n : clock.length === 5 ? 60n : 0n);
}

/** The last moment of some seconds. */
function isAfter(at: Bound, seconds: bigint): Bound {
  return typeof at === "bigint" && seconds > 0n ? at + seconds * 1_000_000_000n - 1n : at;
}

/** "revenue from 100 to 2,000" */
export function filterWords(column: Pick<ResultColumn, "name" | "type">, filter: Filter): string {
  const { name } = column;
  const said = (typed: string) => boundWords(typed, column);
  switch (filter.kind) {
    case "contains":
      return t`${name} contains “${filter.text}”`;
    case "equals":
      return filter.text === "" ? t`${name} is empty text` : t`${name} is ${said(filter.text)}`;
    case "empty":
      return t`${name} is empty`;
    case "filled":
      return t`${name} is not empty`;
    case "range": {
      const [from, to] = [said(filter.from.trim()), said(filter.to.trim())];
      if (to === "") return t`${name} from ${from}`;
      return from === "" ? t`${name} up to ${to}` : t`${name} from ${from} to ${to}`;
    }
  }
}

/** Formats a typed limit like the column's values. */
function boundWords(typed: string, column: Pick<ResultColumn, "name" | "type">): string {
  const { type } = column;
  if (!rangeText(type) || type === "time") return typed;
  if (type !== "date" && type !== "timestamp") return showOf(column)(typedNumber(typed));
  return /^\d{4}-\d\d$/.test(typed) ? monthName(typed) : showOf(column)(typed);
}
