// Which chart of a run the reader chose; remembered by the host, so that it is there the next time.

import { create } from "zustand";
import { onDeletion } from "../../domain/deletions";
import { host } from "../../host/host";
import type { ChartType } from "./choose";

/** The chosen type, or the table alone, and the name of the chosen measure. */
export interface Choice {
  type: ChartType | "none";
  measure: string;
}

/** Older choices are forgotten. */
const MOST_KEPT = 200;
const KEY = "charts";

export const useCharts = create<{ chosen: Record<string, Choice> }>(() => ({ chosen: {} }));

export function chooseChart(runId: string, choice: Choice) {
  const { [runId]: _, ...rest } = useCharts.getState().chosen;
  const kept = Object.entries(rest).slice(1 - MOST_KEPT);
  useCharts.setState({ chosen: { ...Object.fromEntries(kept), [runId]: choice } });
  void host().setPreference(KEY, JSON.stringify(useCharts.getState().chosen));
}

function forgetChart(runId: string) {
  const { [runId]: gone, ...chosen } = useCharts.getState().chosen;
  if (gone === undefined) return;
  useCharts.setState({ chosen });
  void host().setPreference(KEY, JSON.stringify(chosen));
}

export async function startCharts() {
  onDeletion(forgetChart);
  const remembered = await host()
    .preference(KEY)
    .catch(() => null);
  useCharts.setState((now) => ({ chosen: { ...readChoices(remembered ?? null), ...now.chosen } }));
}

/** Parses stored choices; ignores other entries. */
export function readChoices(remembered: string | null): Record<string, Choice> {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Choice] => isChoice(entry[1])));
  } catch {
    return {};
  }
}

const TYPES = ["line", "bar", "grouped", "stacked", "pie", "points", "none"];

function isChoice(value: unknown): value is Choice {
  const choice = value as Partial<Choice> | null;
  return typeof choice === "object" && TYPES.includes(choice?.type ?? "") && typeof choice?.measure === "string";
}
