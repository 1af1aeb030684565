// A message on every page while a run waits for a choice.

import { waitsForChoice } from "../features/runs/log";
import { useRuns } from "../features/runs/state";
import type { RunEvent } from "../host/bindings";
import { clip } from "../kit/format";
import { dismissToast, toast } from "../kit/toast";
import { go, useRoute } from "./route";
import { foldOn } from "./runModel";

const id = (runId: string) => `waits-${runId}`;

function readingsShown(runId: string): boolean {
  const { route } = useRoute.getState();
  return route.page === "run" && route.runId === runId;
}

/** Shows a message if the waiting run is not on the page, and removes it once the run continues. */
export function tellWaiting({ runId, body }: RunEvent) {
  if (body.type === "readingChosen" || body.type === "runFinished") dismissToast(id(runId));
  if (body.type === "readingsOffered" && !readingsShown(runId)) say(runId);
}

function say(runId: string) {
  const { question } = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  toast({
    id: id(runId),
    title: "Vitrine is waiting for your choice.",
    text: clip(question, 120),
    life: null,
    actions: [{ label: "Choose", run: () => go({ page: "run", runId, tab: "answer" }) }],
  });
}

/** Removes the message when the run's page opens, and shows it when the user leaves before choosing. */
export function watchWaiting() {
  return useRoute.subscribe(({ route }, before) => {
    if (route.page === "run") dismissToast(id(route.runId));
    const left = before.route.page === "run" ? before.route.runId : null;
    if (left === null || readingsShown(left)) return;
    if (waitsForChoice(useRuns.getState().logs[left]?.events ?? [])) say(left);
  });
}
