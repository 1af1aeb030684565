import { describe, expect, it } from "vitest";
import type { CellType } from "../../host/bindings";
import { showOf } from "../../kit/show";
import { runAtOnce, runInSlices } from "../../kit/timeSlices";
import { arrange, whyNotHere } from "./arrange";
import { exactOf, exactText, meanOf, sumOf } from "./exactNumbers";
import { type Filter, filterWords, problemOf, testOf } from "./filter";
import { newLayout } from "./layout";
import { findCells, markedParts, nextFound } from "./search";
import { nextSort, sortRows } from "./sort";
import type { RowSource } from "./source";
import { columnFigures, selectionFigures } from "./statistics";

function order(type: CellType, values: (string | null)[], down = false, locale = "en-US") {
  const rows = values.map((_, i) => i);
  return runAtOnce(sortRows(rows, (row) => values[row]!, type, down, locale)).map((row) => values[row]);
}

describe("sorting", () => {
  it("goes up, down and back to the order of the result", () => {
    const up = nextSort(null, 2);
    expect(up).toEqual({ column: 2, down: false });
    expect(nextSort(up, 1)).toEqual({ column: 1, down: false });
    expect(nextSort(nextSort(up, 2), 2)).toBeNull();
  });
  it("orders numbers as numbers, not as texts", () => {
    expect(order("integer", ["10", "9", "-2", "100"])).toEqual(["-2", "9", "10", "100"]);
    expect(order("text", ["b10", "b9"])).toEqual(["b9", "b10"]);
    expect(order("float", ["1e3", "20.5", "-inf", "NaN", "inf"])).toEqual(["-inf", "20.5", "1e3", "inf", "NaN"]);
  });
  it("tells apart what a float could not", () => {
    expect(order("integer", ["9223372036854775807", "9223372036854775806"])).toEqual([
      "9223372036854775806",
      "9223372036854775807",
    ]);
    const decimals = ["123456789012345678.000000000000000002", "123456789012345678.000000000000000001"];
    expect(order("decimal", decimals)).toEqual([...decimals].reverse());
    expect(order("decimal", ["1.5", "1.25", "1"])).toEqual(["1", "1.25", "1.5"]);
  });
  it("orders dates by time, zones counted", () => {
    expect(order("date", ["2025-01-02", "-0044-03-15", "2024-12-31"])).toEqual([
      "-0044-03-15",
      "2024-12-31",
      "2025-01-02",
    ]);
    const [early, late] = ["2025-01-01 01:00:00+02:00", "2025-01-01 00:30:00+00:00"];
    expect(order("timestamp", [late, early])).toEqual([early, late]);
  });
  it("puts NULL last both ways, and keeps equal rows as they were", () => {
    expect(order("integer", [null, "2", "1"])).toEqual(["1", "2", null]);
    expect(order("integer", [null, "2", "1"], true)).toEqual(["2", "1", null]);
    const values = ["1.0", "1", "1.00"];
    expect(order("decimal", values)).toEqual(values);
    expect(order("decimal", values, true)).toEqual(values);
  });
  it("orders many rows, and others have their turn meanwhile", async () => {
    const values = Array.from({ length: 50_000 }, (_, i) => (i % 11 === 0 ? null : `Müller ${(i * 7919) % 9001}`));
    const rows = values.map((_, i) => i);
    const { compare } = new Intl.Collator("de", { numeric: true });
    const expected = rows
      .filter((row) => values[row] !== null)
      .sort((a, b) => compare(values[b]!, values[a]!) || a - b)
      .concat(rows.filter((row) => values[row] === null));
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    const work = sortRows(rows, (row) => values[row]!, "text", true, "de");
    const found = await runInSlices(work, new AbortController().signal);
    clearInterval(count);
    expect(found).toEqual(expected);
    expect(turns).toBeGreaterThan(0);
    const stopped = new AbortController();
    const next = runInSlices(
      sortRows(rows, (row) => values[row]!, "text", true, "de"),
      stopped.signal,
    );
    stopped.abort();
    expect(await next).toBeNull();
  });
  it("orders texts as the language does, in any script", () => {
    expect(order("text", ["zebra", "Äpfel", "apple"], false, "de")).toEqual(
      ["Äpfel", "apple", "zebra"].sort(new Intl.Collator("de").compare),
    );
    expect(order("text", ["Z", "Ä"], false, "sv")).toEqual(["Z", "Ä"]);
    expect(order("text", ["ב", "א", ""])).toEqual(["", "א", "ב"]);
  });
});

