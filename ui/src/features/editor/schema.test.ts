import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { schemaCompletionSource } from "@codemirror/lang-sql";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../test/fake/data";
import type { Catalog, Dialect } from "../../host/bindings";
import { editorDialect } from "../../kit/sqlDialect";
import { completionSchema, nameOf } from "./schema";

/** The fake catalog with its first table and its first column called so. */
function named(table: { schema?: string | null; name: string }, column: string): Catalog {
  const catalog = structuredClone(CATALOG);
  const first = catalog.tables[0]!;
  first.name = { catalog: null, schema: null, ...table };
  first.columns[0]!.name = column;
  return { ...catalog, tables: [first] };
}

/** What the editor writes for each name that it offers after this text. */
function written(text: string, catalog: Catalog, dialect: Dialect): Record<string, string> {
  const lang = editorDialect(dialect);
  const state = EditorState.create({ doc: text, extensions: lang.extension });
  const source = schemaCompletionSource({ dialect: lang, schema: completionSchema(catalog, dialect) });
  const result = source(new CompletionContext(state, text.length, true)) as CompletionResult | null;
  return Object.fromEntries((result?.options ?? []).map((o) => [o.label, (o.apply as string) ?? o.label]));
}

describe("completion", () => {
  const schema = completionSchema(CATALOG, "duckdb") as Record<
    string,
    { self: { label: string }; children: { label: string; apply: string }[] }
  >;
  it("offers tables with their columns", () => {
    expect(Object.keys(schema)).toContain("order_items");
    expect(schema.orders!.children.map((c) => c.label)).toContain("order_dt");
  });
  it("quotes names the way the database does", () => {
    const catalog = named({ name: "order lines" }, 'unit "price"');
    expect(written("SELECT * FROM ", catalog, "sqlite")).toEqual({ "order lines": '"order lines"' });
    expect(written("SELECT * FROM ", catalog, "mysql")).toEqual({ "order lines": "`order lines`" });
    expect(written("SELECT t.", named({ name: "t" }, "CustomerId"), "postgres").CustomerId).toBe('"CustomerId"');
    expect(written("SELECT t.", named({ name: "t" }, "order date"), "bigquery")["order date"]).toBe("`order date`");
    expect(written("SELECT t.", named({ name: "t" }, 'unit "price"'), "duckdb")['unit "price"']).toBe(
      '"unit ""price"""',
    );
  });
  it("quotes reserved words, and schemas as tables", () => {
    const catalog = named({ schema: "group", name: "order" }, "total");
    expect(written("SELECT * FROM ", catalog, "databricks")).toEqual({ group: "`group`" });
    expect(written("SELECT * FROM `group`.", catalog, "databricks")).toEqual({ order: "`order`" });
    expect(written("SELECT * FROM ", named({ schema: "sales", name: "t" }, "a"), "snowflake").sales).toBe('"sales"');
  });
  it("does not take a dot in a name for a separator", () => {
    expect(nameOf({ catalog: null, schema: "main", name: "a.b" })).toBe("main.a\\.b");
    expect(written("SELECT * FROM main.", named({ schema: "main", name: "a.b" }, "c"), "duckdb")).toEqual({
      "a.b": '"a.b"',
    });
  });
});
