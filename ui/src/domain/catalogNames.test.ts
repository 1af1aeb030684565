import { expect, it } from "vitest";
import { CATALOG } from "../../test/fake/data";
import { findNames, prepareNames } from "./catalogNames";

const names = (typed: string, most = 4) => findNames(CATALOG, typed, most).map((found) => found.name);

it("finds tables and columns by their beginning, a word in them, a part, and letters in order", () => {
  expect(names("ord")[0]).toBe("orders");
  expect(names("items")[0]).toBe("order_items");
  expect(names("RDER")).toContain("orders");
  expect(names("odt")).toContain("order_dt");
  expect(names("zzz")).toEqual([]);
  expect(names("", 3)).toEqual(CATALOG.tables.slice(0, 3).map((table) => table.name.name));
});

it("names a column once, with how many more tables have it", () => {
  const [customer] = findNames(CATALOG, "cust_id", 1);
  const having = CATALOG.tables.filter((table) => table.columns.some((column) => column.name === "cust_id")).length;
  expect(having).toBeGreaterThan(1);
  expect(customer).toMatchObject({ name: "cust_id", kind: "column", more: having - 1 });
});

it("finds a name in the largest catalog that is here, and does so while somebody types", () => {
  const first = CATALOG.tables[0]!;
  const column = first.columns[0]!;
  const tables = Array.from({ length: 1_000 }, (_, n) => ({
    ...first,
    name: { ...first.name, name: `table_${n}` },
    columns: Array.from({ length: 20 }, (_, c) => ({ ...column, name: `amount_${n}_${c}` })),
  }));
  const large = { ...CATALOG, tables };
  prepareNames(large);
  const took = ["t", "a", "table_499", "tb499", "nothing"].map((typed) => {
    const began = performance.now();
    findNames(large, typed, 12);
    return performance.now() - began;
  });
  expect(findNames(large, "table_499", 12).map((found) => found.name)).toEqual(["table_499"]);
  // The median: another program on the machine may take a moment of one of them.
  expect(took.sort((a, b) => a - b)[2]).toBeLessThan(100);
});
