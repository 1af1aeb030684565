import { describe, expect, it } from "vitest";
import { manyTables } from "../../../../test/fake/tables";
import type { InferredKeyRow } from "../../../host/bindings";
import type { Box } from "../../../kit/diagram/boxes";
import { layoutOf, pathOf, viewAround } from "./layout";
import { linksBetween, linksOf, schemaOf, tablesAround } from "./links";

const table = (name: string) => ({ catalog: null, schema: null, name });
const inferred: InferredKeyRow = {
  id: "t_1",
  key: {
    table: table("t_1"),
    columns: ["c_1"],
    references: { table: table("t_0"), columns: ["c_0"] },
    confidence: 1,
    reason: "every value is there",
  },
  decision: null,
};

function laid(tables: number, start: string) {
  const links = linksOf(manyTables(tables).catalog, [inferred]);
  const { labels } = schemaOf(links, start, 1_000);
  const shown = linksBetween(links, labels);
  return { labels, shown, layout: layoutOf(labels, shown, start) };
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("the keys of a database", () => {
  const links = linksOf(manyTables(60).catalog, [inferred]);

  it("say which of them are inferred", () => {
    expect(links.of.get("t_1")!.find(({ from }) => from === "t_1")).toMatchObject({
      to: "t_0",
      columns: ["c_1"],
      refColumns: ["c_0"],
      evidence: "every value is there",
    });
    expect(links.of.get("t_2")!.find(({ from }) => from === "t_2")?.evidence).toBeNull();
  });

  it("lead to the neighbours of a table, and further", () => {
    expect(tablesAround(links, "t_1", 1, 100).labels.sort()).toEqual(["t_0", "t_1", "t_4", "t_5", "t_6"]);
    expect(tablesAround(links, "t_1", 2, 100).labels).toContain("t_2");
    expect(tablesAround(links, "t_1", 2, 3)).toMatchObject({ left: expect.any(Number) });
    expect(tablesAround(links, "t_1", 2, 3).labels).toHaveLength(3);
    expect(tablesAround(links, "t_9", 0, 100).labels).toEqual(["t_9"]);
  });

  it("are each drawn once, and only between tables that are shown", () => {
    const { labels } = tablesAround(links, "t_1", 1, 100);
    const shown = linksBetween(links, labels);
    expect(shown.map(({ from, to }) => `${from}>${to}`).sort()).toEqual(["t_1>t_0", "t_4>t_1", "t_5>t_1", "t_6>t_1"]);
  });

  it("stay within a schema where that is shown", () => {
    const { catalog } = manyTables(6);
    catalog.tables[5] = { ...catalog.tables[5]!, name: { catalog: null, schema: "other", name: "t_5" } };
    expect(schemaOf(linksOf(catalog, []), "t_1", 100).labels.sort()).toEqual(["t_0", "t_1", "t_2", "t_3", "t_4"]);
  });
});

describe("where tables stand", () => {
  it.each([5, 16, 60])("is a place of its own for each of %i", (size) => {
    const { labels, layout } = laid(size, "t_1");
    expect(layout.boxes.map(({ id }) => id).sort()).toEqual([...labels].sort());
    for (const [i, box] of layout.boxes.entries()) {
      expect(layout.boxes.slice(i + 1).filter((other) => overlap(box, other))).toEqual([]);
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= layout.width).toBe(true);
      expect(box.y + box.height <= layout.height).toBe(true);
    }
  });

  it("is to the right for what a table refers to, to the left for what refers to it", () => {
    const { layout } = laid(16, "t_1");
    const at = (id: string) => layout.boxes.find((box) => box.id === id)!.x;
    expect(at("t_0")).toBeGreaterThan(at("t_1"));
    expect(at("t_4")).toBeLessThan(at("t_1"));
  });

  it("is no longer a column than a page is high", () => {
    const { layout } = laid(60, "t_1");
    const columns = new Map<number, number>();
    for (const { x } of layout.boxes) columns.set(x, (columns.get(x) ?? 0) + 1);
    const tied = layout.boxes.filter(({ y }) => y < 9 * 62);
    expect(Math.max(...columns.values())).toBeLessThan(20);
    expect(tied.length).toBeGreaterThan(40);
  });

  it("is seen around the chosen table, at a size that can be read", () => {
    const { layout } = laid(60, "t_1");
    for (const frame of [
      { width: 744, height: 560 },
      { width: 500, height: 400 },
    ]) {
      const card = layout.boxes.find(({ id }) => id === "t_1")!;
      const { x, y, zoom } = viewAround(layout, frame, card);
      expect(12 * zoom).toBeGreaterThanOrEqual(10);
      const [left, top] = [card.x * zoom + x, card.y * zoom + y];
      expect(left >= 0 && left + card.width * zoom <= frame.width).toBe(true);
      expect(top >= 0 && top + card.height * zoom <= frame.height).toBe(true);
    }
    const small = laid(2, "t_1").layout;
    expect(viewAround(small, { width: 900, height: 400 }, small.boxes[0]!).zoom).toBeGreaterThan(1);
  });

  it("is found for a table without any key, and for one that refers to itself", () => {
    const { catalog } = manyTables(3);
    catalog.tables[0]!.foreignKeys = [{ columns: ["c_1"], refTable: table("t_0"), refColumns: ["c_0"] }];
    const links = linksOf(catalog, []);
    const { labels } = schemaOf(links, "t_0", 10);
    const layout = layoutOf(labels, linksBetween(links, labels), "t_0");
    expect(layout.boxes).toHaveLength(3);
    const own = layout.boxes.find(({ id }) => id === "t_0")!;
    expect(pathOf(own, own).path).toMatch(/^M/);
    expect(layoutOf(["t_2"], [], "t_2").boxes).toHaveLength(1);
  });
});
