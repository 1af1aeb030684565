// What helps where an answer is wrong, by what is wrong with it. Each is an action that exists on the page or leads to one.

import { otherResults } from "../features/graph/model/answer";
import type { RunModel } from "../features/graph/model/model";
import { othersOf } from "../features/graph/model/readings";

export type Wrong = "number" | "rows" | "meaning" | "other";

export type Help = "steps" | "conditions" | "results" | "notes" | "sql" | "definition" | "question" | "again";

/** The order in which the actions help, by what is wrong. */
const HELPS: Record<Wrong, Help[]> = {
  number: ["results", "steps", "notes", "sql"],
  rows: ["conditions", "steps", "notes", "results", "sql"],
  meaning: ["results", "definition", "question"],
  other: ["question", "sql", "again"],
};

/** The actions for an answer; only those that lead to something. `chips` says that conditions can be edited. */
export function whatHelps(wrong: Wrong, run: RunModel, chips: boolean): Help[] {
  const { variants, findings, changes } = run.rules;
  const others = run.asked ? othersOf(run.asked) : otherResults(run);
  const leads: Record<Help, boolean> = {
    steps: run.code === null,
    conditions: chips,
    results: others.length > 0,
    notes: variants.length + findings.length + changes.length > 0,
    sql: true,
    definition: true,
    question: true,
    again: true,
  };
  return HELPS[wrong].filter((help) => leads[help]);
}
