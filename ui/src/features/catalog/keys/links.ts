// Tables and the keys between them. Everything takes time in proportion to tables and keys.

import type { Catalog, CatalogPart, InferredKeyRow, Table } from "../../../host/bindings";
import { inferredAs } from "../columnKeys";
import { tableLabel } from "../search";

/** A foreign key. */
export interface Link {
  id: string;
  from: string;
  columns: string[];
  to: string;
  refColumns: string[];
  /** Why it is thought to be a key; `null` where the database declares it. */
  evidence: string | null;
}

export interface Links {
  tables: Map<string, Table>;
  /** The keys of a table, in both directions. */
  of: Map<string, Link[]>;
  /** Number of keys of a table, if it has more than those to loaded tables. */
  counts?: Map<string, number>;
}

/** The same of a few tables of a large catalog; one table alone until they are here. */
export function linksOfPart(part: CatalogPart | null, table: Table): Links {
  const here = part?.tables[0] && tableLabel(part.tables[0].name) === tableLabel(table.name) ? part : null;
  if (!here) return linksOf({ tables: [table] }, []);
  const counts = new Map(here.tables.map(({ name }, at) => [tableLabel(name), here.keys[at] ?? 0]));
  return { ...linksOf(here, here.inferred), counts };
}

export function linksOf(catalog: Pick<Catalog, "tables">, inferred: InferredKeyRow[]): Links {
  const tables = new Map(catalog.tables.map((table) => [tableLabel(table.name), table]));
  const rows = new Map<string, InferredKeyRow[]>();
  for (const row of inferred) addLink(rows, tableLabel(row.key.table), row);
  const of = new Map<string, Link[]>();
  for (const [from, table] of tables) {
    for (const key of table.foreignKeys) {
      const to = tableLabel(key.refTable);
      if (!tables.has(to)) continue;
      const evidence = inferredAs(key, rows.get(from) ?? [])?.key.reason ?? null;
      const id = `${from}(${key.columns.join(", ")}) > ${to}`;
      const link = { id, from, columns: key.columns, to, refColumns: key.refColumns, evidence };
      addLink(of, from, link);
      if (to !== from) addLink(of, to, link);
    }
  }
  return { tables, of };
}

function addLink<T>(map: Map<string, T[]>, key: string, value: T) {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Returns the tables within a number of keys, nearest first, and the number of tables left out. */
export function tablesAround(
  { of }: Links,
  start: string,
  steps: number,
  most: number,
): { labels: string[]; left: number } {
  const seen = new Set([start]);
  let last = [start];
  for (let step = 0; step < steps && last.length > 0; step++) {
    const next: string[] = [];
    for (const label of last) {
      for (const { from, to } of of.get(label) ?? []) {
        const other = from === label ? to : from;
        if (seen.has(other)) continue;
        seen.add(other);
        next.push(other);
      }
    }
    last = next;
  }
  const labels = [...seen];
  return { labels: labels.slice(0, most), left: Math.max(0, labels.length - most) };
}

/** Returns the tables of a table's schema, tables linked by keys first. */
export function schemaOf(links: Links, start: string, most: number): { labels: string[]; left: number } {
  const own = links.tables.get(start)!.name;
  const near = tablesAround(links, start, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).labels;
  const labels = new Set(near.filter((label) => inSchema(links, label, own)));
  const others = [...links.tables.keys()].filter((label) => !labels.has(label) && inSchema(links, label, own));
  // Of the rest, tables with keys come first.
  const tied = (label: string) => Number((links.of.get(label)?.length ?? 0) === 0);
  for (const label of others.filter((l) => tied(l) === 0)) labels.add(label);
  for (const label of others.filter((l) => tied(l) === 1)) labels.add(label);
  const all = [...labels];
  return { labels: all.slice(0, most), left: Math.max(0, all.length - most) };
}

function inSchema(links: Links, label: string, own: Table["name"]): boolean {
  const name = links.tables.get(label)!.name;
  return name.schema === own.schema && name.catalog === own.catalog;
}

/** The keys between these tables, each once. */
export function linksBetween(links: Links, labels: string[]): Link[] {
  const shown = new Set(labels);
  return labels.flatMap((label) =>
    (links.of.get(label) ?? []).filter(({ from, to }) => from === label && shown.has(to)),
  );
}
