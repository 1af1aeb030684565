import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../test/fake/data";
import { completionSchema, nameOf, placeIn } from "./schema";

describe("completion", () => {
  const schema = completionSchema(CATALOG) as Record<
    string,
    { self: { label: string }; children: { label: string; apply: string }[] }
  >;
  it("offers tables with their columns", () => {
    expect(Object.keys(schema)).toContain("order_items");
    expect(schema.orders!.children.map((c) => c.label)).toContain("order_dt");
  });
  it("quotes names that need it", () => {
    const odd = structuredClone(CATALOG);
    odd.tables[0]!.columns[0]!.name = 'unit "price"';
    const made = completionSchema(odd) as typeof schema;
    expect(made.orders!.children[0]!.apply).toBe('"unit ""price"""');
  });
  it("does not take a dot in a name for a separator", () => {
    expect(nameOf({ catalog: null, schema: "main", name: "a.b" })).toBe("main.a\\.b");
  });
});

it("finds the place in an error", () => {
  expect(placeIn("syntax error at Line: 3, Column: 14")).toEqual({ line: 3, column: 14 });
  expect(placeIn("Line 2: no such column")).toEqual({ line: 2, column: null });
  expect(placeIn("no such table")).toBeNull();
});
