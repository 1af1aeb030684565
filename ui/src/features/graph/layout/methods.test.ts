// Where the nodes of the published methods' runs lie.

import { describe, expect, it } from "vitest";
import { chase, dsr, long, METHOD_RUNS, prospy, reforce } from "../../../../test/fake/methodRuns";
import { type Box, layoutRun, neighbour } from "./layout";

describe.each(METHOD_RUNS)("a run of %s", (_, run) => {
  const layout = layoutRun(run);

  it("has every node on the picture", () => {
    expect(layout.boxes.map((b) => b.id).sort()).toEqual(run.stages.map((s) => s.id).sort());
  });

  it("lets nothing overlap and reaches every node with the arrow keys", () => {
    const apart = (a: Box, b: Box) =>
      a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    for (const a of layout.boxes) {
      for (const b of layout.boxes) expect(a === b || apart(a, b), `${a.id} and ${b.id}`).toBe(true);
    }
    const seen = new Set<string>();
    const queue = [layout.boxes[0]!.id];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const way of ["left", "right", "up", "down"] as const) {
        const next = neighbour(layout, id, way);
        if (next) queue.push(next);
      }
    }
    expect(seen.size).toBe(layout.boxes.length);
  });

  it("leads a line into every node but the first", () => {
    const reached = new Set(layout.edges.map((e) => e.to));
    expect(layout.boxes.filter((b) => !reached.has(b.id)).map((b) => b.id)).toEqual(["schema"]);
  });
});

describe("DSR-SQL", () => {
  const layout = layoutRun(dsr);
  const box = (id: string) => layout.boxes.find((b) => b.id === id)!;
  const way = (id: string) => layout.edges.find((e) => e.id === id)?.way;

  it("is a path downwards with looks aside to its right", () => {
    expect(box("step-2").x).toBeGreaterThan(box("step-1").x);
    expect(box("step-2").y).toBe(box("step-1").y);
    expect(box("step-3").y).toBeGreaterThan(box("step-2").y);
    expect(["step-1", "step-4", "step-5", "step-6"].map((id) => box(id).x)).toEqual(Array(4).fill(box("step-1").x));
    expect(way("step-1>step-2")).toBe("aside");
    expect(way("step-1>step-4")).toBe("down");
    expect(way("step-3>step-4")).toBe("in");
  });

  it("has what leads to it level with its first state, and the answer with its last", () => {
    const level = (id: string) => box(id).y + box(id).height / 2;
    expect(level("schema")).toBe(level("step-1"));
    expect(level("result")).toBe(level("step-6"));
  });

  it("goes on in another column when it is long", () => {
    const boxes = layoutRun(long).boxes.filter((b) => b.shape === "state");
    expect(boxes).toHaveLength(20);
    expect(new Set(boxes.map((b) => b.y)).size).toBeLessThanOrEqual(7);
    expect(layoutRun(long).edges.filter((e) => e.way === "on").length).toBeGreaterThan(0);
  });
});

describe("CHASE-SQL", () => {
  it("has its generators below each other, examples above what follows them, and one choice", () => {
    const layout = layoutRun(chase);
    const column = ["divide-and-conquer", "query-plan", "examples", "synthetic"];
    const boxes = column.map((id) => layout.boxes.find((b) => b.id === id)!);
    expect(new Set(boxes.map((b) => b.x)).size).toBe(1);
    expect(boxes.map((b) => b.y)).toEqual(boxes.map((b) => b.y).sort((a, b) => a - b));
    expect(layout.edges.find((e) => e.id === "examples>synthetic")?.way).toBe("down");
    expect(layout.edges.filter((e) => e.to === "choice")).toHaveLength(3);
  });
});

describe("ReFoRCE", () => {
  it("puts the second round below the first, in the same columns", () => {
    const layout = layoutRun(reforce);
    const box = (id: string) => layout.boxes.find((b) => b.id === id)!;
    expect(box("generator-2").x).toBe(box("generator").x);
    expect(box("generator-2").y).toBeGreaterThan(box("vote-1").y + box("vote-1").height);
    expect(layout.edges.find((e) => e.id === "vote-1>exploration")?.way).toBe("back");
  });
});

describe("ProSPy", () => {
  it("has fetching and analysing between the tables and the answer", () => {
    expect(layoutRun(prospy).columns.map((c) => c.label)).toEqual(["Understand", "Fetch", "Analyse", "Answer"]);
  });
});
