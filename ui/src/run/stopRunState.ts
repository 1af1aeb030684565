// Stopping a run. After some work a first press only asks, since that work would be lost; the same press again stops.

import { create } from "zustand";
import { useRuns } from "../features/runs/state";
import { elapsedOf, foldOn } from "./runModel";
import { runAtWork, stopAsking } from "./startRun";

/** Less work than this, in milliseconds, is stopped without asking. */
const WORTH_ASKING_MS = 10_000;

/** The run that is about to be stopped, with its work until then, in milliseconds. */
export const useStopRequest = create<{ asked: { runId: string; ms: number } | null }>(() => ({ asked: null }));

/** Stops a run, or asks first. */
export function requestStop(runId: string) {
  const ms = elapsedOf(foldOn(runId, useRuns.getState().logs[runId]?.events ?? []), Date.now());
  if (ms < WORTH_ASKING_MS || useStopRequest.getState().asked?.runId === runId) {
    useStopRequest.setState({ asked: null });
    void stopAsking(runId);
  } else {
    useStopRequest.setState({ asked: { runId, ms } });
  }
}

/** Continues the run. Returns false if no confirmation was open. */
export function keepGoing(): boolean {
  const { asked } = useStopRequest.getState();
  useStopRequest.setState({ asked: null });
  return asked !== null;
}

/** The same for the run on the page. False if none is running. */
export function stopShownRun(): boolean {
  const runId = runAtWork();
  if (runId) requestStop(runId);
  return runId !== null;
}
