// The catalog for completion.

import type { Completion } from "@codemirror/autocomplete";
import type { SQLNamespace } from "@codemirror/lang-sql";
import type { Catalog, Dialect, Table, TableName } from "../../host/bindings";
import { quoteName } from "./quote";

export function completionSchema(catalog: Catalog | null, dialect: Dialect | null): SQLNamespace {
  const schema: Record<string, SQLNamespace> = {};
  const offered = (label: string, detail?: string): Completion => ({
    label,
    type: "type",
    detail,
    apply: quoteName(label, dialect),
  });
  for (const { name } of catalog?.tables ?? []) {
    const above = [name.catalog, name.schema].filter((part) => part !== null);
    above.forEach((part, i) => {
      // Levels are quoted here; the editor's own rule knows no reserved words.
      schema[keyOf(above.slice(0, i + 1))] ??= { self: offered(part), children: [] };
    });
  }
  for (const table of catalog?.tables ?? []) {
    schema[nameOf(table.name)] = {
      self: offered(table.name.name, table.kind),
      children: columnsOf(table, dialect),
    };
  }
  return schema;
}

/** Returns the tables whose names occur in a query. */
export function tablesNamedIn(sql: string, catalog: Catalog | null): Table[] {
  const text = sql.toLowerCase();
  const words = new Set(text.match(/[\p{L}\p{N}_$]+/gu));
  return (catalog?.tables ?? []).filter(({ name }) => {
    const table = name.name.toLowerCase();
    return /^[\p{L}\p{N}_$]+$/u.test(table) ? words.has(table) : text.includes(table);
  });
}

/** The names of all tables and columns, in small letters. */
export function namesOf(catalog: Catalog | null): Set<string> {
  const all = (catalog?.tables ?? []).flatMap(({ name, columns }) => [name.name, ...columns.map((c) => c.name)]);
  return new Set(all.map((name) => name.toLowerCase()));
}

export function columnsOf(table: Table, dialect: Dialect | null): Completion[] {
  return table.columns.map((column) => ({
    label: column.name,
    type: "property",
    detail: column.dataType.toLowerCase(),
    info: column.comment ?? undefined,
    apply: quoteName(column.name, dialect),
  }));
}

/** A table's name with its qualifiers; a dot inside a part is not a separator. */
export function nameOf(name: TableName): string {
  return keyOf([name.catalog, name.schema, name.name].filter((part) => part !== null));
}

const keyOf = (parts: string[]) => parts.map((part) => part.replaceAll(".", "\\.")).join(".");
