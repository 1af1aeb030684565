import { describe, expect, it } from "vitest";
import { valueLabel } from "./answer";

describe("a lone value", () => {
  it.each([
    ["count_star()", "Count"],
    ["COUNT(*)", "Count"],
    ["count(DISTINCT city)", "Count of distinct city"],
    ["sum(o.net_amt)", "Sum of net_amt"],
    ['MAX("price")', "Highest price"],
    ["avg(a * b)", "avg(a * b)"],
    ["revenue", "revenue"],
    ["strftime(day)", "strftime(day)"],
  ])("named %s by the database is called %s", (column, label) => {
    expect(valueLabel(column)).toBe(label);
  });
});
