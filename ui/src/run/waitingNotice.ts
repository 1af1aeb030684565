// A message on every page while a run waits for a choice.

import { t } from "@lingui/core/macro";
import { waitsForUser } from "../features/runs/log";
import { useRuns } from "../features/runs/state";
import type { RunEvent } from "../host/bindings";
import { clipText } from "../kit/format";
import { dismissToast, toast } from "../kit/toast";
import { navigate, useRoute } from "../navigation/route";
import { foldOn } from "./runModel";

/** After these the run waits no longer. */
const ENDED: RunEvent["body"]["type"][] = [
  "readingChosen",
  "approvalDecided",
  "lookingDecided",
  "resultReady",
  "runFinished",
];

const noticeId = (runId: string) => `waits-${runId}`;

function readingsShown(runId: string): boolean {
  const { route } = useRoute.getState();
  return route.page === "run" && route.runId === runId;
}

/** Shows a message if the waiting run is not on the page, and removes it once the run continues. */
export function notifyWaiting({ runId, body }: RunEvent) {
  if (ENDED.includes(body.type)) dismissToast(noticeId(runId));
  const chooses = body.type === "readingsOffered" || body.type === "approvalAsked";
  const asks = chooses || (body.type === "bestSoFar" && body.waitsS > 0);
  if (asks && !readingsShown(runId)) showNotice(runId);
}

function showNotice(runId: string) {
  const { question, offered, approval } = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  const [title, label] = offered
    ? [t`Vitrine is waiting for your choice.`, t`Choose`]
    : approval
      ? [t`A query needs your approval.`, t`Review query`]
      : [t`A first answer is ready. Keep looking?`, t`Show result`];
  toast({
    id: noticeId(runId),
    title,
    text: clipText(question, 120),
    life: null,
    actions: [{ label, run: () => navigate({ page: "run", runId, tab: "answer" }) }],
  });
}

/** Removes the message when the run's page opens, and shows it when the user leaves before choosing. */
export function watchWaiting() {
  return useRoute.subscribe(({ route }, before) => {
    if (route.page === "run") dismissToast(noticeId(route.runId));
    const left = before.route.page === "run" ? before.route.runId : null;
    if (left === null || readingsShown(left)) return;
    if (waitsForUser(useRuns.getState().logs[left]?.events ?? [])) showNotice(left);
  });
}
