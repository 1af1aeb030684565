import { describe, expect, it } from "vitest";
import { EXPLAINED } from "../../../../test/fake/explained";
import { avSqlLog, directLog, explainedLog, FINAL, failedLog } from "../../../../test/fake/log";
import { page } from "../../../../test/fake/writer";
import type { EventBody, RunEvent, StageKind, ViewAttempt } from "../../../host/bindings";
import { applyEvent, foldRun } from "./fold";
import { activeCall, emptyRun, nodeById, nodeRows, stageMs, stageUsage } from "./model";

const AT = "2026-11-21T10:00:00Z";
const whole = () => avSqlLog("r", "duckdb:/x", AT);

/** Numbers bodies as a run would. */
function log(...bodies: EventBody[]): RunEvent[] {
  return bodies.map((body, i) => ({ runId: "r", seq: i + 1, atMs: i * 10, body }));
}
const start = (node: string, kind: StageKind, inputs: string[] = []): EventBody => ({
  type: "stageStarted",
  node,
  kind,
  title: node,
  inputs,
});
const view = (name: string, status: ViewAttempt["status"], dependsOn: string[] = []): ViewAttempt => ({
  name,
  sql: `SELECT '${status}'`,
  rationale: "",
  dependsOn,
  status,
  repairs: [],
  error: status === "error" ? "no such column" : null,
  page: status === "error" ? null : page([["a", "integer"]], status === "empty" ? [] : [["1"]]),
});
const attempted = (attempt: number, views: ViewAttempt[], chunk = 1): EventBody => ({
  type: "viewsAttempted",
  node: `chunk-${chunk}`,
  chunk,
  attempt,
  views,
  selection: { tables: [] },
  consistent: true,
  feedback: [],
});

describe("a run that explains itself", () => {
  it("has its answer before it has told how it came about, and keeps that", () => {
    const events = explainedLog("r", "duckdb:/x", AT, EXPLAINED);
    const before = foldRun(events.slice(0, -2));
    expect([before.status, before.page?.rowCount, before.explanation]).toEqual(["running", 10, null]);
    expect(foldRun(events)).toMatchObject({ status: "answered", explanation: EXPLAINED });
  });
});

describe("a warning that holds while the search goes on", () => {
  const warn = (message: string, passing?: boolean): EventBody => ({ type: "warning", node: null, message, passing });
  const told = (...bodies: EventBody[]) => foldRun(log(...bodies)).warnings.map((w) => w.message);
  const best = { type: "resultReady", node: "result", sql: "SELECT 1", page: page([["a", "integer"]], [["1"]]) };
  it("vanishes with the answer; others stay", () => {
    const before = [warn("slow", true), warn("stays")];
    expect(told(...before)).toEqual(["slow", "stays"]);
    expect(told(...before, best as EventBody)).toEqual(["stays"]);
  });
});

describe("a step that gave nothing", () => {
  const tried = (candidate: number, error: string | null): EventBody => ({
    type: "sqlAttempted",
    node: "generator",
    candidate,
    attempt: 0,
    sql: "SELECT 1",
    repairs: [],
    error,
    rowCount: error === null ? 1 : null,
    digest: null,
  });
  const finished = (node: string): EventBody => ({ type: "stageFinished", node, summary: "" });
  const statusOf = (node: string, kind: StageKind, ...bodies: EventBody[]) =>
    foldRun(log(start(node, kind), ...bodies, finished(node))).stages[0]!.status;

  it("has failed where all of its queries failed", () => {
    expect(statusOf("generator", "generator", tried(1, "no such column"), tried(2, "syntax error"))).toBe("failed");
    expect(statusOf("generator", "generator", tried(1, "no such column"), tried(1, null))).toBe("done");
    expect(statusOf("generator", "generator")).toBe("done");
  });
  it("is no success where it chose no table", () => {
    const chose = (...names: string[]): EventBody => ({
      type: "aggregated",
      node: "selection",
      selection: { tables: names.map((name) => ({ name, columns: [] })) },
      views: [],
    });
    expect(statusOf("selection", "selection", chose())).toBe("warning");
    expect(statusOf("selection", "selection", chose("orders"))).toBe("done");
  });
});

