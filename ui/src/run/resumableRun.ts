// Going on with a run that ended before it had an answer.

import type { RunModel } from "../features/graph/model/model";

/** Steps that another run reuses, with all steps before them. */
const TAKEN = new Set(["rewriter", "selection", "planner"]);

/** The id of the message that a run was stopped; it closes once another run continues it. */
export const stoppedNote = (runId: string) => `stopped-${runId}`;

/** Returns whether a run that ended without an answer has finished what another one need not do again. */
export function canResume(run: RunModel): boolean {
  return (
    run.page === null &&
    run.stages.some(({ kind, status }) => TAKEN.has(kind) && (status === "done" || status === "warning"))
  );
}
