// Formats values by the type of their column and the chosen locale. Digits are grouped as text, so that
// none is lost; what is copied is always the exact text.

import type { CellType, ResultColumn, ShownNumber } from "../host/bindings";
import { compactJson } from "./json";
import { locale as chosenLocale } from "./language";
import { momentOf, utc } from "./moment";

export type ValueFormatter = (value: string) => string;

export const showExactly: ValueFormatter = (value) => value;

export function showOf({ name, type }: Pick<ResultColumn, "name" | "type">, locale = chosenLocale()): ValueFormatter {
  switch (type) {
    case "integer": {
      const kind = integerKind(name);
      const grouped = numbers(locale);
      if (kind === "identifier") return showExactly;
      return kind === "year" ? (value) => (/^[12]\d{3}$/.test(value) ? value : grouped(value)) : grouped;
    }
    case "decimal":
    case "float":
      return numbers(locale);
    case "date":
    case "timestamp":
      return moments(locale);
    case "nested":
      return compactJson;
    default:
      return showExactly;
  }
}

/** Returns whether what is shown can differ from the exact text. */
export function isFormatted(type: CellType): boolean {
  return ["integer", "decimal", "float", "date", "timestamp", "nested"].includes(type);
}

const YEARS = new Set(["year", "years", "yr", "yyyy", "jahr", "fy"]);
const IDS = new Set([
  "id",
  "ids",
  "key",
  "code",
  "cd",
  "nr",
  "no",
  "number",
  "zip",
  "postcode",
  "plz",
  "ean",
  "isbn",
]);
/** Words that make a number of it, whatever else the name says. */
const AMOUNTS = new Set([
  "count",
  "num",
  "n",
  "total",
  "sum",
  "avg",
  "average",
  "mean",
  "distinct",
  "per",
  "to",
  "of",
]);

/** Derives the kind of a column's integers from its name. */
export function integerKind(name: string): "year" | "identifier" | "number" {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (words.some((word) => AMOUNTS.has(word))) return "number";
  if (words.some((word) => YEARS.has(word))) return "year";
  const last = words.at(-1) ?? "";
  if (words[0] === "id" || last === "id" || last === "zip" || (words.length > 1 && IDS.has(last)))
    return "identifier";
  return "number";
}

function numbers(locale: string): ValueFormatter {
  const format = new Intl.NumberFormat(locale, { numberingSystem: "latn" });
  const { point } = separatorsOf(locale);
  return (value) => {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
    if (!match) return value;
    const [, sign, whole, rest] = match;
    return `${sign}${format.format(BigInt(whole!))}${rest === undefined ? "" : point + rest}`;
  };
}

const dayFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });

const MOST_DAYS = 20_000;

function moments(locale: string): ValueFormatter {
  const format = dayFormat(locale);
  // Formatting a day is slow, and rows share their days.
  const days = new Map<number, string>();
  const dayOf = (at: number) => {
    const known = days.get(at);
    if (known !== undefined) return known;
    if (days.size > MOST_DAYS) days.clear();
    const day = format.format(at);
    days.set(at, day);
    return day;
  };
  return (value) => {
    const moment = momentOf(value);
    if (!moment || moment.year < 1 || moment.year > 9999) return value;
    const day = dayOf(utc(moment));
    if (moment.clock === "") return day;
    const zone = /^(Z|UTC|\+00(:?00)?)$/.test(moment.zone) ? "UTC" : moment.zone;
    return `${day}, ${moment.clock}${zone && ` ${zone}`}`;
  };
}

/** Formats a value for typing into a search: a number with the decimal separator of the language. */
export function typeable(value: string, type: CellType, locale = chosenLocale()): string {
  if (type !== "integer" && type !== "decimal" && type !== "float") return value;
  return value.replace(".", separatorsOf(locale).point);
}

/**
 * The exact text of a number that was typed as the desktop writes numbers, or as the database does. Separators between
 * the digits count only where groups of digits end.
 */
export function typedNumber(text: string, locale = chosenLocale()): string {
  const plain = text
    .trim()
    .replace(/[\s\u00a0\u202f'’](?=\d{3})/g, "")
    .replace("−", "-");
  const { group, point } = separatorsOf(locale);
  const [whole = "", ...rest] = plain.split(point);
  const groups = whole.split(group || ",");
  const grouped = groups.length > 1 && groups.slice(1, -1).every((g) => /^\d{2,3}$/.test(g));
  if (grouped && /^[+-]?\d{1,3}$/.test(groups[0]!) && /^\d{3}$/.test(groups.at(-1)!))
    return [groups.join(""), ...rest].join(".");
  return point === "." || rest.length === 0 ? plain : [whole, ...rest].join(".");
}

/** The separators of a language and their positions. */
export function separatorsOf(locale: string): ShownNumber {
  const format = new Intl.NumberFormat(locale, { numberingSystem: "latn" });
  const parts = format.formatToParts(1234567890123.5);
  const text = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const groups = parts.filter(({ type }) => type === "integer").map(({ value }) => value.length);
  // A single group needs no separator.
  const first = groups.length > 1 ? groups.at(-1)! : 0;
  const next = groups.length > 2 ? groups.at(-2)! : first;
  const grouped = format.formatToParts(10 ** first).some(({ type }) => type === "group");
  return { group: text("group"), point: text("decimal") || ".", first, next, least: first + (grouped ? 1 : 2) };
}

/** A date of each month, with places for the day and the year. */
export function monthDates(locale: string): string[] {
  const format = dayFormat(locale);
  return Array.from({ length: 12 }, (_, month) =>
    format
      .formatToParts(Date.UTC(2001, month, 4))
      .map(({ type, value }) => {
        if (type === "day") return value.length > 1 ? "{dd}" : "{d}";
        return type === "year" ? "{y}" : value;
      })
      .join(""),
  );
}
