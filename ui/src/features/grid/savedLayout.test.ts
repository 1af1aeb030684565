import { describe, expect, it } from "vitest";
import { hideColumn, moveColumn, newLayout, withFilter, withFormat } from "./layout";
import { parseSavedLayout, savedLayoutOf, savedLayoutText, signatureOf } from "./savedLayout";

const COLUMNS = [
  { name: "city", type: "text" },
  { name: "revenue", type: "decimal" },
  { name: "note", type: "text" },
];
const run = (id: string) => signatureOf(id, COLUMNS);

describe("what is kept of a look", () => {
  it("is what somebody has changed, sorting and filters included", () => {
    expect(savedLayoutOf(newLayout(3))).toEqual({});
    const look = withFormat(hideColumn(moveColumn(newLayout(3), 2, 0), 1), 1, { kind: "decimals", places: 1 });
    const arranged = withFilter({ ...look, sort: { column: 0, down: true } }, 0, { kind: "equals", text: "Rome" });
    const kept = savedLayoutOf({ ...arranged, widths: { 0: 150 }, frozen: 1 });
    expect(kept).toEqual({
      order: [2, 0, 1],
      hidden: [1],
      frozen: 1,
      widths: { 0: 150 },
      formats: { 1: { kind: "decimals", places: 1 } },
      sort: { column: 0, down: true },
      filters: { 0: { kind: "equals", text: "Rome" } },
    });
    const text = savedLayoutText({ [run("r1")]: kept });
    expect(parseSavedLayout(text)).toEqual({ [run("r1")]: kept });
  });

  it("has no order where it is the rows' own, and none where that was taken away", () => {
    const own = { column: 1, down: true };
    expect(savedLayoutOf({ ...newLayout(3), sort: own }, own)).toEqual({});
    const kept = savedLayoutOf(newLayout(3), own);
    expect(kept).toEqual({ sort: null });
    expect(parseSavedLayout(savedLayoutText({ [run("r1")]: kept }))).toEqual({ [run("r1")]: kept });
  });

  it("is of bounded size: the oldest and the very large are left out", () => {
    const looks = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [run(`r${i}`), { frozen: 1 }]));
    const some = Object.keys(parseSavedLayout(savedLayoutText(looks)));
    expect(some).toHaveLength(60);
    expect(some.at(-1)).toBe(run("r499"));
    const wide = Array.from({ length: 900 }, (_, i) => ({ name: `a column with a long name ${i}`, type: "text" }));
    expect(savedLayoutText({ [signatureOf("r1", wide)]: { frozen: 1 }, [run("r2")]: { frozen: 2 } })).toBe(
      `{${JSON.stringify(run("r2"))}:{"frozen":2}}`,
    );
    const long = Array.from({ length: 200 }, (_, i) => ({ name: `a column with a long name ${i}`, type: "text" }));
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [signatureOf(`r${i}`, long), { frozen: 1 }]),
    );
    expect(savedLayoutText(many).length).toBeLessThan(110_000);
  });
});

describe("what was remembered", () => {
  it("is left out where it fits no grid, or is anything else", () => {
    for (const text of [null, "", "{", "[]", "7", '{"a":1}', '{"[1]":{"frozen":1}}'])
      expect(parseSavedLayout(text)).toEqual({});
    const read = (look: unknown) => parseSavedLayout(JSON.stringify({ [run("r1")]: look }))[run("r1")];
    expect(read({ order: [0, 1], hidden: [] })).toBeUndefined();
    expect(read({ order: [0, 1, 1], hidden: [] })).toBeUndefined();
    expect(read({ order: [2, 1, 0], hidden: [0, 1, 2] })).toBeUndefined();
    expect(read({ order: [2, 1, 0], hidden: [7] })).toBeUndefined();
    expect(read({ frozen: 3 })).toBeUndefined();
    expect(read({ frozen: -1, exact: "yes", widths: { 0: "wide", 9: 100, 1: 120 } })).toEqual({ widths: { 1: 120 } });
    expect(
      read({ sort: { column: 9, down: true }, filters: { 0: { kind: "sql", text: "1" }, 8: { kind: "empty" } } }),
    ).toBe(undefined);
    expect(
      read({ sort: { column: 1, down: 1 }, filters: { 2: { kind: "range", from: "1" }, 1: { kind: "filled" } } }),
    ).toEqual({
      filters: { 1: { kind: "filled" } },
    });
    expect(read({ formats: { 0: { kind: "unknown" }, 1: { kind: "exact" } } })).toEqual({
      formats: { 1: { kind: "exact" } },
    });
  });
});
