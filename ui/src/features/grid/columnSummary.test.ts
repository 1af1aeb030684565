import { expect, it } from "vitest";
import type { ResultColumn } from "../../host/bindings";
import { showOf } from "../../kit/show";
import { columnSummaries, FEWEST_ROWS } from "./columnSummary";
import { PagedSource, pageRows, type Row } from "./source";

const COLUMNS: ResultColumn[] = [
  { name: "store_id", type: "integer" },
  { name: "revenue", type: "decimal" },
  { name: "city", type: "text" },
  { name: "sold", type: "date" },
  { name: "note", type: "nested" },
];
const row = (i: number): Row => [
  String(i),
  i % 5 === 0 ? null : `${1000 * i}.50`,
  i % 2 === 0 ? "Rome" : "Oslo",
  `2024-01-${String(i + 1).padStart(2, "0")}`,
  null,
];
const rows = (n: number) => Array.from({ length: n }, (_, i) => row(i));
const shows = COLUMNS.map((column) => showOf(column, "en-GB"));

it("says how far values go, how many there are, and how many are missing", () => {
  expect(columnSummaries(pageRows(COLUMNS, rows(20)), COLUMNS, shows)).toEqual([
    "all different",
    "1,000.50 to 19k · 20% NULL",
    "2 values",
    "1 Jan 2024 to 20 Jan 2024",
    "100% NULL",
  ]);
});

it("says large numbers in full in the format that somebody has chosen", () => {
  const euro = shows.map((show, c) => (c === 1 ? (value: string) => `${value} EUR` : show));
  expect(columnSummaries(pageRows(COLUMNS, rows(20)), COLUMNS, euro, shows)[1]).toBe(
    "1000.50 EUR to 19000.50 EUR · 20% NULL",
  );
});

it("says nothing of a few rows, of a part of a result, of very many values, and reads none for it", () => {
  const nothing = COLUMNS.map(() => null);
  expect(columnSummaries(pageRows(COLUMNS, rows(FEWEST_ROWS - 1)), COLUMNS, shows)).toEqual(nothing);
  expect(columnSummaries(pageRows(COLUMNS, rows(20), "part"), COLUMNS, shows)).toEqual(nothing);
  expect(columnSummaries(pageRows(COLUMNS, Array(30_000).fill(row(1))), COLUMNS, shows)).toEqual(nothing);
  const paged = new PagedSource(COLUMNS, 20, async () => {
    throw new Error("no row is read");
  });
  expect(columnSummaries(paged, COLUMNS, shows)).toEqual(nothing);
});
