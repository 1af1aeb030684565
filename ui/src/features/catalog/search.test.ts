import { expect, it } from "vitest";
import { CATALOG, PROFILE } from "../../../test/fake/data";
import { searchTables, tableProfile } from "./search";

const names = (typed: string) => searchTables(CATALOG, typed).map((f) => f.table.name.name);

it("finds tables by name, comment and column", () => {
  expect(names("")).toHaveLength(15);
  expect(names("ORDERS")).toEqual(["orders"]);
  expect(names("ever sold")).toEqual(["products"]);
  expect(searchTables(CATALOG, "discount")[0]).toMatchObject({ columns: ["disc_pct"] });
  expect(names("orders shipped")).toEqual([]);
  expect(searchTables(CATALOG, "one row channel")[0]).toMatchObject({ columns: [] });
  expect(searchTables(CATALOG, "orders chan_cd")[0]).toMatchObject({ columns: ["chan_cd"] });
  expect(names("nothing like this")).toEqual([]);
});

it("lists tables by name, without regard to case and with numbers in their order", () => {
  const named = (...all: string[]) => ({
    ...CATALOG,
    tables: all.map((name) => ({ ...CATALOG.tables[0]!, name: { catalog: null, schema: null, name } })),
  });
  const found = searchTables(named("b", "sales_10", "A", "sales_2"), "");
  expect(found.map(({ table }) => table.name.name)).toEqual(["A", "b", "sales_2", "sales_10"]);
});

it("does not join the words of two columns", () => {
  expect(names("chan_cd qty")).toEqual([]);
});

it("tells tables of two schemas apart", () => {
  expect(tableProfile(PROFILE, { catalog: null, schema: null, name: "orders" })?.rowCount).toBe(61204);
  expect(tableProfile(PROFILE, { catalog: null, schema: "other", name: "orders" })).toBeNull();
});
