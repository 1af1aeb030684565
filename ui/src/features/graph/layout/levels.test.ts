import { describe, expect, it } from "vitest";
import { sizedLog } from "../../../../test/fake/sized";
import { LEAST_SCALE, levelAt, textAt } from "../../../kit/diagram/levels";
import { foldRun } from "../model/fold";
import { findNodes } from "./find";
import { layoutRun } from "./layout";
import { pathThrough } from "./path";

const run = foldRun(sizedLog("r", "duckdb:/x", "2026-11-21T10:00:00Z", 40));
const open = layoutRun(run);
const closed = layoutRun(run, () => false);

describe("a run of forty nodes", () => {
  it("has them all where lanes are open, and its parts where they are closed", () => {
    expect(open.boxes).toHaveLength(40);
    expect(closed.boxes.filter((b) => b.shape === "view")).toEqual([]);
    expect(closed.boxes.filter((b) => b.shape === "closed")).toHaveLength(9);
    expect(closed.height).toBeLessThan(open.height / 2);
    expect(closed.width).toBeLessThan(open.width);
  });

  it("opens one lane alone, without an overlap", () => {
    const some = layoutRun(run, (id) => id === "chunk-2");
    expect(some.boxes.filter((b) => b.shape === "view").map((b) => b.id)).toHaveLength(3);
    const lanes = some.boxes.filter((b) => b.id.startsWith("chunk-"));
    for (const [i, lane] of lanes.slice(1).entries())
      expect(lane.y).toBeGreaterThanOrEqual(lanes[i]!.y + lanes[i]!.height);
  });

  it("has lines between the same stages, open or closed", () => {
    const between = (edges: typeof open.edges) => edges.filter((e) => !e.from.startsWith("view:")).map((e) => e.id);
    expect(between(closed.edges)).toEqual(between(open.edges));
  });
});

describe("the text of a card", () => {
  it("is never less than 10 px high, at any scale", () => {
    for (let scale = LEAST_SCALE; scale <= 1.6; scale += 0.01) {
      // The smallest text of a card at full size is 12 px.
      const height = levelAt(scale) === "full" ? 12 * scale : textAt(scale) * scale;
      expect(height).toBeGreaterThanOrEqual(10);
    }
  });
});

describe("the path of a node", () => {
  it("is what led to it and what it led to, and nothing beside it", () => {
    const lit = pathThrough(run, open.edges, "chunk-3");
    expect(lit).toContain("schema>chunk-3");
    expect(lit).toContain("chunk-3>selection");
    expect(lit).toContain("revisor>result");
    expect(lit).not.toContain("schema>chunk-2");
    expect(lit).not.toContain("chunk-2>selection");
    expect(pathThrough(run, open.edges, null).size).toBe(0);
  });

  it("of a view goes on through its lane", () => {
    const lit = pathThrough(run, open.edges, "view:part_1_view_2");
    expect(lit).toContain("view:part_1_view_1>view:part_1_view_2");
    expect(lit).toContain("chunk-1>selection");
    expect(lit).not.toContain("chunk-2>selection");
  });
});

describe("looking for a node", () => {
  it("finds names, what a node did, and SQL", () => {
    expect(findNodes(run, "part_2_view")).toEqual(["view:part_2_view_1", "view:part_2_view_2", "view:part_2_view_3"]);
    expect(findNodes(run, "LIMIT ten")).toEqual(["revisor"]);
    expect(findNodes(run, "from sales")).toEqual(run.views.map((view) => view.id));
  });
  it("finds nothing where nothing is typed or nothing has it", () => {
    expect(findNodes(run, "  ")).toEqual([]);
    expect(findNodes(run, "unheard-of")).toEqual([]);
  });
});
