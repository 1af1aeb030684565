import { describe, expect, it } from "vitest";
import { avSqlLog, directLog } from "../../../../test/fake/log";
import { foldRun } from "../model/fold";
import type { ViewNode } from "../model/model";
import { layoutRun, neighbour, viewDepths } from "./layout";

const AT = "2026-11-21T10:00:00Z";
const run = foldRun(avSqlLog("r", "duckdb:/x", AT));
const layout = layoutRun(run);
const box = (id: string) => layout.boxes.find((b) => b.id === id)!;

describe("where nodes lie", () => {
  it("is the same every time", () => {
    expect(layoutRun(foldRun(avSqlLog("r", "duckdb:/x", AT)))).toEqual(layout);
  });

  it("follows the stages from left to right", () => {
    const xs = ["rewriter", "chunk-1", "planner", "generator", "result"].map((id) => box(id).x);
    expect([...xs].sort((a, b) => a - b)).toEqual(xs);
    expect(layout.columns.map((c) => c.label)).toEqual([
      "Understand",
      "Prepare data",
      "Plan",
      "Write the SQL",
      "Answer",
    ]);
  });

  it("draws a line inside of a column past no card that it does not concern", () => {
    const events = avSqlLog("r", "duckdb:/x", AT).map((e) =>
      e.body.type === "stageStarted" && e.body.node === "planner"
        ? { ...e, body: { ...e.body, node: "values", kind: "grounding" as const, inputs: ["schema"] } }
        : e,
    );
    const { boxes } = layoutRun(foldRun(events));
    const y = (id: string) => boxes.find((b) => b.id === id)!.y;
    expect(y("values")).toBeGreaterThan(y("schema"));
    expect(y("rewriter")).toBeGreaterThan(y("values"));
  });

  it("puts chunks under each other and views inside of them", () => {
    expect(box("chunk-2").y).toBeGreaterThanOrEqual(box("chunk-1").y + box("chunk-1").height);
    for (const view of run.views) {
      const lane = box(view.stage);
      const inner = box(view.id);
      expect(inner.x).toBeGreaterThan(lane.x);
      expect(inner.y).toBeGreaterThan(lane.y);
      expect(inner.x + inner.width).toBeLessThan(lane.x + lane.width);
      expect(inner.y + inner.height).toBeLessThan(lane.y + lane.height);
    }
  });

  it("lets nothing overlap", () => {
    const solid = layout.boxes.filter((b) => b.shape !== "lane");
    for (const a of solid) {
      for (const b of solid) {
        if (a === b) continue;
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart, `${a.id} and ${b.id}`).toBe(true);
      }
    }
  });

  it("puts a view that reads another to its right", () => {
    expect(box("view:revenue_by_product").x).toBeGreaterThan(box("view:sold_lines_2024").x);
  });

  it("keeps columns in place while the run grows to the right", () => {
    const events = avSqlLog("r", "duckdb:/x", AT);
    const cut = events.findIndex((e) => e.body.type === "stageStarted" && e.body.node === "planner");
    const early = layoutRun(foldRun(events.slice(0, cut)));
    for (const b of early.boxes) expect(box(b.id).x).toBe(b.x);
  });

  it("has no column for stages that the baseline lacks", () => {
    const direct = layoutRun(foldRun(directLog("d", "duckdb:/x", AT)));
    expect(direct.columns.map((c) => c.label)).toEqual(["Understand", "Write the SQL", "Answer"]);
    expect(direct.edges.map((e) => e.id)).toEqual(["schema>generator", "generator>result"]);
  });

  it("is empty before anything happened", () => {
    expect(layoutRun(foldRun([]))).toMatchObject({ boxes: [], edges: [], width: 0 });
  });
});

describe("lines", () => {
  const ids = layout.edges.map((e) => e.id);
  it("follow inputs and dependencies", () => {
    expect(ids).toContain("rewriter>chunk-1");
    expect(ids).toContain("chunk-2>selection");
    expect(ids).toContain("view:sold_lines_2024>view:revenue_by_product");
  });
  it("run downwards inside a column", () => {
    expect(layout.edges.find((e) => e.id === "selection>planner")?.way).toBe("down");
    expect(layout.edges.find((e) => e.id === "planner>generator")?.way).toBe("ahead");
  });
  it("leave out what a longer way says already", () => {
    const more = {
      ...run,
      stages: run.stages.map((s) => (s.id === "generator" ? { ...s, inputs: ["planner", "selection"] } : s)),
    };
    const found = layoutRun(more).edges.map((e) => e.id);
    expect(found).toContain("planner>generator");
    expect(found).not.toContain("selection>generator");
  });
});

describe("depth of views", () => {
  const node = (name: string, dependsOn: string[]): ViewNode => ({
    type: "view",
    id: `view:${name}`,
    name,
    chunk: 1,
    stage: "chunk-1",
    attempts: [],
    last: { name, sql: "", rationale: "", dependsOn, status: "valid", repairs: [], error: null, page: null },
    kept: true,
    status: "done",
  });
  it("is the longest way from the tables", () => {
    const depths = viewDepths([node("c", ["a", "b"]), node("b", ["a"]), node("a", ["not_a_view"])]);
    expect([...depths]).toEqual([
      ["view:a", 0],
      ["view:b", 1],
      ["view:c", 2],
    ]);
  });
  it("ends on a cycle", () => {
    expect(viewDepths([node("a", ["b"]), node("b", ["a"])]).size).toBe(2);
  });
});

describe("arrow keys", () => {
  it("go along the run and back", () => {
    expect(neighbour(layout, "planner", "right")).toBe("revisor");
    expect(neighbour(layout, "generator", "down")).toBe("revisor");
    expect(neighbour(layout, "result", "left")).toMatch(/generator|revisor/);
  });
  it("reach every node", () => {
    const seen = new Set<string>();
    const queue = [layout.boxes[0]!.id];
    while (queue.length > 0) {
      const id = queue.pop()!;
      if (seen.has(id)) continue;
      seen.add(id);
      for (const d of ["left", "right", "up", "down"] as const) {
        const next = neighbour(layout, id, d);
        if (next) queue.push(next);
      }
    }
    expect(seen.size).toBe(layout.boxes.length);
  });
  it("stop at the edge", () => {
    expect(neighbour(layout, "result", "right")).toBeNull();
  });
});
