// The events of one run as they come together from the live stream and from the log.

import type { EventBody, RunEvent } from "../../host/bindings";

/** Adds events in order. `gap` says that one in between is missing and has to be asked for. */
export function mergeEvents(have: RunEvent[], incoming: RunEvent[]): { events: RunEvent[]; gap: boolean } {
  let last = have.at(-1)?.seq ?? 0;
  const sorted = incoming.length > 1 ? [...incoming].sort((a, b) => a.seq - b.seq) : incoming;
  const added: RunEvent[] = [];
  for (const event of sorted) {
    if (event.seq <= last) continue;
    if (event.seq !== last + 1) return { events: added.length > 0 ? [...have, ...added] : have, gap: true };
    added.push(event);
    last = event.seq;
  }
  return { events: added.length > 0 ? [...have, ...added] : have, gap: false };
}

/** Returns whether the run waits for the user: to choose an interpretation, to approve a query, or to say whether to keep looking. */
export function waitsForUser(events: RunEvent[]): boolean {
  const last = events.findLast(({ body }) => ASKING.includes(body.type));
  if (last?.body.type === "approvalAsked") return true;
  return last?.body.type === "readingsOffered" || (last?.body.type === "bestSoFar" && last.body.waitsS > 0);
}

const ASKING: EventBody["type"][] = [
  "readingsOffered",
  "readingChosen",
  "approvalAsked",
  "approvalDecided",
  "bestSoFar",
  "lookingDecided",
  "resultReady",
  "runFinished",
];

export function isFinished(events: RunEvent[]): boolean {
  return events.at(-1)?.body.type === "runFinished";
}
