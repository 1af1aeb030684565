// Describes the content of a column, as text and as figures to draw. Everything comes from the profile.

import { plural, t } from "@lingui/core/macro";
import type { ColumnProfile, SemanticKind, TableProfile } from "../../host/bindings";
import { count, percent, significant } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { showKnown } from "../../kit/period";
import { showExactly, showOf, type ValueFormatter } from "../../kit/show";

const KINDS: Record<SemanticKind, string> = lazyRecord({
  identifier: () => t`identifier`,
  dimension: () => t`category`,
  metric: () => t`number`,
  time: () => t`date or time`,
  text: () => t`text`,
  nested: () => t`nested`,
  geo: () => t`location`,
  binary: () => t`bytes`,
  empty: () => t`no values`,
});

/**
 * Describes the kind of a column; with its type if the content differs: "text, day/month/year". A sample gives no
 * statement that only all rows can support.
 */
export function kindWords({ kind, hidden, dataType }: ColumnProfile, sampled = false): string {
  if (kind === "empty" && sampled) return t`no values seen`;
  if (hidden === null) return KINDS[kind];
  const number = /^number(?: (.+))?$/.exec(hidden);
  if (number) return number[1] ? t`text, numbers like ${number[1]}` : t`text, numbers`;
  if (kind === "time") return `${storedType(dataType)}, ${momentWords(hidden)}`;
  return kind === "geo" ? t`${storedType(dataType)}, location as ${hidden}` : `${KINDS[kind]}, ${hidden}`;
}

function storedType(dataType: string): string {
  if (/blob|bytea|binary|bytes/i.test(dataType)) return t`bytes`;
  return /int|num|dec|serial|double|float|real/i.test(dataType) ? t`number` : t`text`;
}

const PARTS: Record<string, string> = lazyRecord({
  Y: () => t`year`,
  y: () => t`two-digit year`,
  m: () => t`month`,
  B: () => t`month name`,
  b: () => t`short month name`,
  d: () => t`day`,
  a: () => t`weekday`,
  A: () => t`weekday`,
  H: () => t`hour`,
  I: () => t`hour`,
  M: () => t`minute`,
  S: () => t`second`,
  f: () => t`fraction`,
  p: () => t`AM or PM`,
  z: () => t`UTC offset`,
});
const EPOCHS: Record<string, string> = lazyRecord({
  "%s": () => t`seconds since 1970`,
  "epoch ms": () => t`milliseconds since 1970`,
  "epoch us": () => t`microseconds since 1970`,
  "epoch ns": () => t`nanoseconds since 1970`,
});

/** A format in strptime letters as people say it: "day/month/year". */
export function momentWords(format: string): string {
  if (EPOCHS[format]) return EPOCHS[format];
  const together = /%[A-Za-z]%/.test(format.replace("%S%z", "%S %z"));
  const words = format
    .replace(/%Y-%m-%dT/, "%Y-%m-%d ")
    .replace(/(%[Sf])Z$/, "$1 UTC")
    .replace(/%([A-Za-z])(?=(%?))/g, (whole, letter: string, next: string) => {
      const word = PARTS[letter] ?? whole;
      return next === "%" ? `${word} ` : word;
    });
  return together ? t`${words}, without separators` : words;
}

/** Returns whether the profile is based on some of the rows, or on an unknown number. */
export function isSample(profile: TableProfile | null): profile is TableProfile {
  return profile !== null && (profile.rowCount === null || profile.profiledRows < profile.rowCount);
}

/** For example "sample of 50,000 of 61,204 rows"; `null` when every row was read. */
export function sampleText(profile: TableProfile | null): string | null {
  if (!isSample(profile)) return null;
  return profile.rowCount === null
    ? plural(profile.profiledRows, {
        one: "sample of # row; others were not read",
        other: "sample of # rows; others were not read",
      })
    : t`sample of ${count(profile.profiledRows)} of ${count(profile.rowCount)} rows`;
}

export interface Bar {
  value: string;
  /** Of the rows that were read, from 0 to 1. */
  share: number;
}

/** The most frequent values with their shares; none where the profile counted none. */
export function topValues({ top }: ColumnProfile, rows: number): Bar[] {
  return rows > 0 ? top.map(([value, times]) => ({ value, share: Math.min(1, times / rows) })) : [];
}

