// Folds the events of the runs feature into the run model of the graph feature, each event once.

import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { applyEvent } from "../features/graph/model/fold";
import { emptyRun, type RunModel } from "../features/graph/model/model";
import { type RunLog, useRuns } from "../features/runs/state";
import type { AppError, RunEvent, RunSummary } from "../host/bindings";

const folded = new Map<string, RunModel>();

/** Continues where the last fold of this run stopped. */
export function foldOn(runId: string, events: RunEvent[]): RunModel {
  let model = folded.get(runId) ?? emptyRun(runId);
  const last = events.at(-1)?.seq ?? 0;
  if (last < model.lastSeq) model = emptyRun(runId);
  // Events are numbered without gaps from 1, so the ones still to fold are the last ones.
  for (const event of events.slice(model.lastSeq)) model = applyEvent(model, event);
  folded.set(runId, model);
  return model;
}

const CUT_OFF: AppError = {
  code: "internal",
  get message() {
    return t`The run was interrupted.`;
  },
  get hint() {
    return t`Start over to ask it again. The stages completed so far remain visible.`;
  },
  detail: null,
};

export interface ShownRun {
  run: RunModel;
  log: RunLog | undefined;
  /** No answer yet, and still running as far as known. */
  running: boolean;
  /** The answer exists; its explanation is still being computed. */
  explaining: boolean;
  /** Work behind the answer may still change how sure it is. */
  checking: boolean;
  error: AppError | null;
}

/** Returns whether a run has its answer or will not get one. Its explanation may still follow. */
export function isSettled(run: RunModel): boolean {
  return run.status !== "running" || run.page !== null;
}

/** The duration of a run in milliseconds: by the clock while it runs, by its log if that is longer. */
export function elapsedOf({ startedAt, lastMs }: Pick<RunModel, "startedAt" | "lastMs">, now: number): number {
  const began = Date.parse(startedAt ?? "");
  return Number.isNaN(began) ? lastMs : Math.max(lastMs, now - began);
}

export function useShownRun(runId: string): ShownRun {
  const log = useRuns((s) => s.logs[runId]);
  const summary = useRuns((s) => s.list.find((r) => r.runId === runId));
  const run = useMemo(() => foldOn(runId, log?.events ?? []), [runId, log?.events]);
  return shownAs(run, log, summary);
}

/** A run as its page shows it now. */
export function runNow(runId: string): ShownRun {
  const { logs, list } = useRuns.getState();
  const log = logs[runId];
  return shownAs(
    foldOn(runId, log?.events ?? []),
    log,
    list.find((r) => r.runId === runId),
  );
}

function shownAs(run: RunModel, log: RunLog | undefined, summary: RunSummary | undefined): ShownRun {
  const open = run.status === "running";
  const cutOff =
    open && log?.status === "ready" && !log.live && summary !== undefined && summary.status !== "running";
  const going = open && !cutOff;
  return {
    run,
    log,
    running: going && !isSettled(run),
    explaining: going && isSettled(run) && run.explanation === null,
    checking: going && run.certainty?.firm === false,
    error: cutOff ? CUT_OFF : run.error,
  };
}