describe("filters", () => {
  const passes = (filter: Filter, type: CellType, value: string | null, locale = "en-US") =>
    testOf(filter, type, showOf({ name: "amount", type }, locale), locale)(value);
  const range = (from: string, to: string): Filter => ({ kind: "range", from, to });

  it("find a part of a text without regard to capitals, and never NULL", () => {
    expect(passes({ kind: "contains", text: "SOFA" }, "text", "Harbour Sofa")).toBe(true);
    expect(passes({ kind: "contains", text: "ÄRA" }, "text", "ära")).toBe(true);
    expect(passes({ kind: "contains", text: "null" }, "text", null)).toBe(false);
    expect(passes({ kind: "contains", text: "184,2" }, "decimal", "184230.40")).toBe(true);
    expect(passes({ kind: "contains", text: "1842" }, "decimal", "184230.40")).toBe(true);
    expect(passes({ kind: "contains", text: ".*" }, "text", "abc")).toBe(false);
  });
  it("compare numbers by value", () => {
    expect(passes({ kind: "equals", text: "1.5" }, "decimal", "1.50")).toBe(true);
    expect(passes({ kind: "equals", text: "9223372036854775807" }, "integer", "9223372036854775806")).toBe(false);
    expect(passes(range("9", "100"), "integer", "10")).toBe(true);
    expect(passes(range("9", "100"), "integer", "101")).toBe(false);
    expect(passes(range("", "1,000"), "integer", "1000")).toBe(true);
    expect(passes(range("1.000,5", ""), "decimal", "1000.50", "de-DE")).toBe(true);
    expect(passes(range("0", ""), "float", "inf")).toBe(true);
    expect(passes(range("0", ""), "float", "NaN")).toBe(false);
    expect(passes({ kind: "equals", text: "NaN" }, "float", "NaN")).toBe(true);
    expect(passes({ kind: "equals", text: "NaN" }, "float", "1.0")).toBe(false);
    expect(passes(range("0", ""), "integer", null)).toBe(false);
  });
  it("take a whole day, month or year at its word", () => {
    expect(passes(range("2025-01-31", "2025-01-31"), "timestamp", "2025-01-31 23:59:59.999")).toBe(true);
    expect(passes(range("2025-01-31", "2025-01-31"), "timestamp", "2025-02-01 00:00:00")).toBe(false);
    expect(passes({ kind: "equals", text: "2024" }, "date", "2024-12-31")).toBe(true);
    expect(passes({ kind: "equals", text: "2025-01-31 10:22" }, "timestamp", "2025-01-31 10:22:59.5")).toBe(true);
    expect(passes({ kind: "equals", text: "2025-01-31 10:22:33" }, "timestamp", "2025-01-31 10:22:33.5")).toBe(false);
    expect(passes({ kind: "equals", text: "2024-02" }, "date", "2024-03-01")).toBe(false);
  });
  it("know NULL and the empty text as empty", () => {
    expect(passes({ kind: "empty" }, "text", null)).toBe(true);
    expect(passes({ kind: "empty" }, "text", "")).toBe(true);
    expect(passes({ kind: "filled" }, "text", " ")).toBe(true);
    expect(passes({ kind: "equals", text: "" }, "text", null)).toBe(false);
  });
  it("say what is wrong with what was typed", () => {
    expect(problemOf(range("", ""), "integer")).toBe("Enter at least one value.");
    expect(problemOf(range("many", ""), "integer")).toBe("Enter a number.");
    expect(problemOf(range("31.1.2025", ""), "date")).toMatch(/2025-01-31/);
    expect(problemOf(range("2025-13", ""), "date")).toMatch(/2025-01-31/);
    expect(problemOf(range("2025", ""), "date")).toBeNull();
    expect(problemOf({ kind: "contains", text: "" }, "text")).toBe("Enter text.");
  });
  it("say what they do", () => {
    const revenue = { name: "revenue", type: "decimal" as const };
    expect(filterWords(revenue, range("100", ""))).toBe("revenue from 100");
    expect(filterWords(revenue, range("700000", "1,200,000.50"))).toBe("revenue from 700,000 to 1,200,000.50");
    expect(filterWords(revenue, range("", "NaN"))).toBe("revenue up to NaN");
    const day = { name: "order_dt", type: "date" as const };
    expect(filterWords(day, range("2025-01-31", ""))).toBe("order_dt from Jan 31, 2025");
    expect(filterWords(day, range("", "2025"))).toBe("order_dt up to 2025");
    expect(filterWords({ name: "status", type: "text" }, { kind: "equals", text: "700000" })).toBe(
      "status is 700000",
    );
    expect(filterWords({ name: "status", type: "text" }, { kind: "empty" })).toBe("status is empty");
  });
});

describe("a result", () => {
  const columns = [
    { name: "city", type: "text" as const },
    { name: "orders", type: "integer" as const },
  ];
  const rows = [
    ["Rome", "9"],
    ["Oslo", "10"],
    ["Rome", null],
  ];
  const shows = columns.map((column) => showOf(column, "en-US"));

  it("is filtered and sorted together", () => {
    const look = {
      ...newLayout(2),
      sort: { column: 1, down: true },
      filters: { 0: { kind: "equals" as const, text: "Rome" } },
    };
    expect(runAtOnce(arrange(rows, columns, shows, look))).toEqual([0, 2]);
    expect(runAtOnce(arrange(rows, columns, shows, { ...look, filters: {} }))).toEqual([1, 0, 2]);
  });
  it("is arranged here or by its engine, and left to SQL where neither has all rows", () => {
    const engine = (readsAll: boolean) => ({ readsAll }) as RowSource["engine"];
    expect(whyNotHere({ extent: "whole", all: rows })).toBeNull();
    expect(whyNotHere({ extent: "whole", engine: engine(false) })).toBeNull();
    expect(whyNotHere({ extent: "part", all: rows, engine: engine(true) })).toBeNull();
    expect(whyNotHere({ extent: "part", all: rows, engine: engine(false) })).toMatch(/part.*SQL/);
    expect(whyNotHere({ extent: "part", all: rows })).toMatch(/part.*SQL/);
    expect(whyNotHere({ extent: "whole" })).toMatch(/part.*SQL/);
    expect(whyNotHere({ extent: "reading", engine: engine(true) })).toMatch(/still/);
  });
});

