import { describe, expect, it } from "vitest";
import { CATALOG, PROFILE } from "../../../test/fake/data";
import type { ColumnProfile, Definition } from "../../host/bindings";
import { definitionsOf, keySigns } from "./columnKeys";
import { distribution, kindWords, momentWords, rangeWords, sampleText, valueWords } from "./columnText";
import { tableProfile } from "./search";

const orders = tableProfile(PROFILE, { catalog: null, schema: null, name: "orders" })!;
const column = (name: string): ColumnProfile => orders.columns.find((c) => c.name === name)!;
const metric = (part: Partial<ColumnProfile>): ColumnProfile => ({
  ...column("order_id"),
  kind: "metric",
  min: "1.50",
  max: "90",
  mean: "12.34567",
  ...part,
});

describe("a column in words", () => {
  it("says its kind, and what it hides", () => {
    expect(kindWords(column("order_dt"))).toBe("text, day/month/year");
    expect(kindWords(column("chan_cd"))).toBe("category");
    expect(kindWords(metric({ dataType: "VARCHAR", hidden: "number 1.234,56" }))).toBe("text, numbers like 1.234,56");
    expect(kindWords(metric({ dataType: "TEXT", hidden: "number € 1.234,56" }))).toBe(
      "text, numbers like € 1.234,56",
    );
    expect(kindWords(metric({ dataType: "TEXT", hidden: "number" }))).toBe("text, numbers");
    expect(kindWords(metric({ dataType: "BIGINT", kind: "time", hidden: "epoch ms" }))).toBe(
      "number, milliseconds since 1970",
    );
    expect(kindWords(metric({ dataType: "BLOB", kind: "geo", hidden: "WKB" }))).toBe("bytes, location as WKB");
  });

  it.each([
    ["%Y-%m-%dT%H:%M:%SZ", "year-month-day hour:minute:second UTC"],
    ["%Y-%m-%dT%H:%M:%S%z", "year-month-day hour:minute:second UTC offset"],
    ["%Y%m%d", "year month day, without separators"],
    ["%b %d, %Y", "short month name day, year"],
    ["%d %B %Y in German", "day month name year in German"],
    ["%m/%d/%y %I:%M %p", "month/day/two-digit year hour:minute AM or PM"],
  ])("says the format %s", (format, words) => {
    expect(momentWords(format)).toBe(words);
  });

  it("says range, frequent values with their shares, or some values", () => {
    expect(valueWords(column("order_dt"), 50_000)).toBe("03/01/2023 – 31/12/2025");
    expect(valueWords(column("chan_cd"), 50_000)).toBe("WEB 50%, STR 33%, APP 17%");
    expect(valueWords(column("order_id"), 50_000)).toBe("1, 2, 3, 4, …");
    expect(valueWords(metric({ stddev: 4.56789 }), 50_000)).toBe("1.50 – 90, mean 12.35 ± 4.568");
    expect(valueWords(metric({ stddev: null }), 50_000)).toBe("1.50 – 90, mean 12.35");
  });

  it("groups the digits of figures as everywhere", () => {
    const budget = metric({ min: "80000", max: "1206000.50", mean: "445612.5", stddev: 307701 });
    expect(valueWords(budget, 32)).toBe("80,000 – 1,206,000.50, mean 445,600 ± 307,700");
    expect(rangeWords(budget)).toBe("80,000 – 1,206,000.50");
    const day = { ...column("order_id"), kind: "time" as const, min: "2023-01-03", max: "2025-12-31 00:00:00" };
    expect(valueWords(day, 32)).toBe("Jan 3, 2023 – Dec 31, 2025");
    expect(valueWords({ ...day, min: "2019", max: "2024" }, 32)).toBe("2019 – 2024");
    expect(valueWords(metric({ mean: "0.00012345", stddev: null }), 32)).toBe("1.50 – 90, mean 0.0001235");
  });

  it("says how many rows were looked at only where it was not all", () => {
    expect(sampleText(orders)).toBe("sample of 50,000 of 61,204 rows");
    expect(sampleText({ ...orders, profiledRows: 61_204 })).toBeNull();
    expect(sampleText(null)).toBeNull();
    expect(sampleText({ ...orders, profiledRows: 1_000, rowCount: null })).toBe(
      "sample of 1,000 rows; others were not read",
    );
  });

  it("says nothing of a sample that only all rows can tell", () => {
    const empty = { ...column("chan_cd"), kind: "empty" as const, top: [], samples: [] };
    expect([kindWords(empty), valueWords(empty, 9)]).toEqual(["no values", "no values"]);
    expect([kindWords(empty, true), valueWords(empty, 9, true)]).toEqual(["no values seen", "no values seen"]);
    const one = { ...column("chan_cd"), top: [["Basel", 9] as [string, number]], distinct: 1 };
    expect([valueWords(one, 9), valueWords(one, 9, true)]).toEqual(["Basel 100%", "Basel 100%, …"]);
  });
});

