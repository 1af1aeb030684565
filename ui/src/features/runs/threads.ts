// Threads in the history: a question with its follow-ups as one entry.

import type { RunSummary } from "../../host/bindings";

export interface Thread {
  /** Its newest run, which gives its place in the list. */
  newest: RunSummary;
  /** The other runs, newest first. */
  older: RunSummary[];
  /** True if its first question is in the list, so that no run of it is missing. */
  whole: boolean;
}

/** Groups runs by the question that they follow, in the order of the newest runs. Pinned runs stay alone, at the top. */
export function groupThreads(runs: RunSummary[]): Thread[] {
  const known = new Map(runs.map((run) => [run.runId, run]));
  const threads = new Map<string, Thread>();
  for (const run of runs) {
    const { runId, whole } = run.pinned ? { runId: `pinned ${run.runId}`, whole: true } : rootOf(run, known);
    const thread = threads.get(runId);
    if (thread) thread.older.push(run);
    else threads.set(runId, { newest: run, older: [], whole });
  }
  return [...threads.values()];
}

/** The first question of a run's thread, and whether the list holds it. */
function rootOf(run: RunSummary, known: Map<string, RunSummary>): { runId: string; whole: boolean } {
  const seen = new Set<string>();
  let at = run;
  while (at.follows !== null && !seen.has(at.runId)) {
    seen.add(at.runId);
    const before = known.get(at.follows);
    if (!before) return { runId: at.follows, whole: false };
    at = before;
  }
  return { runId: at.runId, whole: true };
}

/** The older runs that are shown although the thread is collapsed: what works, or waits for the user. */
export function openMembers({ older }: Thread): RunSummary[] {
  return older.filter(({ status }) => status === "running");
}
