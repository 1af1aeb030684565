// What a policy means, as the host reads it, and what it is in words.

import type { EgressLevel, EgressPolicy, PersonalColumn, PersonalKind } from "../../host/bindings";
import { plural } from "../../kit/format";

/** All levels, least first, with what each adds. */
export const LEVELS: { level: EgressLevel; title: string; adds: string }[] = [
  {
    level: "names",
    title: "Names",
    adds: "Names and types of tables and columns, keys, and how many rows a query gave.",
  },
  { level: "comments", title: "Comments", adds: "Also what the owner wrote: comments and definitions of views." },
  {
    level: "profile",
    title: "Statistics",
    adds: "Also numbers about columns: rows, NULLs, distinct values, mean. No value itself.",
  },
  {
    level: "samples",
    title: "Sample values",
    adds: "Also stored values: examples, ranges, and those that resemble words of the question.",
  },
  {
    level: "results",
    title: "Results",
    adds: "Also rows that queries gave, and errors of the database as they are.",
  },
];

export const KINDS: Record<PersonalKind, string> = {
  email: "E-mail address",
  phone: "Telephone number",
  bankAccount: "Bank account",
  paymentCard: "Payment card",
  personName: "Name of a person",
  birthDate: "Date of birth",
  address: "Postal address",
  nationalId: "National number",
  chosen: "Chosen by you",
};

type ColumnName = Pick<PersonalColumn, "table" | "column">;

export function columnName({ table, column }: ColumnName): string {
  return `${table}.${column}`;
}

/** Whether a policy's entry means this column: upper and lower case are alike, and schemas may be left out. */
export function means(entry: string, { table, column }: ColumnName): boolean {
  const listed = entry.toLowerCase();
  const bare = table.slice(table.lastIndexOf(".") + 1);
  return [table, bare].some((of) => listed === `${of}.${column}`.toLowerCase());
}

/** Whether a column is masked. */
export function isMasked(policy: EgressPolicy, column: PersonalColumn): boolean {
  const listed = (entries: string[]) => entries.some((entry) => means(entry, column));
  return listed(policy.masked) || (column.kind !== "chosen" && policy.maskPersonal && !listed(policy.allowed));
}

/** The policy with this column masked, or not. */
export function withColumn(policy: EgressPolicy, column: PersonalColumn, masked: boolean): EgressPolicy {
  const others = (entries: string[]) => entries.filter((entry) => !means(entry, column));
  const plain = { ...policy, allowed: others(policy.allowed), masked: others(policy.masked) };
  if (isMasked(plain, column) === masked) return plain;
  const name = columnName(column);
  return masked ? { ...plain, masked: [...plain.masked, name] } : { ...plain, allowed: [...plain.allowed, name] };
}

/** Whether stored values may be sent. */
export function tellsValues(level: EgressLevel): boolean {
  return level === "samples" || level === "results";
}

const TOLD: Record<EgressLevel, string> = {
  names: "names",
  comments: "names and comments",
  profile: "names, comments and statistics",
  samples: "names, comments, statistics and sample values",
  results: "names, comments, statistics, sample values and rows of results",
};

/** Names by themselves where they are few. */
function named(columns: string[]): string {
  if (columns.length > 3) return plural(columns.length, "column");
  return columns.length < 2
    ? (columns[0] ?? "")
    : `${columns.slice(0, -1).join(", ")} and ${columns[columns.length - 1]}`;
}

/** Which columns are masked, in a sentence. */
function maskedInWords({ maskPersonal, allowed, masked }: EgressPolicy): string {
  if (!maskPersonal) return masked.length > 0 ? `Masked: ${named(masked)}.` : "No column masked.";
  const except = allowed.length > 0 ? ` (except ${named(allowed)})` : "";
  const also = masked.length > 0 ? ` and ${named(masked)}` : "";
  return `Personal columns${except}${also} masked.`;
}

/** What a policy allows, in two sentences. */
export function toldAtMost(policy: EgressPolicy): string {
  return `Told at most: ${TOLD[policy.level]}. ${maskedInWords(policy)}`;
}
