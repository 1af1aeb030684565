// Runs of AV-SQL by their number of nodes: from a small one to one over a schema in many parts.

import type { RunEvent } from "../../src/host/bindings";
import { begin, page, Writer } from "./writer";

/** Nodes that are neither part nor view. */
const ELSE = 7;
/** The most views of one part. */
const VIEWS = 3;

/** Parts and views that make a run of so many nodes. */
function shareOut(nodes: number): number[] {
  if (nodes < ELSE + 1) return [];
  const rest = nodes - ELSE;
  const parts = Math.ceil(rest / (VIEWS + 1));
  let views = rest - parts;
  return Array.from({ length: parts }, () => {
    const own = Math.min(VIEWS, views);
    views -= own;
    return own;
  });
}

/** A run of as many nodes as that: from 3 to 7 without views, above with them. */
export function sizedLog(runId: string, warehouse: string, startedAt: string, nodes: number): RunEvent[] {
  const w = new Writer(runId);
  const parts = shareOut(nodes);
  w.put(begin("av-sql", `A question whose graph has ${nodes} nodes`, warehouse, startedAt, {}));
  const stage = (
    node: string,
    kind: "schema" | "rewriter" | "grounding" | "selection" | "planner" | "generator" | "revisor" | "result",
    title: string,
    inputs: string[],
    summary: string,
  ) => {
    w.put({ type: "stageStarted", node, kind, title, inputs });
    w.wait(400).put({ type: "stageFinished", node, summary });
  };
  stage("schema", "schema", "Read the schema", [], `212 tables in ${Math.max(1, parts.length)} parts, 18,860 tokens`);
  stage(
    "rewriter",
    "rewriter",
    "Rewrite the question",
    [],
    "4 columns, 3 conditions, one row for each store and month",
  );
  let before = ["schema", "rewriter"];
  parts.forEach((views, i) => {
    const number = i + 1;
    const node = `chunk-${number}`;
    const names = Array.from({ length: views }, (_, v) => `part_${number}_view_${v + 1}`);
    w.put({
      type: "stageStarted",
      node,
      kind: "chunk",
      title: `Views from part ${number} of ${parts.length}`,
      inputs: before,
    });
    w.wait(900).put({
      type: "viewsAttempted",
      node,
      chunk: number,
      attempt: 0,
      views: names.map((name, v) => ({
        name,
        sql: `SELECT store_id, SUM(amount) AS amount FROM ${v === 0 ? "sales" : names[v - 1]} GROUP BY store_id`,
        rationale: "Sales of each store and month, without what was returned.",
        dependsOn: v === 0 ? [] : [names[v - 1]!],
        status: "valid" as const,
        repairs: [],
        error: null,
        page: page([["store_id", "integer"]], [["1"]], 1204 + v),
      })),
      selection: { tables: [{ name: "sales", columns: ["store_id", "amount"] }] },
      consistent: true,
      feedback: [],
    });
    w.put({ type: "chunkFinished", node, chunk: number, outcome: "valid", keptAttempt: 0, keptViews: names });
    w.put({ type: "stageFinished", node, summary: `${views} views kept` });
  });
  if (parts.length > 0) {
    before = parts.map((_, i) => `chunk-${i + 1}`);
    stage("selection", "selection", "Selection", before, `9 tables, ${parts.reduce((a, b) => a + b, 0)} views`);
    stage("planner", "planner", "Plan", ["selection"], "5 steps over the views of three parts");
    before = ["planner"];
  }
  stage("generator", "generator", "Write the SQL", before, "3 of 4 queries give the same result");
  if (nodes > 4) stage("revisor", "revisor", "Check the SQL", ["generator"], "Added the limit of ten");
  stage("result", "result", "Run the query", [nodes > 4 ? "revisor" : "generator"], "10 rows");
  return w.finish().events;
}