describe("a whole run", () => {
  const run = foldRun(whole());

  it("knows what was asked and how it ended", () => {
    expect(run.question).toContain("ten best-selling");
    expect(run.status).toBe("answered");
    expect(run.error).toBeNull();
    expect(run.dialect).toBe("duckdb");
    expect(run.explanation).toBeNull();
    expect(run.settings?.candidates).toBe(4);
  });

  it("has a node for each stage, in the order they ran", () => {
    expect(run.stages.map((s) => s.id)).toEqual([
      "schema",
      "rewriter",
      "chunk-1",
      "chunk-2",
      "selection",
      "planner",
      "generator",
      "revisor",
      "result",
    ]);
  });

  it("has a node for each view, with every attempt", () => {
    const lines = run.views.find((v) => v.name === "sold_lines_2024")!;
    expect(lines.attempts).toHaveLength(2);
    expect(lines.attempts[0]!.view.error).toContain("prod_id");
    expect(lines.last.status).toBe("valid");
    expect(lines.kept).toBe(true);
    expect(lines.status).toBe("done");
    expect(nodeRows(lines)).toBe(10000);
  });

  it("shows what a chunk without use left behind as not needed", () => {
    expect(nodeById(run, "chunk-2")?.status).toBe("skipped");
    expect(run.views.find((v) => v.name === "store_names")?.status).toBe("skipped");
  });

  it("gives the revised SQL and the rows", () => {
    expect(run.sql).toBe(FINAL);
    expect(run.revision?.kept).toBe(true);
    expect(run.page?.rowCount).toBe(10);
  });

  it("marks a stage that warned", () => {
    expect(nodeById(run, "result")?.status).toBe("warning");
    expect(run.warnings).toHaveLength(1);
  });

  it("adds up what each stage cost", () => {
    const chunk = run.stages.find((s) => s.id === "chunk-1")!;
    expect(chunk.calls).toHaveLength(2);
    expect(stageUsage(chunk).prompt_tokens).toBe(1960 + 2240);
    expect(chunk.queries).toHaveLength(5);
    expect(stageMs(chunk, 0)).toBeGreaterThan(9000);
  });

  it("takes the totals from the last event", () => {
    const last = whole().at(-1)!;
    expect(last.body.type === "runFinished" && run.usage).toEqual(
      last.body.type === "runFinished" ? last.body.usage : null,
    );
  });
});

describe("event by event", () => {
  it("gives the same as all at once, wherever it is cut", () => {
    const events = whole();
    const at = foldRun(events);
    for (const cut of [1, 7, 40, 90, events.length - 1]) {
      const first = foldRun(events.slice(0, cut));
      expect(events.slice(cut).reduce(applyEvent, first)).toEqual(at);
    }
  });

  it("ignores an event that was seen already", () => {
    const events = whole();
    const run = foldRun(events);
    expect(applyEvent(run, events[3]!)).toBe(run);
    expect(foldRun([...events, ...events])).toEqual(run);
  });

  it("does not change the model it was given", () => {
    const events = whole();
    const before = foldRun(events.slice(0, 30));
    const copy = structuredClone(before);
    applyEvent(before, events[30]!);
    expect(before).toEqual(copy);
  });

  it("keeps the identity of stages that an event does not touch", () => {
    const events = whole();
    const cut = events.findIndex((e) => e.body.type === "planned");
    const before = foldRun(events.slice(0, cut));
    const after = applyEvent(before, events[cut]!);
    expect(after.stages[0]).toBe(before.stages[0]);
    expect(after.stages.find((s) => s.id === "planner")).not.toBe(before.stages.find((s) => s.id === "planner"));
  });

  it("shows the reply while it is written", () => {
    const events = whole();
    const cut = events.findIndex((e) => e.body.type === "modelCallProgress") + 3;
    const active = activeCall(foldRun(events.slice(0, cut)));
    expect(active?.stage.id).toBe("rewriter");
    expect(active?.call.text.length).toBe(54);
    expect(active?.call.replies).toBeNull();
  });

  it("has no active call once the run ended", () => {
    expect(activeCall(foldRun(whole()))).toBeNull();
  });

  it("counts an unknown event as seen", () => {
    const run = foldRun([{ runId: "r", seq: 1, atMs: 5, body: { type: "somethingNew" } as unknown as EventBody }]);
    expect(run.lastSeq).toBe(1);
    expect(run.stages).toEqual([]);
  });

  it("draws a stage whose start is missing", () => {
    const run = foldRun(log(attempted(0, [view("a", "valid")])));
    expect(run.stages[0]).toMatchObject({ id: "chunk-1", kind: "chunk", chunk: 1 });
  });

  it("adds up usage before the last event has come", () => {
    const events = whole();
    const cut = events.findIndex((e) => e.body.type === "planned");
    const run = foldRun(events.slice(0, cut));
    expect(run.usage.llm_calls).toBe(5);
    expect(run.usage.db_calls).toBe(6);
    expect(run.usageByAgent["view-generator"]?.llm_calls).toBe(3);
  });
});

