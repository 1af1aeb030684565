// Keys of a column, and the definitions that name it.

import type {
  Column,
  Definition,
  Definitions,
  ForeignKey,
  InferredKeyRow,
  Table,
  TableName,
} from "../../host/bindings";
import { tableLabel } from "./search";

export interface KeySign {
  /** The table that it refers to; none for a primary key. */
  target: TableName | null;
  /** Why it is thought to be a key; none where the database declares it. */
  evidence: string | null;
}

const sameKey = (a: string[], b: string[]) => a.length === b.length && a.every((name, i) => name === b[i]);

/** The inferred key that a foreign key of the catalog is; `null` where the database declares it. */
export function inferredAs(key: ForeignKey, inferred: InferredKeyRow[]): InferredKeyRow | null {
  const label = tableLabel(key.refTable);
  const fits = ({ key: { columns, references }, decision }: InferredKeyRow) =>
    decision !== "struck" && references && sameKey(columns, key.columns) && tableLabel(references.table) === label;
  return inferred.find(fits) ?? null;
}

/** The keys of a table that a column is part of. `inferred` are those of this table. */
export function keySigns(table: Table, column: Column, inferred: InferredKeyRow[]): KeySign[] {
  const signs: KeySign[] = [];
  if (table.primaryKey.includes(column.name)) {
    const found = inferred.find(
      (row) => !row.key.references && row.decision !== "struck" && sameKey(row.key.columns, table.primaryKey),
    );
    signs.push({ target: null, evidence: found?.key.reason ?? null });
  }
  for (const key of table.foreignKeys) {
    if (!key.columns.includes(column.name)) continue;
    signs.push({ target: key.refTable, evidence: inferredAs(key, inferred)?.key.reason ?? null });
  }
  return signs;
}

/** Definitions about a column, or about the table itself without one: by what they describe, or by their condition. */
export function definitionsOf(known: Definitions | null, table: Table, column: string | null): Definition[] {
  if (!known) return [];
  const labels = [tableLabel(table.name), table.name.name].map((label) => label.toLowerCase());
  const subjects = column === null ? labels : labels.map((label) => `${label}.${column.toLowerCase()}`);
  const spoken =
    column === null ? null : new RegExp(`(?<![\\p{L}\\p{N}_])${escapeName(column)}(?![\\p{L}\\p{N}_])`, "iu");
  return known.entries.filter(({ subject, condition }) => {
    if (subject !== null) return subjects.includes(subject.toLowerCase());
    return spoken !== null && condition !== null && spoken.test(condition);
  });
}

function escapeName(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
