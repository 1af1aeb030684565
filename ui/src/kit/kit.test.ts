import { describe, expect, it } from "vitest";
import {
  bytes,
  clipText,
  clock,
  compact,
  dayName,
  duration,
  groupDigits,
  monthName,
  percent,
  roomNote,
  rowsOf,
  rowsRead,
} from "./format";
import { diffLines, foldSame } from "./lineDiff";
import { toast, useToasts } from "./toast";

describe("numbers for people", () => {
  it("groups digits without touching their value", () => {
    expect(groupDigits("18462")).toBe("18,462");
    expect(groupDigits("-9007199254740993123.10")).toBe("-9,007,199,254,740,993,123.10");
    expect(groupDigits("2024")).toBe("2024");
    expect(groupDigits("2024.50")).toBe("2024.50");
    // A code is not a number.
    expect(groupDigits("01234")).toBe("01234");
    expect(groupDigits("1e21")).toBe("1e21");
  });
  it("counts and measures", () => {
    expect([1, 1204].map((rowCount) => rowsOf({ rowCount, truncated: false }))).toEqual(["1 row", "1,204 rows"]);
    expect([999, 1234, 12345, 999_999, 1_500_000].map(compact)).toEqual(["999", "1.2k", "12k", "1M", "1.5M"]);
    expect(bytes(1117320768)).toBe("1.12 GB");
    expect(percent(0.004)).toBe("<1%");
    expect(percent(0.999)).toBe(">99%");
  });
  it("says why a result was cut, and nothing of one that is whole", () => {
    const whole = { rowCount: 12_000, complete: true, truncated: false, outOfRoom: null };
    expect([rowsRead(whole, 48), roomNote(whole)]).toEqual(["12,000 rows in 48 ms", null]);
    expect(rowsRead({ ...whole, truncated: true }, 48)).toBe("12,000 rows, limit reached in 48 ms");
    const cut = { ...whole, truncated: true, outOfRoom: "disk" as const };
    expect(rowsRead(cut, 48)).toBe("12,000 rows, stopped after 48 ms");
    expect(roomNote(cut)).toContain("the disk is full. Free some space");
    expect(roomNote({ outOfRoom: "result" })).toContain("Export the result");
  });
  it("says how long something took", () => {
    expect([48, 4200, 28_000, 72_000, 120_000, 3_720_000].map(duration)).toEqual([
      "48 ms",
      "4.2 s",
      "28 s",
      "1 min 12 s",
      "2 min",
      "1 h 2 min",
    ]);
    expect(clock(92_400)).toBe("1:32");
  });
  it("names months, and leaves what is none", () => {
    expect(monthName("2026-11")).toBe("November 2026");
    expect(monthName("2026-13")).toBe("2026-13");
  });
  it("names days", () => {
    const now = new Date(2026, 10, 21, 10);
    expect(dayName(new Date(2026, 10, 21, 0, 5).toISOString(), now)).toBe("Today");
    expect(dayName(new Date(2026, 10, 20, 23, 59).toISOString(), now)).toBe("Yesterday");
    expect(dayName(new Date(2026, 10, 18).toISOString(), now)).toBe("Wednesday");
    expect(dayName(new Date(2026, 9, 3).toISOString(), now)).toBe("3 October");
    expect(dayName(new Date(2025, 9, 3).toISOString(), now)).toBe("3 October 2025");
    expect(dayName("nonsense", now)).toBe("Earlier");
  });
  it("clips", () => expect(clipText("abcdef", 4)).toBe("abc…"));
});

describe("line differences", () => {
  it("pairs what changed and keeps what did not", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc\nd")).toEqual([
      { left: "a", right: "a", kind: "same" },
      { left: "b", right: "x", kind: "changed" },
      { left: "c", right: "c", kind: "same" },
      { left: null, right: "d", kind: "added" },
    ]);
  });
  it("shows removed lines", () => {
    expect(diffLines("a\nb", "b").map((r) => r.kind)).toEqual(["removed", "same"]);
  });
  it("gives back both texts", () => {
    const rows = diffLines("one\ntwo\nthree\nfour", "zero\none\nthree\n4\nfive");
    const side = (s: "left" | "right") => rows.map((r) => r[s]).filter((t) => t !== null);
    expect(side("left")).toEqual(["one", "two", "three", "four"]);
    expect(side("right")).toEqual(["zero", "one", "three", "4", "five"]);
  });
  it("folds long stretches without a change", () => {
    const same = Array.from({ length: 10 }, (_, i) => `line ${i}`).join("\n");
    const parts = foldSame(diffLines(same, `${same}\nLIMIT 10`));
    expect(parts.map((p) => [p.folded, p.rows.length])).toEqual([
      [true, 8],
      [false, 3],
    ]);
  });
});

describe("messages", () => {
  it("that offer to undo stay while others come", () => {
    useToasts.setState({ items: [] });
    const undo = toast({ title: "Replaced", actions: [{ label: "Undo", run: () => {} }] });
    for (let n = 1; n <= 8; n++) toast({ title: `Exported ${n}` });
    const titles = useToasts.getState().items.map((t) => t.title);
    expect(titles).toEqual(["Replaced", "Exported 5", "Exported 6", "Exported 7", "Exported 8"]);
    toast({ id: undo, title: "Replaced again" });
    expect(useToasts.getState().items).toHaveLength(5);
  });
});