describe("search", () => {
  const rows = [
    ["Harbour Sofa", "1234"],
    [null, "99"],
    ["sofa bed", "5"],
  ];
  const shows = [showOf({ name: "p", type: "text" }, "en-US"), showOf({ name: "n", type: "integer" }, "en-US")];
  const find = (text: string) => findCells(text, rows.length, shows, (r, c) => rows[r]![c]!);

  it("finds a value as it is shown and as it is", () => {
    expect(find("sofa")).toEqual([
      { row: 0, column: 0 },
      { row: 2, column: 0 },
    ]);
    expect(find("1,234")).toEqual([{ row: 0, column: 1 }]);
    expect(find("1234")).toEqual([{ row: 0, column: 1 }]);
    expect(find("null")).toEqual([]);
    expect(find("  ")).toEqual([]);
  });
  it("goes on after the current cell, and around", () => {
    const found = find("sofa");
    expect(nextFound(found, null, false)).toBe(0);
    expect(nextFound(found, { row: 0, column: 0 }, false)).toBe(1);
    expect(nextFound(found, { row: 2, column: 0 }, false)).toBe(0);
    expect(nextFound(found, { row: 0, column: 0 }, true)).toBe(1);
    expect(nextFound([], null, false)).toBe(-1);
  });
  it("marks each occurrence, and nothing where letters change their length", () => {
    expect(markedParts("Sofa, sofa bed", "sofa")).toEqual(["", "Sofa", ", ", "sofa", " bed"]);
    expect(markedParts("İstanbul", "istanbul")).toEqual(["İstanbul"]);
    expect(markedParts("שלום עולם", "עולם")).toEqual(["שלום ", "עולם", ""]);
  });
});

describe("figures", () => {
  it("of a column are exact", () => {
    const figures = columnFigures(["9223372036854775807", "1", null, "1"], "integer");
    expect(figures).toMatchObject({ rows: 4, nulls: 1, distinct: 2, least: "1", most: "9223372036854775807" });
    expect(figures.sum).toBe("9223372036854775809");
    expect(columnFigures(["0.10", "0.20"], "decimal")).toMatchObject({ sum: "0.30", mean: "0.15" });
  });
  it("have no sum of texts, and ends of dates by time", () => {
    expect(columnFigures(["b", "a", ""], "text")).toMatchObject({ sum: null, least: "", most: "b", empty: 1 });
    expect(columnFigures(["2025-01-02", "infinity", "2024-01-01"], "date")).toMatchObject({
      least: "2024-01-01",
      most: "infinity",
    });
    expect(columnFigures([null], "integer")).toMatchObject({ least: null, sum: null, mean: null, distinct: 0 });
    expect(columnFigures(["NaN", "2.0"], "float")).toMatchObject({ least: "2.0", most: "2.0", sum: "NaN" });
  });
  it("of a selection count all values and add up the numbers", () => {
    expect(
      selectionFigures([
        { type: "text", values: ["a", null] },
        { type: "decimal", values: ["1.50", "2.5"] },
      ]),
    ).toEqual({ cells: 4, count: 3, sum: "4.00", mean: "2.00" });
    expect(selectionFigures([{ type: "text", values: ["1"] }]).sum).toBeNull();
  });
});

describe("exact numbers", () => {
  const all = (...texts: string[]) => texts.map((text) => exactOf(text)!);
  it("are summed without a float between", () => {
    expect(exactText(sumOf(all("0.1", "0.2")))).toBe("0.3");
    expect(exactText(sumOf(all("9223372036854775807", "1")))).toBe("9223372036854775808");
    expect(exactText(sumOf(all("123456789012345678.01", "-0.02")))).toBe("123456789012345677.99");
    expect(exactText(sumOf([]))).toBe("0");
  });
  it("have a mean that is rounded where it does not end", () => {
    expect(exactText(meanOf(exactOf("10")!, 4))).toBe("2.5");
    expect(exactText(meanOf(exactOf("2")!, 3))).toBe("0.6667");
    expect(exactText(meanOf(exactOf("-2.00")!, 3))).toBe("-0.666667");
    expect(exactText(meanOf(exactOf("6.00")!, 3))).toBe("2.00");
  });
  it("know what is no number", () => {
    expect(exactOf("")).toBeNull();
    expect(exactOf("NaN")).toBeNull();
    expect(exactText(exactOf("-1.5e2")!)).toBe("-150");
    expect(exactText(exactOf("1e-3")!)).toBe("0.001");
  });
});
