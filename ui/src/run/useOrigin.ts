// The answer that a chain of reruns began with: that is what its question asks for.

import { useEffect, useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { RunModel } from "../features/graph/model/model";
import { openRun, useRuns } from "../features/runs/state";
import { runNow } from "./runModel";

/** The runs that a rerun continues, the latest first, as far as their logs are loaded. */
function chainOf({ steered }: Pick<RunModel, "steered">): RunModel[] {
  const chain: RunModel[] = [];
  const seen = new Set<string>();
  for (let from = steered?.from; from !== undefined && !seen.has(from); ) {
    seen.add(from);
    const { run } = runNow(from);
    chain.push(run);
    from = run.lastSeq === 0 ? undefined : run.steered?.from;
  }
  return chain;
}

/** The first run of a chain of reruns; null for a run that continues none, and while the chain is not loaded. */
export function originOf(run: Pick<RunModel, "steered">): RunModel | null {
  const first = chainOf(run).at(-1);
  return first && first.lastSeq > 0 && first.steered === null ? first : null;
}

/** Loads the chain of a rerun. Returns its first run, once that is known. */
export function useOrigin(run: Pick<RunModel, "steered">): RunModel | null {
  const { steered } = run;
  const logs = useRuns(useShallow((s) => chainOf({ steered }).map(({ runId }) => s.logs[runId])));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the logs stand for what the chain is read from
  const chain = useMemo(() => chainOf({ steered }), [steered, logs]);
  const last = chain.at(-1)?.runId ?? null;
  useEffect(() => {
    if (last !== null && useRuns.getState().logs[last]?.status !== "failed") openRun(last);
  }, [last]);
  return originOf({ steered });
}
