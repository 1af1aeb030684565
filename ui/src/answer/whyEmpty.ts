// Finds why an answer has no rows: the first step with input but without output.

import type { ExplainedStep, Explanation } from "../host/bindings";

/** That step; null if the steps were not counted, or the tables themselves are empty. */
export function emptiedBy(explanation: Explanation | null): ExplainedStep | null {
  if (!explanation?.proven) return null;
  const steps = new Map(explanation.steps.map((step) => [step.name, step]));
  const tables = new Map(explanation.selection.map(({ table, rows }) => [table, rows]));
  const holds = (name: string) => {
    const rows = steps.has(name) ? steps.get(name)!.rows : tables.get(name);
    return rows === undefined || rows === null ? null : rows > 0;
  };
  return explanation.steps.find(({ rows, reads }) => rows === 0 && reads.length > 0 && reads.every(holds)) ?? null;
}
