// Actions on the run on the page: from its menu, a shortcut or the palette.

import { useDrafts } from "../features/editor/state";
import { fillValues } from "../features/editor/values";
import type { RunModel } from "../features/graph/model/model";
import { deleteRun } from "../features/runs/state";
import { startSaving } from "../features/saved/state";
import { toAppError } from "../host/host";
import { toastError } from "../kit/toast";
import { navigate, type RunTab, useRoute } from "../navigation/route";
import { useUi } from "../navigation/uiState";
import { isSettled, runNow, type ShownRun } from "../run/runModel";
import { newQuestion } from "../run/startRun";
import { draftOfAnswer } from "./answer";
import { type ExportFormat, exportResult } from "./exports";
import { shownRows, useShownQuery } from "./shownQuery";

/** The run on the page as far as it is known, and the tab that shows it. */
export function currentRun(): (ShownRun & { tab: RunTab }) | null {
  const { route } = useRoute.getState();
  return route.page === "run" ? { ...runNow(route.runId), tab: route.tab } : null;
}

/** Saves what is shown: the answer or the query in its place; on the SQL tab, the edited text. False on other pages. */
export function saveCurrent(): boolean {
  const shown = currentRun();
  if (!shown) return false;
  const { run, tab } = shown;
  if (!run.sql || !isSettled(run)) return true;
  if (tab === "sql") void saveEdited(run, run.sql);
  else
    startSaving(draftOfAnswer(run, tab === "answer" ? useShownQuery.getState().others[run.runId]?.sql : undefined));
  return true;
}

/** As the SQL tab does: a query with the values of its parameters, so that what is saved leaves nothing open. */
async function saveEdited(run: RunModel, own: string) {
  const key = `run:${run.runId}`;
  const edited = useDrafts.getState().drafts[key];
  try {
    if (run.code !== null) return startSaving(draftOfAnswer(run, edited));
    const { sql, parameters } = await fillValues(key, run.warehouse, edited ?? own);
    startSaving(draftOfAnswer(run, sql), parameters);
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Writes the rows that the tab shows to a file. */
export function exportCurrent(run: RunModel, tab: RunTab, format: ExportFormat) {
  const { origin, whose, failed } = shownRows(run, tab, useShownQuery.getState());
  if (!failed) void exportResult(origin, run.question, format, { runId: run.runId, whose });
}

/** Puts a run beside the one that it changes or follows, or one that the user chooses. */
export function compareRun({ runId, steered, follows }: RunModel) {
  const before = steered?.from ?? follows?.runId;
  navigate({ page: "compare", left: before ?? runId, right: before === undefined ? null : runId });
}

/** Goes through the run again, event by event. */
export function replayRun(runId: string) {
  navigate({ page: "run", runId, tab: "graph", face: "work" });
  useUi.setState({ replay: runId });
}

/** Deletes a run, and leaves its page. */
export function removeRun(runId: string) {
  deleteRun(runId);
  newQuestion();
}
