// Plans and runs of watched answers, in words.

import { t } from "@lingui/core/macro";
import type { WatchAlert, WatchInterval, WatchOutcome, WatchPlan, WatchRun } from "../../host/bindings";
import { lazyRecord } from "../../kit/lazyRecord";
import type { Status } from "../../kit/status";

export const USUAL_PLAN: WatchPlan = {
  interval: "day",
  minute: 8 * 60,
  weekday: 0,
  alert: { kind: "changed" },
  column: null,
  output: null,
};

export const INTERVALS: Record<WatchInterval, string> = lazyRecord({
  hour: () => t`Every hour`,
  day: () => t`Every day`,
  week: () => t`Every week`,
});

export const ALERTS: Record<WatchAlert["kind"], string> = lazyRecord({
  changed: () => t`When it changes`,
  above: () => t`When a number is above`,
  below: () => t`When a number is below`,
});

const WEEKDAYS = [
  () => t`Monday`,
  () => t`Tuesday`,
  () => t`Wednesday`,
  () => t`Thursday`,
  () => t`Friday`,
  () => t`Saturday`,
  () => t`Sunday`,
];

export const weekdayName = (day: number) => WEEKDAYS[day]?.() ?? "";

/** "08:00" of minutes after midnight. */
export function clockOf(minute: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minutes after midnight of "08:00"; null while it is not a time. */
export function minuteOf(clock: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minutes !== undefined && minute < 24 * 60 ? minute : null;
}

/** "Every day at 08:00 · reported when it changes" */
export function planInWords(plan: WatchPlan): string {
  return `${scheduleInWords(plan)} · ${alertInWords(plan.alert)}`;
}

function scheduleInWords({ interval, minute, weekday }: WatchPlan): string {
  const at = clockOf(minute);
  if (interval === "hour") return INTERVALS.hour;
  return interval === "day" ? t`Every day at ${at}` : t`Every week on ${weekdayName(weekday)} at ${at}`;
}

function alertInWords(alert: WatchAlert): string {
  switch (alert.kind) {
    case "changed":
      return t`reported when it changes`;
    case "above":
      return t`reported above ${alert.limit}`;
    case "below":
      return t`reported below ${alert.limit}`;
  }
}

export const OUTCOMES: Record<WatchOutcome, string> = lazyRecord({
  first: () => t({ message: "First result", context: "run of a watched answer" }),
  unchanged: () => t({ message: "Unchanged", context: "run of a watched answer" }),
  changed: () => t({ message: "Changed", context: "run of a watched answer" }),
  crossed: () => t({ message: "Beyond the limit", context: "run of a watched answer" }),
  returned: () => t({ message: "Within the limit again", context: "run of a watched answer" }),
  drifted: () => t({ message: "The data has another shape", context: "run of a watched answer" }),
  failed: () => t({ message: "Failed", context: "run of a watched answer" }),
});

export const OUTCOME_STATUS: Record<WatchOutcome, Status> = {
  first: "done",
  unchanged: "done",
  changed: "warning",
  crossed: "warning",
  returned: "done",
  drifted: "warning",
  failed: "failed",
};

/** The last run that found something else than the one before; undefined if none did. */
export function lastChange(runs: WatchRun[]): WatchRun | undefined {
  return runs.find(({ outcome }) => outcome !== "unchanged" && outcome !== "first" && outcome !== "failed");
}
