// The backend answers the same cases (`src-tauri/crates/arrange/src/tests.rs`): an order or a figure does not depend on where rows are kept.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ColumnFigures, ResultColumn, RowTest } from "../../host/bindings";
import { showOf } from "../../kit/show";
import { runAtOnce } from "../../kit/timeSlices";
import { type Filter, rowTest, testOf } from "./filter";
import { findCells } from "./search";
import { formattedValues } from "./shownAs";
import { sortRows } from "./sort";
import { columnFigures } from "./statistics";

interface Case {
  name: string;
  column: ResultColumn;
  values: (string | null)[];
  up: number[];
  down: number[];
  filters: { filter: Filter; test: RowTest; passes: number[] }[];
  searches: { text: string; found: number[] }[];
  figures: ColumnFigures;
}

const FILE = resolve(import.meta.dirname, "../../../../src-tauri/crates/arrange/src/same.json");
const CASES: Case[] = JSON.parse(readFileSync(FILE, "utf8"));
const LOCALE = "en-US";

describe.each(CASES)("$name", ({ column, values, up, down, filters, searches, figures }) => {
  const { type } = column;
  const show = showOf(column, LOCALE);
  const rows = values.map((_, row) => row);
  it("have one order", () => {
    const order = (descending: boolean) => runAtOnce(sortRows(rows, (row) => values[row]!, type, descending, LOCALE));
    expect(order(false)).toEqual(up);
    expect(order(true)).toEqual(down);
  });
  it("pass the same filters", () => {
    for (const { filter, test, passes } of filters) {
      expect(rowTest(filter, type, formattedValues(column, undefined, false, LOCALE), LOCALE)).toEqual(test);
      const passed = testOf(filter, type, show, LOCALE);
      expect(rows.filter((row) => passed(values[row]!))).toEqual(passes);
    }
  });
  it("are found by the same texts", () => {
    for (const { text, found } of searches)
      expect(findCells(text, rows.length, [show], (row) => values[row]!).map(({ row }) => row)).toEqual(found);
  });
  it("have the same figures", () => {
    expect(columnFigures(values, type)).toEqual(figures);
  });
});

describe("a column as it is shown", () => {
  it("is told to the backend in the language of the window", () => {
    const number = (locale: string) => formattedValues({ name: "n", type: "decimal" }, undefined, false, locale);
    const english = { group: ",", point: ".", first: 3, next: 3, least: 4 };
    expect(number("en-US")).toEqual({ kind: "number", number: english, years: false });
    expect(number("de-DE")).toMatchObject({ number: { group: ".", point: "," } });
    expect(number("en-IN")).toMatchObject({ number: { group: ",", first: 3, next: 2, least: 4 } });
    expect(number("es-ES")).toMatchObject({ number: { group: ".", least: 5 } });
    expect(formattedValues({ name: "year", type: "integer" }, undefined, false, "en-US")).toMatchObject({
      years: true,
    });
    expect(formattedValues({ name: "order_id", type: "integer" }, undefined, false, "en-US")).toEqual({
      kind: "exact",
    });
    const day = formattedValues({ name: "d", type: "date" }, undefined, false, "de-DE");
    expect(day).toMatchObject({ kind: "day", months: expect.arrayContaining(["{d}. Jan. {y}"]) });
  });
  it("has the format that its user chose, unless values are shown exactly", () => {
    const column = { name: "n", type: "decimal" as const };
    const percent = { kind: "percent", places: 1, whole: false } as const;
    expect(formattedValues(column, percent, false, "en-US")).toMatchObject({
      kind: "rounded",
      places: 1,
      shift: 2,
      positive: ["", "%"],
      negative: ["-", "%"],
    });
    expect(formattedValues(column, percent, true)).toEqual({ kind: "exact" });
  });
});
