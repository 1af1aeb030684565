import { expect, it } from "vitest";
import { CATALOG, PROFILE } from "../../../test/fake/data";
import { columnValues, searchTables, tableProfile } from "./search";

const names = (typed: string) => searchTables(CATALOG, typed).map((f) => f.table.name.name);

it("finds tables by name, comment and column", () => {
  expect(names("")).toHaveLength(15);
  expect(names("ORDERS")).toEqual(["orders"]);
  expect(names("ever sold")).toEqual(["products"]);
  expect(searchTables(CATALOG, "discount")[0]).toMatchObject({ columns: ["disc_pct"] });
  expect(names("nothing like this")).toEqual([]);
});

it("says what a column holds", () => {
  const orders = tableProfile(PROFILE, { catalog: null, schema: null, name: "orders" })!;
  const values = (name: string) => columnValues(orders.columns.find((c) => c.name === name)!);
  expect(values("order_dt")).toBe("03/01/2023 – 31/12/2025");
  expect(values("chan_cd")).toBe("WEB, STR, APP");
  expect(values("order_id")).toBe("1, 2, 3, 4, …");
  const amount = { ...orders.columns[0]!, kind: "metric" as const, min: "1.50", max: "90", mean: "12.34567" };
  expect(columnValues({ ...amount, stddev: 4.56789 })).toBe("1.50 – 90, mean 12.35 ± 4.568");
  expect(columnValues({ ...amount, stddev: null })).toBe("1.50 – 90, mean 12.35");
});

it("tells tables of two schemas apart", () => {
  expect(tableProfile(PROFILE, { catalog: null, schema: "other", name: "orders" })).toBeNull();
});
