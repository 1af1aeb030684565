import { describe, expect, it, vi } from "vitest";
import { bigPage } from "../../../test/fake/log";
import { page } from "../../../test/fake/writer";
import { isScaled, MAX_HEIGHT, ROW_HEIGHT, scrollOf, toBar, topFor, toRows, windowOf } from "./scroll";
import { inRange, moveBy, rangeOf } from "./select";
import { PAGE_ROWS, PagedSource, pageSource } from "./source";
import { firstWidths } from "./widths";

describe("scrolling", () => {
  const short = scrollOf(1000, 500);
  const long = scrollOf(1_000_000, 500);

  it("is plain below the limit", () => {
    expect(isScaled(short)).toBe(false);
    expect(toRows(short, 1234)).toBe(1234);
  });

  it("never makes an element higher than the limit", () => {
    expect(long.shown).toBe(MAX_HEIGHT);
    expect(isScaled(long)).toBe(true);
  });

  it("reaches the first and the last row of a million", () => {
    expect(toRows(long, 0)).toBe(0);
    const end = toRows(long, MAX_HEIGHT - 500);
    expect(windowOf(long, end, 1_000_000)[1]).toBe(1_000_000);
    expect(end).toBe(1_000_000 * ROW_HEIGHT - 500);
  });

  it("goes from rows to the bar and back", () => {
    for (const row of [0, 1, 499_999, 999_000]) {
      expect(toRows(long, toBar(long, row * ROW_HEIGHT))).toBeCloseTo(row * ROW_HEIGHT, 3);
    }
  });

  it("draws only what is seen, and a little more", () => {
    const [first, last] = windowOf(long, 500_000 * ROW_HEIGHT, 1_000_000);
    expect(first).toBe(499_994);
    expect(last - first).toBeLessThan(40);
  });

  it("moves as little as it takes to show a row", () => {
    expect(topFor(short, 0, 3)).toBe(0);
    expect(topFor(short, 1000, 3)).toBe(3 * ROW_HEIGHT);
    expect(topFor(short, 0, 100)).toBe(101 * ROW_HEIGHT - 500);
  });
});

describe("rows on demand", () => {
  const source = (rows: number) => {
    const fetch = vi.fn(async (offset: number, count: number) => bigPage(offset, count, rows));
    return { fetch, source: new PagedSource(bigPage(0, 0, rows).columns, rows, fetch) };
  };

  it("fetches the pages of a range, each once", async () => {
    const { fetch, source: s } = source(100_000);
    s.requestRows(390, 430);
    s.requestRows(390, 430);
    await vi.waitFor(() => expect(s.row(400)?.[0]).toBe("100400"));
    expect(fetch.mock.calls).toEqual([
      [PAGE_ROWS, PAGE_ROWS],
      [2 * PAGE_ROWS, PAGE_ROWS],
    ]);
    expect(s.row(5000)).toBeUndefined();
  });

  it("fetches where the scrolling ends, and not all on the way", async () => {
    const { fetch, source: s } = source(1_000_000);
    for (let row = 0; row <= 900_000; row += 30_000) s.requestRows(row, row + 20);
    await vi.waitFor(() => expect(s.row(900_010)?.[0]).toBe("1000010"));
    expect(fetch.mock.calls.length).toBeLessThan(5);
  });

  it("forgets pages that are far away", async () => {
    const { source: s } = source(1_000_000);
    await s.read(0, 1);
    for (let i = 1; i <= 70; i++) await s.read(i * PAGE_ROWS, i * PAGE_ROWS + 1);
    expect(s.row(0)).toBeUndefined();
    expect(s.row(70 * PAGE_ROWS)).toBeDefined();
  });

  it("reads a range across pages for copying", async () => {
    const { source: s } = source(1000);
    const rows = await s.read(195, 205);
    expect(rows.map((r) => r[0])).toEqual(Array.from({ length: 10 }, (_, i) => String(100195 + i)));
  });

  it("reads many rows in few requests", async () => {
    const { source: s, fetch } = source(12_100);
    const rows = await s.read(0, 12_100);
    expect(rows.map((r) => r[0])).toEqual(Array.from({ length: 12_100 }, (_, i) => String(100_000 + i)));
    expect(fetch.mock.calls.length).toBeLessThan(10);
  });

  it("tells when rows have come, and tries again after a failure", async () => {
    let fail = true;
    const s = new PagedSource([], 10, async () => {
      if (fail) throw new Error("gone");
      return bigPage(0, 10, 10);
    });
    const told = vi.fn();
    s.subscribe(told);
    s.requestRows(0, 10);
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    expect(s.failed).toBeInstanceOf(Error);
    fail = false;
    s.requestRows(0, 10);
    await vi.waitFor(() => expect(s.row(0)).toBeDefined());
    expect(s.failed).toBeNull();
  });

  it("reads a short last page again when the result grew", async () => {
    let rows = 50;
    const s = new PagedSource([], 50, async (offset, count) => bigPage(offset, count, rows));
    await s.read(0, 50);
    rows = 120;
    s.growTo(120);
    expect(s.row(0)).toBeUndefined();
    expect(await s.read(0, 120)).toHaveLength(120);
  });

  it("is simple for a page that is whole", async () => {
    const s = pageSource(page([["a", "integer"]], [["1"], [null]]));
    expect(s.rowCount).toBe(2);
    expect(await s.read(0, 5)).toEqual([["1"], [null]]);
    expect(s.extent).toBe("whole");
    expect(pageSource({ ...page([["a", "integer"]], [["1"]]), truncated: true }).extent).toBe("part");
  });
});

