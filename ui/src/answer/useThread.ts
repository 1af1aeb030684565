// The questions before a follow-up, back to the first of its thread. Their logs are loaded one after another: each names the one before.

import { useEffect, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { RunModel } from "../features/graph/model/model";
import { openRun, type RunLog, useRuns } from "../features/runs/state";
import type { FollowUp } from "../host/bindings";
import { runNow, type ShownRun } from "../run/runModel";

/** Questions that are shown at first, and how many more "Show earlier" adds. */
const PAGE = 20;

/** An earlier question of a thread. */
export interface ThreadPart extends ShownRun {
  /** The question as the follow-up recorded it; known before its run is loaded. */
  question: string;
}

/** The earlier questions of a run, the first one first. `more` shows further ones, if there may be any. */
export function useThread({ runId, follows }: Pick<RunModel, "runId" | "follows">): {
  parts: ThreadPart[];
  more: (() => void) | null;
} {
  const [most, setMost] = useState({ runId, parts: PAGE });
  const limit = most.runId === runId ? most.parts : PAGE;
  const logs = useRuns(useShallow((s) => chainOf(follows, limit, s.logs).map((at) => s.logs[at.runId])));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the logs stand for what the chain is read from
  const chain = useMemo(() => chainOf(follows, limit, useRuns.getState().logs), [follows, limit, logs]);
  const last = chain.at(-1);
  const unloaded = last?.runId ?? null;
  useEffect(() => {
    if (unloaded !== null && useRuns.getState().logs[unloaded]?.status !== "failed") openRun(unloaded);
  }, [unloaded]);
  const more = chain.length === limit && last && runNow(last.runId).run.follows !== null;
  return {
    parts: chain.map((at) => ({ ...runNow(at.runId), question: at.question })).reverse(),
    more: more ? () => setMost({ runId, parts: limit + PAGE }) : null,
  };
}

/** The questions before one, the latest first, as far as their logs are known. */
function chainOf(follows: FollowUp | null, limit: number, logs: Record<string, RunLog>): FollowUp[] {
  const chain: FollowUp[] = [];
  const seen = new Set<string>();
  let at = follows;
  while (at && chain.length < limit && !seen.has(at.runId)) {
    seen.add(at.runId);
    chain.push(at);
    at = followedBy(logs[at.runId]);
  }
  return chain;
}

/** The question that a run follows, by its first event. */
function followedBy(log: RunLog | undefined): FollowUp | null {
  const begun = log?.events[0]?.body;
  return begun?.type === "runStarted" ? (begun.follows ?? null) : null;
}
