// Notifies the user when an answer that is no longer on screen turns out to be less certain than shown.

import { t } from "@lingui/core/macro";
import { certaintyLabel, lessCertain } from "../domain/certainty";
import { useRuns } from "../features/runs/state";
import type { RunEvent } from "../host/bindings";
import { clipText } from "../kit/format";
import { toast } from "../kit/toast";
import { navigate, useRoute } from "../navigation/route";
import { foldOn } from "./runModel";

export function notifyCertaintyChange({ runId, body }: RunEvent) {
  if (body.type !== "certaintyEstimated" || !body.firm) return;
  const { route } = useRoute.getState();
  if (route.page === "run" && route.runId === runId && route.tab === "answer") return;
  const { certainty, question } = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  if (!certainty?.before || !lessCertain(certainty.level, certainty.before)) return;
  toast({
    id: `certainty-${runId}`,
    title: t`After the second check: ${certaintyLabel(certainty.level)} (was ${certaintyLabel(certainty.before)}).`,
    text: clipText(question, 120),
    life: null,
    actions: [{ label: t`Show answer`, run: () => navigate({ page: "run", runId, tab: "answer" }) }],
  });
}
