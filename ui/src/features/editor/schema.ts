// The catalog for completion.

import type { Completion } from "@codemirror/autocomplete";
import type { SQLNamespace } from "@codemirror/lang-sql";
import type { Catalog, Table, TableName } from "../../host/bindings";

/** Reserved enough, or odd enough, to need quotes when completed. */
const PLAIN = /^[a-z_][a-z0-9_$]*$/i;

export function completionSchema(catalog: Catalog | null): SQLNamespace {
  const schema: Record<string, SQLNamespace> = {};
  for (const table of catalog?.tables ?? []) {
    schema[nameOf(table.name).replaceAll("\\", "\\\\")] = {
      self: { label: table.name.name, type: "type", detail: table.kind, apply: quoted(table.name.name) },
      children: columnsOf(table),
    };
  }
  return schema;
}

function columnsOf(table: Table): Completion[] {
  return table.columns.map((column) => ({
    label: column.name,
    type: "property",
    detail: column.dataType.toLowerCase(),
    info: column.comment ?? undefined,
    apply: quoted(column.name),
  }));
}

export function quoted(name: string): string {
  return PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A table's name with its qualifiers; a dot inside a part is not a separator. */
export function nameOf(name: TableName): string {
  return [name.catalog, name.schema, name.name]
    .filter((part): part is string => part !== null)
    .map((part) => part.replaceAll(".", "\\."))
    .join(".");
}

/** "line 3, column 14" in a message, as 1-based numbers. */
export function placeIn(message: string): { line: number; column: number | null } | null {
  const match = /line:?\s*(\d+)(?:\D{1,12}?col(?:umn)?:?\s*(\d+))?/i.exec(message);
  if (!match) return null;
  return { line: Number(match[1]), column: match[2] ? Number(match[2]) : null };
}