describe("what is drawn of a column", () => {
  it("is the values of a category, numbers in their order", () => {
    const bars = distribution(column("chan_cd"), 50_000);
    expect(bars?.form === "bars" && bars.bars.map(({ value }) => value)).toEqual(["WEB", "STR", "APP"]);
    const numbers = {
      ...column("chan_cd"),
      complete: true,
      top: [
        ["10", 5],
        ["2", 3],
        ["1", 2],
      ] as [string, number][],
    };
    const ordered = distribution(numbers, 10);
    expect(ordered?.form === "bars" && ordered.bars.map(({ value }) => value)).toEqual(["1", "2", "10"]);
  });

  it("is the range of numbers with the mean in it", () => {
    expect(distribution(metric({ min: "0", max: "100", mean: "25", stddev: 50 }), 10)).toEqual({
      form: "range",
      mean: 0.25,
      low: 0,
      high: 0.75,
    });
  });

  it("is nothing where the profile says nothing of it", () => {
    expect(distribution(column("order_id"), 50_000)).toBeNull();
    expect(distribution(column("order_dt"), 50_000)).toBeNull();
    expect(distribution(metric({ min: "5", max: "5", mean: "5" }), 10)).toBeNull();
    expect(distribution(metric({ min: "a", max: "b" }), 10)).toBeNull();
    // The most frequent of many names are a small part of them.
    const names = {
      ...column("chan_cd"),
      complete: false,
      top: [
        ["Ada", 3],
        ["Bo", 2],
      ] as [string, number][],
    };
    expect(distribution(names, 50_000)).toBeNull();
  });
});

describe("what ties a column to others", () => {
  const table = CATALOG.tables.find((t) => t.name.name === "orders")!;
  const own = (name: string) => table.columns.find((c) => c.name === name)!;
  const inferred = {
    id: "k",
    key: {
      table: table.name,
      columns: ["cust_id"],
      references: { table: { catalog: null, schema: null, name: "customers" }, columns: ["cust_id"] },
      confidence: 1,
      reason: "all values are there",
    },
    decision: null,
  };

  it("is a declared key, or an inferred one with its evidence", () => {
    expect(keySigns(table, own("order_id"), [])).toEqual([{ target: null, evidence: null }]);
    expect(keySigns(table, own("store_id"), [inferred])[0]).toMatchObject({
      target: { name: "stores" },
      evidence: null,
    });
    expect(keySigns(table, own("cust_id"), [inferred])[0]).toMatchObject({ evidence: "all values are there" });
    expect(keySigns(table, own("status"), [inferred])).toEqual([]);
  });

  it("is a definition about it, or one whose condition names it", () => {
    const define = (term: string, part: Partial<Definition>): Definition => ({
      term,
      synonyms: [],
      meaning: "",
      condition: null,
      always: false,
      subject: null,
      source: "user",
      ...part,
    });
    const entries = [
      define("a", { subject: "Orders.Status" }),
      define("b", { condition: "status = 'open'" }),
      define("c", { condition: "order_status = 1" }),
      define("d", { subject: "returns.status" }),
      define("e", { subject: "orders" }),
    ];
    const terms = (name: string | null) => definitionsOf({ text: "", entries }, table, name).map(({ term }) => term);
    expect(terms("status")).toEqual(["a", "b"]);
    expect(terms(null)).toEqual(["e"]);
    expect(definitionsOf(null, table, "status")).toEqual([]);
  });
});
