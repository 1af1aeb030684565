// Display formats of number columns; values do not change. Digits are rounded and grouped as text, so that none
// passes through a float; copies, exports and the cell viewer have the exact value.

import { plural, t } from "@lingui/core/macro";
import type { CellType, ResultColumn } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { locale as chosenLocale } from "../../kit/language";
import { integerKind, isFormatted, separatorsOf, showExactly, type ValueFormatter } from "../../kit/show";
import { exactOf, exactText, roundExact } from "./exactNumbers";

export type Format =
  /** As the database gave it. */
  | { kind: "exact" }
  | { kind: "decimals"; places: number }
  /** 0.25 as 25%; with `whole`, 25 is 25%. */
  | { kind: "percent"; places: number; whole: boolean }
  /** Of a currency by its ISO code; nothing is converted. */
  | { kind: "currency"; currency: string; places: number };

export type FormatKind = Format["kind"];

export const MOST_PLACES = 10;

/** Returns whether a column supports other display formats. */
export const hasFormats = (type: CellType) => isFormatted(type);

/** The kinds that make sense for a type. */
export function formatKinds(type: CellType): FormatKind[] {
  return isNumeric(type) ? ["exact", "decimals", "percent", "currency"] : ["exact"];
}

/** Longer numbers are shown as they are. */
const MOST_DIGITS = 100;

export function showAs(format: Format, locale = chosenLocale()): ValueFormatter {
  if (format.kind === "exact") return showExactly;
  const { places } = format;
  const [plus, minus] = frames(format, locale);
  const { point } = separatorsOf(locale);
  const groups = new Intl.NumberFormat(locale, { numberingSystem: "latn" });
  const shift = format.kind === "percent" && !format.whole ? 2 : 0;
  return (value) => {
    const number = exactOf(value);
    if (!number || number.scale > MOST_DIGITS || number.units.toString().length > MOST_DIGITS) return value;
    const at = roundExact({ units: number.units * 10n ** BigInt(shift), scale: number.scale }, places);
    const [whole, rest] = exactText({ ...at, units: at.units < 0n ? -at.units : at.units }).split(".");
    const digits = `${groups.format(BigInt(whole!))}${rest === undefined ? "" : point + rest}`;
    const [before, after] = at.units < 0n ? minus : plus;
    return `${before}${digits}${after}`;
  };
}

type Frame = [before: string, after: string];

/** Prefix and suffix of positive and negative numbers. */
export function frames(format: Format, locale: string): [Frame, Frame] {
  const style =
    format.kind === "percent"
      ? { style: "percent" as const }
      : format.kind === "currency"
        ? { style: "currency" as const, currency: format.currency, currencyDisplay: "narrowSymbol" as const }
        : {};
  const words = new Intl.NumberFormat(locale, { numberingSystem: "latn", ...style });
  const frame = (n: number): Frame => {
    const parts = words.formatToParts(n);
    const isDigit = ({ type }: Intl.NumberFormatPart) => ["integer", "group", "decimal", "fraction"].includes(type);
    const text = (some: Intl.NumberFormatPart[]) => some.map(({ value }) => value).join("");
    return [text(parts.slice(0, parts.findIndex(isDigit))), text(parts.slice(parts.findLastIndex(isDigit) + 1))];
  };
  return [frame(1), frame(-1)];
}

/** The same as a spreadsheet writes it; null where it shows numbers by itself. Without a choice, integers are grouped as in the grid. */
export function sheetFormat({ name, type }: ResultColumn, format: Format | undefined): string | null {
  if (!isNumeric(type)) return null;
  if (!format) return type === "integer" && integerKind(name) === "number" ? "#,##0" : null;
  if (format.kind === "exact") return null;
  const digits = format.places === 0 ? "#,##0" : `#,##0.${"0".repeat(format.places)}`;
  if (format.kind === "currency") return `${digits} "${format.currency}"`;
  if (format.kind === "percent") return format.whole ? `${digits}"%"` : `${digits}%`;
  return digits;
}

/** In a few words, for the header: "2 decimals", "in percent", "in EUR". */
export function formatWords(format: Format): string {
  switch (format.kind) {
    case "exact":
      return t`as in the data`;
    case "decimals":
      return plural(format.places, { one: "# decimal", other: "# decimals" });
    case "percent":
      return t`in percent`;
    case "currency":
      return t`in ${format.currency}`;
  }
}

/** Currencies by code and name, in the order of the codes. */
export function currencies(locale = chosenLocale()): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ code, name: names.of(code) ?? code }));
}

/** The digits behind the point that a currency has: 2 of the euro, none of the yen. */
export function placesOf(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Returns whether something that was remembered is a format. */
export function isFormat(value: unknown): value is Format {
  if (typeof value !== "object" || value === null) return false;
  const { kind, places, whole, currency } = value as Record<string, unknown>;
  if (kind === "exact") return true;
  if (!Number.isInteger(places) || (places as number) < 0 || (places as number) > MOST_PLACES) return false;
  if (kind === "decimals") return true;
  if (kind === "percent") return typeof whole === "boolean";
  return kind === "currency" && typeof currency === "string" && /^[A-Z]{3}$/.test(currency);
}
