import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { sqlLanguage } from "./language";
import { partAt, partsOf } from "./parts";

const written = (doc: string, dialect: "duckdb" | "mysql" = "duckdb") =>
  EditorState.create({ doc, extensions: sqlLanguage(dialect, null, null) });
const names = (doc: string) => partsOf(written(doc)).map((part) => part.name);

describe("the parts of a query", () => {
  it("are those that WITH names, each with what comes before it", () => {
    const doc =
      '-- Why\nWITH a AS (SELECT \')\' AS x), "b c"(y) AS NOT MATERIALIZED (SELECT x FROM a)\nSELECT * FROM "b c"';
    const [a, b] = partsOf(written(doc));
    expect(a!.sql).toBe("-- Why\nWITH a AS (SELECT ')' AS x)\nSELECT * FROM a");
    expect(b!.name).toBe("b c");
    expect(b!.sql).toBe(`${doc.slice(0, doc.lastIndexOf("\nSELECT"))}\nSELECT * FROM "b c"`);
  });
  it("are read over comments, RECURSIVE and quotes of the dialect", () => {
    expect(names("WITH RECURSIVE n(i) AS ( -- first\nSELECT 1), /* two */ m AS (SELECT 2) SELECT 3")).toEqual([
      "n",
      "m",
    ]);
    expect(partsOf(written("WITH `ä b` AS (SELECT 1) SELECT 2", "mysql")).map((part) => part.name)).toEqual(["ä b"]);
  });
  it("end with what is not written to its end, and are none without WITH", () => {
    expect(names("WITH a AS (SELECT 1), b AS SELECT 2")).toEqual(["a"]);
    expect(names("SELECT * FROM (SELECT 1) a")).toEqual([]);
    expect(names("")).toEqual([]);
  });
  it("are found by the caret, also inside a query within", () => {
    const state = written("WITH a AS (SELECT 1), b AS (WITH c AS (SELECT 2) SELECT * FROM c) SELECT 3");
    expect(partAt(state, 15)?.name).toBe("a");
    expect(partAt(state, 42)?.name).toBe("b");
    expect(partAt(state, state.doc.length)).toBeNull();
  });
});
