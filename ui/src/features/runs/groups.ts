import { t } from "@lingui/core/macro";
import type { RunSummary } from "../../host/bindings";
import { dayName } from "../../kit/format";

export interface DayGroup {
  day: string;
  runs: RunSummary[];
}

/** Pinned runs, then the others by day, newest first, in the order they came. */
export function byDay(runs: RunSummary[], now: Date): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const run of runs) {
    const day = run.pinned ? t`Pinned` : dayName(run.startedAt, now);
    const last = groups.at(-1);
    if (last?.day === day) last.runs.push(run);
    else groups.push({ day, runs: [run] });
  }
  return groups;
}