export type Distribution =
  | { form: "bars"; bars: Bar[] }
  /** Where mean and deviation lie between the smallest and the largest value, from 0 to 1. */
  | { form: "range"; mean: number; low: number; high: number };

/** A few frequent values say something about a column only where they are most of it. */
const MOSTLY = 0.5;

/** The drawable distribution of a column: its frequent values, or its range. */
export function distribution(profile: ColumnProfile, rows: number): Distribution | null {
  const bars = topValues(profile, rows);
  const filled = 1 - profile.nullRatio;
  const covered = bars.reduce((sum, { share }) => sum + share, 0);
  const telling = profile.complete || (covered >= MOSTLY * filled && profile.top.some(([, times]) => times > 1));
  if (bars.length > 1 && telling) return { form: "bars", bars: profile.complete ? inOrder(bars) : bars };
  if (profile.mean === null || profile.min === null || profile.max === null) return null;
  const [min, max, mean] = [Number(profile.min), Number(profile.max), Number(profile.mean)];
  const width = max - min;
  if (!Number.isFinite(width) || width <= 0 || !(mean >= min && mean <= max)) return null;
  const at = (value: number) => Math.min(1, Math.max(0, (value - min) / width));
  const spread = profile.stddev ?? 0;
  return { form: "range", mean: at(mean), low: at(mean - spread), high: at(mean + spread) };
}

/** Numbers and days by value, other values by frequency, highest first. */
function inOrder(bars: Bar[]): Bar[] {
  if (bars.every(({ value }) => value.trim() !== "" && Number.isFinite(Number(value))))
    return [...bars].sort((a, b) => Number(a.value) - Number(b.value));
  if (bars.every(({ value }) => /^\d{4}-\d{2}(-\d{2})?$/.test(value)))
    return [...bars].sort((a, b) => (a.value < b.value ? -1 : 1));
  return bars;
}

/** "mean 12.5 ± 3.2": mean and standard deviation. */
function meanText({ mean, stddev }: ColumnProfile): string | null {
  if (mean === null) return null;
  const short = (value: number) => significant(value, 4);
  return stddev === null ? t`mean ${short(Number(mean))}` : t`mean ${short(Number(mean))} ± ${short(stddev)}`;
}

/** Returns the formatter of a column's values: amounts and points in time as everywhere, other values as stored. */
export function showIn({ name, kind, min, max }: ColumnProfile): ValueFormatter {
  if (kind === "metric") return showOf({ name, type: "decimal" });
  if (kind === "time") return showKnown({ name, type: "timestamp" }, () => [min, max]);
  return showExactly;
}

/** From the least value to the greatest; null where they are not known. */
export function rangeWords(profile: ColumnProfile): string | null {
  const { min, max } = profile;
  const show = showIn(profile);
  return min !== null && max !== null ? `${show(min)} – ${show(max)}` : null;
}

/**
 * Summarizes a column: its range, its frequent values with their shares of the rows, or some of its values. Behind
 * the values of a sample there may be others.
 */
export function valueWords(profile: ColumnProfile, rows: number, sampled = false): string {
  if (profile.kind === "empty") return sampled ? t`no values seen` : t`no values`;
  const { kind } = profile;
  const range = rangeWords(profile);
  if (range && kind === "metric") return [range, meanText(profile)].filter(Boolean).join(", ");
  if (range && kind === "time") return range;
  const show = showIn(profile);
  if (profile.top.length > 0 && (profile.complete || profile.kind === "dimension")) {
    const share = (times: number) => (rows > 0 ? ` ${percent(Math.min(1, times / rows))}` : "");
    const shown = profile.top.slice(0, 6).map(([value, times]) => `${shownValue(value, show)}${share(times)}`);
    return shown.join(", ") + (sampled || profile.distinct > shown.length ? ", …" : "");
  }
  const samples = profile.samples.slice(0, 4).map((value) => shownValue(value, show));
  return samples.join(", ") + (samples.length > 0 && (sampled || profile.distinct > samples.length) ? ", …" : "");
}

/** A value as a word among others. */
export function shownValue(value: string, show: ValueFormatter = showExactly): string {
  return value === "" ? t`(empty)` : show(value);
}
