// What questions were chosen to mean, as the program remembers it, and the logs of runs that take such a choice.

import type { Commands, EventBody, KeptReading, Reading, RunEvent } from "../../src/host/bindings";

type Kept = Pick<Commands, "rememberedReadings" | "forgetReading" | "restoreReading">;

/** A log in which a reading was chosen: its query gives its result. */
export function withReading(
  events: RunEvent[],
  candidate: number,
  remembered: KeptReading | null = null,
): RunEvent[] {
  const offered = events.findLast((event) => event.body.type === "readingsOffered")?.body;
  const reading =
    offered?.type === "readingsOffered" ? offered.readings.find((one) => one.candidate === candidate) : undefined;
  if (!reading) return events;
  return events.map((event) => ({ ...event, body: changed(event.body, reading, remembered) }));
}

function changed(body: EventBody, reading: Reading, remembered: KeptReading | null): EventBody {
  if (body.type === "readingChosen") {
    const choice = remembered && { id: remembered.id, chosenAt: remembered.chosenAt };
    return { ...body, candidate: reading.candidate, remembered: choice ?? undefined };
  }
  if (body.type === "candidateChosen") return { ...body, sql: reading.sql };
  if (body.type !== "resultReady") return body;
  const { page } = body;
  const rows = page.rows.map((row, i) =>
    i === 0 && row.length === reading.firstRow.length ? reading.firstRow : row,
  );
  return { ...body, sql: reading.sql, page: { ...page, rows } };
}

/** Whether a run waits for a choice after this event. */
export function waitsForChoice(events: RunEvent[], at: number): boolean {
  const [start, next] = [events[0]?.body, events[at + 1]?.body];
  if (events[at]?.body.type !== "readingsOffered" || next?.type !== "readingChosen") return false;
  return !next.remembered && !(start?.type === "runStarted" && start.steered);
}

export function fakeReadings() {
  let kept: KeptReading[] = [];
  let forgotten: KeptReading | null = null;
  let counter = 0;
  const commands: Kept = {
    rememberedReadings: async (uri) => kept.filter(({ warehouse }) => warehouse === uri),
    forgetReading: async (id) => {
      forgotten = kept.find((one) => one.id === id) ?? null;
      kept = kept.filter((one) => one.id !== id);
    },
    restoreReading: async (id) => {
      if (forgotten?.id === id) kept = [forgotten, ...kept];
    },
  };
  return {
    commands,
    /** Remembers the reading that was chosen in a run. */
    keep(events: RunEvent[], candidate: number) {
      const start = events[0]?.body;
      const offered = events.findLast((event) => event.body.type === "readingsOffered")?.body;
      if (start?.type !== "runStarted" || offered?.type !== "readingsOffered") return;
      const { question, warehouse } = start;
      const { sql, meaning } = offered.readings.find((one) => one.candidate === candidate)!;
      kept = kept.filter((one) => one.question !== question);
      kept.unshift({
        id: `reading-${++counter}`,
        warehouse,
        question,
        meaning,
        sql,
        runId: events[0]!.runId,
        candidate,
        chosenAt: "2026-11-20T09:00:00Z",
      });
    },
    of: (question: string, warehouse: string) =>
      kept.find((one) => one.question === question && one.warehouse === warehouse) ?? null,
  };
}
