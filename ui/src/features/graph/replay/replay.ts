// A run as it happened: its model after any number of its events, and the clock that plays them.

import type { RunEvent } from "../../../host/bindings";
import { applyEvent } from "../model/fold";
import { emptyRun, type RunModel } from "../model/model";

/** Events between two models that are kept, so that going back is quick. */
const KEPT_EVERY = 200;

/** Gives the model after the first `n` events. Going on continues from the last model, going back from one that was kept. */
export function replayer(events: readonly RunEvent[]): (n: number) => RunModel {
  const kept = new Map<number, RunModel>([[0, emptyRun(events[0]?.runId)]]);
  let at = 0;
  let model = kept.get(0)!;
  return (n) => {
    const wanted = Math.max(0, Math.min(n, events.length));
    if (wanted < at) {
      at = Math.floor(wanted / KEPT_EVERY) * KEPT_EVERY;
      model = kept.get(at)!;
    }
    while (at < wanted) {
      model = applyEvent(model, events[at]!);
      at += 1;
      if (at % KEPT_EVERY === 0) kept.set(at, model);
    }
    return model;
  };
}

/** Returns the number of events before a time of the run. */
export function eventsBy(events: readonly RunEvent[], ms: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.atMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next number of events after which a stage has begun or ended; backwards with `by` -1. */
export function stageStep(events: readonly RunEvent[], n: number, by: 1 | -1): number {
  for (let at = n + by; at > 0 && at < events.length; at += by) {
    const { type } = events[at - 1]!.body;
    if (type === "stageStarted" || type === "stageFinished") return at;
  }
  return by > 0 ? events.length : 0;
}
