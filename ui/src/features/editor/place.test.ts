import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { placeInCode, placeInSql } from "./place";

/** What Rust says in this language, with these values. */
function told(lang: string, text: string, values: Record<string, string | number>): string {
  const catalog = readFileSync(resolve(import.meta.dirname, `../../../locales/program/${lang}.po`), "utf8");
  const said = catalog.split(`msgid "${text}"\nmsgstr "`)[1]!.split('"\n')[0]!;
  return said.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

describe("the place of an error in a query", () => {
  it("is where the program says it, in each language", () => {
    expect(placeInSql("syntax error at line 3, column 14: x", "\n\na\nb", "sqlite")).toEqual({ line: 3, column: 14 });
    expect(placeInSql("syntax error at Line: 3, Column: 14", "", null)).toEqual({ line: 3, column: 14 });
    for (const lang of ["de", "fr"]) {
      const message = told(lang, "syntax error at line {line}, column {column}: {message}", {
        line: 3,
        column: 14,
        message: "x",
      });
      expect(placeInSql(message, "", "duckdb")).toEqual({ line: 3, column: 14 });
    }
  });
  it("is found by PostgreSQL's character", () => {
    const message = 'column "nam" does not exist. Perhaps you meant t.name (at character 14)';
    expect(placeInSql(message, "SELECT name,\nnam FROM t", "postgres")).toEqual({ line: 2, column: 1 });
    // Text before the statement is not sent to the database.
    expect(placeInSql(message, "\n ;\n  SELECT name, nam", "postgres")).toEqual({ line: 3, column: 16 });
    expect(placeInSql("syntax error (at character 12)", "SELECT '😀😀', nam", "postgres")).toEqual({
      line: 1,
      column: 14,
    });
    expect(placeInSql("syntax error at end of input (at character 7)", "SELECT", "postgres")).toEqual({
      line: 1,
      column: 7,
    });
    expect(placeInSql("syntax error (at character 99)", "SELECT", "postgres")).toBeNull();
    expect(placeInSql("invalid input syntax for type json, line 1", "SELECT 1", "postgres")).toBeNull();
  });
  it("is found by SQLite's byte", () => {
    const message = "no such column: nam (at character 15)";
    expect(placeInSql(message, "SELECT 'ü',\n  nam FROM t", "sqlite")).toEqual({ line: 2, column: 2 });
    expect(placeInSql("no such column: nam (at character 16)", "SELECT 'ü',\n  nam", "sqlite")).toEqual({
      line: 2,
      column: 3,
    });
  });
  it("is found in the words of the others", () => {
    expect(placeInSql("Unrecognized name: nam at [3:14]", "", "bigquery")).toEqual({ line: 3, column: 14 });
    expect(placeInSql("right syntax to use near 'FORM t' at line 2", "", "mysql")).toEqual({ line: 2, column: null });
    expect(placeInSql("[X] It is not there. SQLSTATE: 42703; line 1 pos 7;", "", "databricks")).toEqual({
      line: 1,
      column: 8,
    });
    expect(placeInSql("error line 1 at position 7\ninvalid identifier 'NAM'", "", "snowflake")).toEqual({
      line: 1,
      column: 8,
    });
    expect(placeInSql("Syntax error: failed at position 8 ('FORM') (line 1, col 8)", "", "clickhouse")).toEqual({
      line: 1,
      column: 8,
    });
    const binder = 'Binder Error: "nam" not found\n\nLINE 2: FROM t, nam\n                ^';
    expect(placeInSql(binder, "SELECT 1\nFROM t, nam", "duckdb")).toEqual({ line: 2, column: 9 });
    expect(placeInSql("LINE 2: ...a part of it\n          ^", "SELECT 1\nFROM a part of it", "duckdb")).toEqual({
      line: 2,
      column: null,
    });
    expect(placeInSql("no such table", "SELECT 1", "duckdb")).toBeNull();
    expect(placeInSql("a baseline 3 below", "SELECT 1", "duckdb")).toBeNull();
  });
});

it("finds the line of an error in code, in each language", () => {
  expect(placeInCode("line 3: NameError: name 'x' is not defined")).toEqual({ line: 3, column: null });
  for (const lang of ["de", "fr"]) {
    const message = told(lang, "line {line}: {said}", { line: 3, said: "NameError" });
    expect(placeInCode(message)).toEqual({ line: 3, column: null });
  }
  expect(placeInCode("NameError")).toBeNull();
});
