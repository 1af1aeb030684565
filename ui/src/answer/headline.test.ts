import { describe, expect, it } from "vitest";
import { glance } from "../../test/fake/answers";
import { page } from "../../test/fake/writer";
import { headerNames, headlineText, loadedCount, valueMeaning, valueScope } from "./headline";

const LIST = page(
  [
    ["product", "text"],
    ["revenue", "decimal"],
  ],
  [
    ["Sofa", "184230.40"],
    ["Table", "91000.00"],
    [null, "91000.00"],
    ["Lamp", null],
  ],
);
const ends = { labels: [0], measure: 1 };

it("gives columns that have no name of their own one in words", () => {
  const counted = page(
    [
      ["region", "text"],
      ["count_star()", "integer"],
      ["sum(a)", "integer"],
    ],
    [],
  );
  const said = glance(3, { meanings: ["region of stores", "number of rows", null] });
  expect(headerNames(counted, said)).toEqual([null, "number of rows", null]);
  expect(headerNames(counted, null)).toEqual([null, null, null]);
});

describe("the line above a list", () => {
  it("names the highest and, where all rows are known, the lowest, with those that share it", () => {
    const said = glance(2, { shape: "ranked", ...ends, highest: { row: 0, rows: 1 }, lowest: { row: 1, rows: 2 } });
    expect(headlineText(said, LIST, "en-US")).toBe(
      "Sofa has the highest revenue: 184,230.40; lowest: 91,000.00 for Table and no product (4 rows)",
    );
    expect(headlineText({ ...said, lowest: null }, LIST, "de-DE")).toBe(
      "Sofa has the highest revenue: 184.230,40 (4 rows)",
    );
    expect(headlineText({ ...said, highest: null, lowest: { row: 1, rows: 2 } }, LIST, "en-US")).toBe(
      "Table and no product have the lowest revenue: 91,000.00 (4 rows)",
    );
  });
  it("says no highest where Rust found none, and how many rows there are", () => {
    expect(headlineText(glance(2, { ...ends }), LIST, "en-US")).toBe("4 rows, one per product");
    expect(headlineText(null, LIST)).toBe("4 rows");
  });
  it("says that more rows exist", () => {
    const cut = { ...LIST, truncated: true };
    expect(headlineText(glance(2, { ...ends }), cut)).toBe("The first 4 rows; more exist");
    const said = glance(2, { shape: "ranked", ...ends, highest: { row: 0, rows: 1 } });
    expect(headlineText(said, cut, "en-US")).toMatch(
      /^Sofa has the highest revenue: .*\(first 4 rows; more exist\)$/,
    );
  });
  it("counts the rows that were loaded since, as far as they are all there", () => {
    const cut = { ...LIST, truncated: true };
    const line = (rowCount: number, truncated: boolean, complete: boolean) =>
      headlineText(glance(2, { ...ends }), cut, "en-US", loadedCount(cut, { rowCount, truncated, complete }));
    expect(line(9, false, true)).toBe("9 rows");
    expect(line(8, true, true)).toBe("The first 8 rows; more exist");
    expect(line(6, false, false)).toBe("The first 4 rows; more exist");
    expect(line(2, true, true)).toBe("The first 4 rows; more exist");
  });
  it("does not call one of equal rows the highest", () => {
    const same = page(
      LIST.columns.map((c) => [c.name, c.type]),
      [
        ["A", "3"],
        ["B", "3"],
      ],
    );
    const both = { row: 0, rows: 2 };
    expect(headlineText(glance(2, { shape: "ranked", ...ends, highest: both, lowest: both }), same)).toBe(
      "revenue is 3 in every row (2 rows)",
    );
  });
});

describe("the line above a series", () => {
  const months = page(
    [
      ["month", "text"],
      ["orders", "integer"],
    ],
    [
      ["2024-01", "1200"],
      ["2024-02", "800"],
      ["2024-03", "2400"],
    ],
  );
  it("says its span, and where it is highest and lowest", () => {
    const said = glance(2, { shape: "series", ...ends, highest: { row: 2, rows: 1 }, lowest: { row: 1, rows: 1 } });
    expect(headlineText(said, months, "en-US")).toBe(
      "3 months, Jan 2024 to Mar 2024: orders highest in Mar 2024 (2,400), lowest in Feb 2024 (800)",
    );
    const back = { ...months, rows: [...months.rows].reverse() };
    const turned = { ...said, highest: { row: 0, rows: 1 }, lowest: { row: 1, rows: 1 } };
    expect(headlineText(turned, back, "en-US")).toMatch(/^3 months, Jan 2024 to Mar 2024: /);
  });
});

describe("a single value", () => {
  it("is told by what the query counts and of which rows, in no model's words", () => {
    const column = { name: "active_customers", type: "integer" as const };
    const said = glance(1, {
      shape: "value",
      meanings: ["number of different cust id"],
      tables: ["orders"],
      conditions: ["status is “paid”", "order dt is from 2025-01-01 on"],
    });
    expect(valueMeaning(column, said)).toBe("Number of different cust id");
    expect(valueScope(said)).toBe("From orders, where status is “paid” and order dt is from 2025-01-01 on");
    expect(valueMeaning({ ...column, name: "count_star()" }, null)).toBe("Count");
    expect(valueScope(null)).toBe("");
  });
});
