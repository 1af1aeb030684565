// A plan as rows of a tree.

import type { PlanStep, QueryPlan } from "../../host/bindings";

export interface PlanRow {
  /** Its place below each step above it: `0.2.1`. */
  id: string;
  step: PlanStep;
  /** From 1. */
  level: number;
  /** Its place among those beside it, from 1, and how many these are. */
  place: number;
  of: number;
}

/** The steps in the order in which they are read, without those below a closed one. */
export function planRows({ steps }: QueryPlan, closed: ReadonlySet<string>): PlanRow[] {
  const below = (steps: PlanStep[], above: string, level: number): PlanRow[] =>
    steps.flatMap((step, at) => {
      const id = above === "" ? String(at) : `${above}.${at}`;
      const row = { id, step, level, place: at + 1, of: steps.length };
      return closed.has(id) ? [row] : [row, ...below(step.children, id, level + 1)];
    });
  return below(steps, "", 1);
}

/** The id of the row above a row that it belongs to; null at the top. */
export function rowsAbove(id: string): string | null {
  const dot = id.lastIndexOf(".");
  return dot < 0 ? null : id.slice(0, dot);
}

/** Returns the id of the step with the highest own cost; null if costs are unknown or there is only one step. */
export function costliestStep(plan: QueryPlan): string | null {
  const known = planRows(plan, new Set()).filter(({ step }) => step.share !== null);
  if (known.length < 2) return null;
  return known.reduce((most, row) => (row.step.share! > most.step.share! ? row : most)).id;
}
