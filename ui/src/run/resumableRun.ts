// Going on with a run that ended before it had an answer.

import type { RunModel } from "../features/graph/model/model";

/** The steps that another run takes over as they are, with all that stands before them. */
const TAKEN = new Set(["rewriter", "selection", "planner"]);

/** The message that a run was stopped, which is over once another one goes on with it. */
export const stoppedNote = (runId: string) => `stopped-${runId}`;

/** Whether a run that ended without an answer has finished what another one need not do again. */
export function canResume(run: RunModel): boolean {
  return (
    run.page === null &&
    run.stages.some(({ kind, status }) => TAKEN.has(kind) && (status === "done" || status === "warning"))
  );
}