describe("views", () => {
  it("keep the attempt that ran when a later one does not", () => {
    const run = foldRun(
      log(start("chunk-1", "chunk"), attempted(0, [view("a", "valid")]), attempted(1, [view("a", "error")])),
    );
    expect(run.views[0]).toMatchObject({ status: "done", last: { status: "valid" } });
    expect(run.views[0]!.attempts).toHaveLength(2);
  });

  it("show the attempt that was kept", () => {
    const run = foldRun(
      log(
        start("chunk-1", "chunk"),
        attempted(0, [view("a", "valid")]),
        attempted(1, [view("a", "empty")]),
        { type: "chunkFinished", node: "chunk-1", chunk: 1, outcome: "partial", keptAttempt: 0, keptViews: ["a"] },
        { type: "stageFinished", node: "chunk-1", summary: "" },
      ),
    );
    expect(run.views[0]!.last.status).toBe("valid");
    expect(nodeById(run, "chunk-1")?.status).toBe("warning");
  });

  it("without rows are a warning, those that never ran a failure", () => {
    const run = foldRun(log(start("chunk-1", "chunk"), attempted(0, [view("a", "empty"), view("b", "error")])));
    expect(run.views.map((v) => v.status)).toEqual(["warning", "failed"]);
    expect(run.views.map((v) => v.kept)).toEqual([null, null]);
  });

  it("of the same name in two chunks are two nodes", () => {
    const run = foldRun(
      log(
        start("chunk-1", "chunk"),
        attempted(0, [view("a", "valid")]),
        start("chunk-2", "chunk"),
        attempted(0, [view("a", "error")], 2),
      ),
    );
    expect(run.views.map((v) => v.id)).toEqual(["view:a", "view:a@2"]);
    expect(run.views.map((v) => v.status)).toEqual(["done", "failed"]);
  });

  it("that a failed chunk dropped are not passed on", () => {
    const run = foldRun(
      log(
        start("chunk-1", "chunk"),
        attempted(0, [view("a", "valid"), view("b", "error")]),
        { type: "chunkFinished", node: "chunk-1", chunk: 1, outcome: "failed", keptAttempt: null, keptViews: [] },
        { type: "stageFinished", node: "chunk-1", summary: "" },
      ),
    );
    expect(run.views.map((v) => v.status)).toEqual(["skipped", "failed"]);
    expect(nodeById(run, "chunk-1")?.status).toBe("failed");
  });
});

describe("how a run ends", () => {
  it("answered by the baseline", () => {
    const run = foldRun(directLog("d", "duckdb:/x", AT));
    expect(run.stages.map((s) => s.kind)).toEqual(["schema", "generator", "result"]);
    expect(run.page?.rows).toEqual([["18462"]]);
  });

  it("failed: what still ran has failed, what was done stays done", () => {
    const run = foldRun(failedLog("f", "duckdb:/x", AT));
    expect(run.status).toBe("failed");
    expect(run.error?.code).toBe("model");
    expect(nodeById(run, "planner")?.status).toBe("failed");
    expect(nodeById(run, "rewriter")?.status).toBe("done");
    expect(activeCall(run)).toBeNull();
  });

  it("stopped: what still ran was stopped", () => {
    const run = foldRun(
      log(start("generator", "generator"), {
        type: "runFinished",
        error: { code: "cancelled", message: "You stopped this question.", hint: null, detail: null },
        usage: emptyRun().usage,
        usageByAgent: {},
      }),
    );
    expect(run.status).toBe("cancelled");
    expect(run.stages[0]!.status).toBe("cancelled");
    expect(run.stages[0]!.endMs).toBe(10);
  });

  it("answered within its limit: a stage that the limit cut off was stopped", () => {
    const run = foldRun(
      log(start("generator", "generator"), {
        type: "runFinished",
        error: null,
        usage: emptyRun().usage,
        usageByAgent: {},
      }),
    );
    expect(run.status).toBe("answered");
    expect(run.stages[0]!.status).toBe("cancelled");
  });

  it("cut off: it stays running, for the caller to judge", () => {
    expect(foldRun(whole().slice(0, -1)).status).toBe("running");
  });
});

describe("the revisor", () => {
  const revised = (kept: boolean): EventBody => ({
    type: "revised",
    node: "revisor",
    before: "SELECT 1",
    after: "SELECT 2",
    kept,
    reason: "",
  });
  it("sets the SQL when its edit is kept", () => {
    expect(foldRun(log(start("revisor", "revisor"), revised(true))).sql).toBe("SELECT 2");
  });
  it("leaves the SQL when it is not", () => {
    expect(foldRun(log(start("revisor", "revisor"), revised(false))).sql).toBe("SELECT 1");
  });
});

it("merges stored values over attempts without repeating them", () => {
  const match = { literal: "USA", table: "customers", column: "ctry", value: "US", edit: 0.6, semantic: 0.89 };
  const found: EventBody = { type: "valuesRetrieved", node: "chunk-1", literals: ["USA"], matches: [match] };
  const run = foldRun(log(start("chunk-1", "chunk"), found, found));
  expect(run.stages[0]!.values).toEqual([match]);
  expect(run.stages[0]!.literals).toEqual(["USA"]);
});

it("gives the chosen candidate's rows for the generator", () => {
  const tried = (candidate: number, rowCount: number | null): EventBody => ({
    type: "sqlAttempted",
    node: "generator",
    candidate,
    attempt: 0,
    sql: "SELECT 1",
    repairs: [],
    error: rowCount === null ? "no" : null,
    rowCount,
    digest: null,
  });
  const run = foldRun(
    log(start("generator", "generator"), tried(1, 7), tried(2, null), {
      type: "candidateChosen",
      node: "generator",
      candidate: 1,
      votes: 1,
      of: 1,
      sql: "SELECT 1",
      reason: "",
      others: [{ candidate: 2, votes: 1, sql: "SELECT 2", meaning: "", rowCount: 1, firstRow: ["12345"] }],
    }),
  );
  expect(nodeRows(run.stages[0]!)).toBe(7);
  expect(run.stages[0]!.choice?.others).toHaveLength(1);
});
