// The stages of a run as a person follows them: one line each, those to come included.

import type { StageKind } from "../../host/bindings";
import type { NodeStatus, RunModel, StageNode } from "./model";
import { stageUsage } from "./model";

export const STAGE_NAMES: Record<StageKind, { doing: string; done: string; name: string }> = {
  schema: { name: "Schema", doing: "Reading the schema", done: "Read the schema" },
  rewriter: { name: "Question", doing: "Understanding the question", done: "Understood the question" },
  linking: { name: "Tables", doing: "Choosing tables and columns", done: "Chose tables and columns" },
  grounding: { name: "Values", doing: "Looking names and values up", done: "Looked names and values up" },
  exploration: { name: "Data", doing: "Looking at the data", done: "Looked at the data" },
  chunk: { name: "Views", doing: "Looking for the data", done: "Looked for the data" },
  selection: { name: "Selection", doing: "Gathering what was found", done: "Gathered what was found" },
  planner: { name: "Plan", doing: "Planning the query", done: "Planned the query" },
  examples: { name: "Examples", doing: "Writing examples", done: "Wrote examples" },
  step: { name: "Step", doing: "Building the query", done: "Built the query" },
  generator: { name: "SQL", doing: "Writing the SQL", done: "Wrote the SQL" },
  choice: { name: "Choice", doing: "Comparing the results", done: "Compared the results" },
  fetch: { name: "Views", doing: "Fetching views", done: "Fetched views" },
  analysis: { name: "Analysis", doing: "Analysing the views", done: "Analysed the views" },
  revisor: { name: "Revision", doing: "Checking the SQL", done: "Checked the SQL" },
  result: { name: "Result", doing: "Running the query", done: "Ran the query" },
};

export interface StageLine {
  kind: StageKind;
  label: string;
  status: NodeStatus | "waiting";
  detail: string;
  stages: StageNode[];
  startMs: number | null;
  endMs: number | null;
  tokens: number;
}

/** The kinds of stage that a run with these settings goes through. */
export function expectedKinds(run: RunModel): StageKind[] {
  if (run.settings?.strategy === "direct") return ["schema", "generator", "result"];
  // The views of auto come only where the first candidates disagree.
  if (run.settings?.strategy === "auto") return ["schema", "grounding", "generator", "result"];
  const off = run.settings?.without ?? [];
  const kinds: StageKind[] = ["schema"];
  if (!off.includes("rewriter")) kinds.push("rewriter");
  kinds.push("chunk", "selection");
  if (!off.includes("planner")) kinds.push("planner");
  kinds.push("generator");
  if (!off.includes("revisor")) kinds.push("revisor");
  kinds.push("result");
  return kinds;
}

/** One line per kind of stage. Chunks share one line. Stages to come appear only while the run goes on. */
export function stageLines(run: RunModel): StageLine[] {
  const expected = expectedKinds(run);
  const seen = run.stages.map((s) => s.kind).filter((kind) => !expected.includes(kind));
  const lines: StageLine[] = [];
  for (const kind of [...expected, ...new Set(seen)]) {
    const stages = run.stages.filter((s) => s.kind === kind);
    if (stages.length === 0) {
      if (run.status === "running") lines.push(waiting(kind));
      continue;
    }
    lines.push(line(run, kind, stages));
  }
  return lines;
}

function waiting(kind: StageKind): StageLine {
  return {
    kind,
    label: STAGE_NAMES[kind].doing,
    status: "waiting",
    detail: "",
    stages: [],
    startMs: null,
    endMs: null,
    tokens: 0,
  };
}

function line(run: RunModel, kind: StageKind, stages: StageNode[]): StageLine {
  const chunks = run.stages.find((s) => s.schema)?.schema?.chunks.length ?? stages.length;
  const ended = stages.filter((s) => s.endMs !== null).length;
  // Chunks may start one after another: the line is not done while some are still to come.
  const pending = kind === "chunk" && run.status === "running" && ended < chunks;
  const status = pending ? "running" : worst(stages.map((s) => s.status));
  const waits = run.offered !== null && kind === "generator";
  const many = kind === "chunk" && chunks > 1;
  const end = stages.every((s) => s.endMs !== null) && !pending ? Math.max(...stages.map((s) => s.endMs ?? 0)) : null;
  return {
    kind,
    label: unfinished(status) ? STAGE_NAMES[kind].doing : STAGE_NAMES[kind].done,
    status,
    detail: waits
      ? "waits for your choice"
      : many
        ? chunkDetail(run, stages, ended, chunks)
        : (stages.at(-1)?.summary ?? ""),
    stages,
    startMs: Math.min(...stages.map((s) => s.startMs)),
    endMs: end,
    tokens: stages.reduce((sum, s) => {
      const usage = stageUsage(s);
      return sum + usage.prompt_tokens + usage.completion_tokens;
    }, 0),
  };
}

function unfinished(status: NodeStatus): boolean {
  return status === "running" || status === "failed" || status === "cancelled";
}

function chunkDetail(run: RunModel, stages: StageNode[], ended: number, chunks: number): string {
  const ids = new Set(stages.map((s) => s.id));
  const views = run.views.filter((v) => ids.has(v.stage));
  const kept = views.filter((v) => v.kept).length;
  if (ended < chunks) {
    const sofar = views.length === 0 ? "" : `${views.length} ${views.length === 1 ? "view" : "views"} so far`;
    return [`part ${Math.min(ended + 1, chunks)} of ${chunks}`, sofar].filter(Boolean).join(", ");
  }
  const found = views.length === 0 ? "" : `${kept} of ${views.length} views kept`;
  return [`${chunks} parts`, found].filter(Boolean).join(", ");
}

const ORDER: NodeStatus[] = ["running", "cancelled", "failed", "warning", "done", "skipped"];

/** The status that a group of nodes shows: what still runs, then what went wrong, then what went well. */
export function worst(statuses: NodeStatus[]): NodeStatus {
  const some = ORDER.find((status) => statuses.includes(status)) ?? "done";
  // One failed part among good ones is a warning, not a failure of the step.
  if (some === "failed" && statuses.some((s) => s === "done" || s === "warning")) return "warning";
  return some;
}
