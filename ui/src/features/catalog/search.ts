import { tableLabel } from "../../domain/catalogNames";
import type { Catalog, Column, Profile, Table, TableName, TableProfile } from "../../host/bindings";

export { tableLabel };

export interface SearchMatch {
  table: Table;
  /** Columns whose name matches; empty when the table's own name does. */
  columns: string[];
}

interface Entry {
  found: SearchMatch;
  /** Name and comment in lower case. */
  own: string;
  /** The same of all columns, a line each. */
  columns: string;
}

/** Names as people sort them: without regard to case, and 2 before 10. */
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** What is searched, in lower case and by name, made once for each catalog: tens of thousands of tables have a million columns. */
const indexes = new WeakMap<Catalog, Entry[]>();

function indexOf(catalog: Catalog): Entry[] {
  const known = indexes.get(catalog);
  if (known) return known;
  const index = catalog.tables
    .map((table) => ({ table, label: tableLabel(table.name) }))
    .sort((a, b) => byName.compare(a.label, b.label))
    .map(({ table, label }) => ({
      found: { table, columns: [] },
      own: `${label} ${table.comment ?? ""}`.toLowerCase(),
      columns: table.columns.map(searchIndexOf).join("\n"),
    }));
  indexes.set(catalog, index);
  return index;
}

const searchIndexOf = ({ name, comment }: Column) => `${name} ${comment ?? ""}`.toLowerCase().replaceAll("\n", " ");

/** Tables whose name, comment or columns contain every word that was typed, by name. */
export function searchTables(catalog: Catalog, typed: string): SearchMatch[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const index = indexOf(catalog);
  if (words.length === 0) return index.map(({ found }) => found);
  const all: SearchMatch[] = [];
  for (const { found, own, columns } of index) {
    const left = words.filter((w) => !own.includes(w));
    if (left.length === 0) {
      all.push(found);
      continue;
    }
    if (!left.every((w) => columns.includes(w))) continue;
    const { table } = found;
    const lines = columns.split("\n");
    const hits = table.columns.filter((_, i) => left.every((w) => lines[i]!.includes(w)));
    if (hits.length > 0) all.push({ table, columns: hits.map((c) => c.name) });
  }
  return all;
}

const profiles = new WeakMap<Profile, Map<string, TableProfile>>();

/** A name as the key of a map: no two tables have one. */
const keyOf = ({ catalog, schema, name }: TableName) => JSON.stringify([catalog, schema, name]);

export function tableProfile(profile: Profile | null, name: TableName): TableProfile | null {
  if (!profile) return null;
  let known = profiles.get(profile);
  if (!known) {
    known = new Map(profile.tables.map((t) => [keyOf(t.table), t]));
    profiles.set(profile, known);
  }
  return known.get(keyOf(name)) ?? null;
}
