import { CompletionContext, type CompletionResult, type CompletionSource } from "@codemirror/autocomplete";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../test/fake/data";
import type { Catalog, Dialect } from "../../host/bindings";
import { sqlLanguage } from "./language";

/** A table of users, with columns that have names of the language. */
function users(...columns: string[]): Catalog {
  const table = structuredClone(CATALOG.tables[0]!);
  table.name = { catalog: null, schema: null, name: "users" };
  table.columns = columns.map((name) => ({ ...table.columns[0]!, name }));
  return { ...CATALOG, tables: [table] };
}

/** What is written for each thing that is offered at the mark in a query, if it begins with what is typed there. */
async function offered(marked: string, catalog: Catalog, dialect: Dialect): Promise<string[]> {
  const at = marked.indexOf("|");
  const typed = /\w*$/.exec(marked.slice(0, at))![0].toLowerCase();
  const begun = EditorState.create({ doc: marked.replace("|", ""), extensions: sqlLanguage(dialect, catalog, null) });
  // However slow the machine is, the query is parsed.
  ensureSyntaxTree(begun, begun.doc.length, 10_000);
  const { state } = begun.update({});
  const found: string[] = [];
  for (const source of state.languageDataAt<CompletionSource>("autocomplete", at)) {
    const result = (await source(new CompletionContext(state, at, false))) as CompletionResult | null;
    for (const { label, apply } of result?.options ?? [])
      if (label.toLowerCase().startsWith(typed)) found.push((apply as string | undefined) ?? label);
  }
  return found;
}

const DIALECTS: Dialect[] = [
  "sqlite",
  "duckdb",
  "postgres",
  "mysql",
  "bigquery",
  "databricks",
  "clickhouse",
  "snowflake",
];

describe("completion of a query", () => {
  it.each(DIALECTS)("writes a column that is called like a word of the language as %s reads it", async (dialect) => {
    const catalog = users("password", "ordinality");
    const [password, ordinality] =
      dialect === "snowflake" ? ['"password"', '"ordinality"'] : ["password", "ordinality"];
    expect(await offered("SELECT u.pass| FROM users u", catalog, dialect)).toContain(password);
    expect(await offered("SELECT u.ordinal| FROM users u", catalog, dialect)).toEqual([ordinality]);
    expect(await offered("SELECT u.passwor| FROM users u", catalog, dialect)).toEqual([password]);
    expect(await offered("SELECT passwor| FROM users u", catalog, dialect)).toEqual([password]);
    expect(await offered("SELECT ordinal| FROM users u", catalog, dialect)).toEqual([ordinality]);
  });

  it("offers a reserved word and the column that is called so", async () => {
    const found = await offered("SELECT 1 FROM users WHERE id = 1 orde|", users("order", "id"), "duckdb");
    expect(found).toContain('"order"');
    expect(found).toContain("ORDER");
  });

  it("offers columns of the tables that the query names, and no others", async () => {
    const catalog = users("email", "id");
    expect(await offered("SELECT emai| FROM users", catalog, "postgres")).toEqual(["email"]);
    expect(await offered("SELECT emai| FROM orders", catalog, "postgres")).toEqual([]);
    expect(await offered("SELECT 1 FROM emai| -- users", catalog, "postgres")).toEqual([]);
    expect(await offered("SELECT 'emai|' FROM users", catalog, "postgres")).toEqual([]);
    expect(await offered("SELECT use| FROM users", catalog, "duckdb")).toContain("users");
  });
});
