import { t } from "@lingui/core/macro";
import { dayName } from "../../kit/format";
import type { Thread } from "./threads";

export interface DayGroup {
  day: string;
  threads: Thread[];
}

/** Pinned runs, then the others by the day of their newest run, newest first, in the order they came. */
export function byDay(threads: Thread[], now: Date): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const thread of threads) {
    const { pinned, startedAt } = thread.newest;
    const day = pinned ? t`Pinned` : dayName(startedAt, now);
    const last = groups.at(-1);
    if (last?.day === day) last.threads.push(thread);
    else groups.push({ day, threads: [thread] });
  }
  return groups;
}
