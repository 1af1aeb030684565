// The meaning of a policy, as the host reads it, and its text.

import { plural, t } from "@lingui/core/macro";
import { SENT } from "../../domain/sentLevels";
import type { EgressLevel, EgressPolicy, PersonalColumn, PersonalKind } from "../../host/bindings";
import { listText } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";

/** All levels, least first, with what each adds. */
export const LEVELS: { level: EgressLevel; title: string; adds: string }[] = [
  {
    level: "names",
    get title() {
      return t`Names`;
    },
    get adds() {
      return t`Names and types of tables and columns, keys, and row counts of query results.`;
    },
  },
  {
    level: "comments",
    get title() {
      return t`Comments`;
    },
    get adds() {
      return t`Also comments and view definitions.`;
    },
  },
  {
    level: "profile",
    get title() {
      return t`Statistics`;
    },
    get adds() {
      return t`Also column statistics: rows, NULLs, distinct values, mean. No values.`;
    },
  },
  {
    level: "samples",
    get title() {
      return t`Sample values`;
    },
    get adds() {
      return t`Also stored values: examples, ranges, and values that resemble words in the question.`;
    },
  },
  {
    level: "results",
    get title() {
      return t`Results`;
    },
    get adds() {
      return t`Also rows returned by queries, and database errors in full.`;
    },
  },
];

export const KINDS: Record<PersonalKind, string> = lazyRecord({
  email: () => t`E-mail address`,
  phone: () => t`Telephone number`,
  bankAccount: () => t`Bank account`,
  paymentCard: () => t`Payment card`,
  personName: () => t`Name of a person`,
  birthDate: () => t`Date of birth`,
  address: () => t`Postal address`,
  nationalId: () => t`National number`,
  secret: () => t`Password or key`,
  chosen: () => t`Chosen by you`,
});

type ColumnName = Pick<PersonalColumn, "table" | "column">;

export function columnName({ table, column }: ColumnName): string {
  return `${table}.${column}`;
}

/** Returns whether a policy's entry means this column: upper and lower case are alike, and schemas may be left out. */
export function matchesColumn(entry: string, { table, column }: ColumnName): boolean {
  const listed = entry.toLowerCase();
  const bare = table.slice(table.lastIndexOf(".") + 1);
  return [table, bare].some((of) => listed === `${of}.${column}`.toLowerCase());
}

/** Returns whether a column is masked. */
export function isMasked(policy: EgressPolicy, column: PersonalColumn): boolean {
  const listed = (entries: string[]) => entries.some((entry) => matchesColumn(entry, column));
  return listed(policy.masked) || (column.kind !== "chosen" && policy.maskPersonal && !listed(policy.allowed));
}

/** The policy with this column masked, or not. */
export function withColumn(policy: EgressPolicy, column: PersonalColumn, masked: boolean): EgressPolicy {
  const others = (entries: string[]) => entries.filter((entry) => !matchesColumn(entry, column));
  const plain = { ...policy, allowed: others(policy.allowed), masked: others(policy.masked) };
  if (isMasked(plain, column) === masked) return plain;
  const name = columnName(column);
  return masked ? { ...plain, masked: [...plain.masked, name] } : { ...plain, allowed: [...plain.allowed, name] };
}

/** Returns whether stored values may be sent. */
export function tellsValues(level: EgressLevel): boolean {
  return level === "samples" || level === "results";
}

/** The chosen level, in a sentence. */
export function chosenLevel(level: EgressLevel): string {
  return t`Allowed to send: ${SENT[level]}.`;
}

/** Names by themselves where they are few. */
function listNames(columns: string[]): string {
  return columns.length > 3 ? plural(columns.length, { one: "# column", other: "# columns" }) : listText(columns);
}

/** Which columns are masked, in a sentence. */
function maskedInWords({ maskPersonal, allowed, masked }: EgressPolicy): string {
  const also = listNames(masked);
  if (!maskPersonal) return masked.length > 0 ? t`Masked: ${also}.` : t`No columns masked.`;
  const except = listNames(allowed);
  if (allowed.length === 0)
    return masked.length > 0 ? t`Personal columns and ${also} masked.` : t`Personal columns masked.`;
  return masked.length > 0
    ? t`Personal columns (except ${except}) and ${also} masked.`
    : t`Personal columns (except ${except}) masked.`;
}

/** Summarizes a policy in two sentences. */
export function policySummary(policy: EgressPolicy): string {
  return `${chosenLevel(policy.level)} ${maskedInWords(policy)}`;
}