describe("selection", () => {
  const at = (row: number, column: number) => ({ anchor: { row, column }, head: { row, column } });
  const key = (name: string, more: { shift?: boolean; mod?: boolean } = {}) => ({
    key: name,
    shift: false,
    mod: false,
    ...more,
  });

  it("moves by keys and stays inside", () => {
    expect(moveBy(at(0, 0), key("ArrowUp"), 10, 3, 5)?.head).toEqual({ row: 0, column: 0 });
    expect(moveBy(at(0, 0), key("ArrowDown"), 10, 3, 5)?.head).toEqual({ row: 1, column: 0 });
    expect(moveBy(at(2, 1), key("PageDown"), 10, 3, 5)?.head).toEqual({ row: 7, column: 1 });
    expect(moveBy(at(2, 1), key("ArrowDown", { mod: true }), 10, 3, 5)?.head).toEqual({ row: 9, column: 1 });
    expect(moveBy(at(2, 1), key("End", { mod: true }), 10, 3, 5)?.head).toEqual({ row: 9, column: 2 });
    expect(moveBy(at(2, 1), key("x"), 10, 3, 5)).toBeNull();
  });

  it("grows with Shift from where it began", () => {
    const next = moveBy(at(2, 1), key("ArrowUp", { shift: true }), 10, 3, 5)!;
    expect(rangeOf(next)).toEqual({ top: 1, bottom: 2, left: 1, right: 1 });
    expect(inRange(rangeOf(next), 1, 1)).toBe(true);
    expect(inRange(rangeOf(next), 0, 1)).toBe(false);
  });
});

it("starts columns as wide as their first rows, within bounds", () => {
  const widths = firstWidths(
    [
      { name: "id", type: "integer" },
      { name: "text", type: "text" },
    ],
    [["1", "x".repeat(500)]],
  );
  expect(widths[0]).toBeLessThan(100);
  expect(widths[1]).toBe(340);
  // What a header says of its values is read whole, too.
  const [narrow, wide] = [[null], ["Jan 1, 2023 to Dec 31, 2025"]].map(
    (glances) => firstWidths([{ name: "day", type: "date" }], [["2023-01-01"]], [], glances)[0]!,
  );
  expect(wide! - narrow!).toBeGreaterThan(80);
});
