// A stage with only its name known.

import type { StageKind } from "../../../host/bindings";
import type { StageNode } from "./model";
import { STAGE_NAMES } from "./names";

export function newStage(id: string, at: number): StageNode {
  return {
    type: "stage",
    id,
    kind: kindOf(id),
    title: id,
    inputs: [],
    status: "running",
    startMs: at,
    endMs: null,
    summary: "",
    calls: [],
    queries: [],
    warnings: [],
    literals: [],
    values: [],
    schema: null,
    rewritten: null,
    chunk: null,
    chunkAttempts: [],
    outcome: null,
    keptAttempt: null,
    keptViews: [],
    selection: null,
    passedViews: [],
    plan: null,
    reasons: [],
    linked: [],
    orders: [],
    probes: [],
    facts: [],
    state: null,
    examples: null,
    vote: null,
    comparison: null,
    fetches: [],
    executions: [],
    sqlAttempts: [],
    changed: [],
    variantsTried: [],
    rules: null,
    choice: null,
    asked: null,
    revision: null,
    tests: [],
    sql: null,
    code: null,
    page: null,
    keptFrom: null,
    edits: [],
  };
}

/** Derives the kind from a node's name; only needed when a log lacks the start of a stage. */
function kindOf(id: string): StageKind {
  if (id.startsWith("vote-")) return "choice";
  const kinds = Object.keys(STAGE_NAMES) as StageKind[];
  return kinds.find((kind) => id === kind || id.startsWith(`${kind}-`)) ?? "generator";
}
