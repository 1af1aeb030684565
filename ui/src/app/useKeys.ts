// Global keyboard shortcuts.

import { useEffect } from "react";
import { showOpenDialog } from "../features/connections/state";
import { useDrafts } from "../features/editor/state";
import { chooseReading, useRuns } from "../features/runs/state";
import { startSaving } from "../features/saved/state";
import { isMod } from "../kit/keys";
import { draftOfAnswer } from "./answer";
import { newQuestion, stopShownRun } from "./asking";
import { go, RUN_TABS, type RunTab, useRoute } from "./route";
import { foldOn, isSettled } from "./runModel";
import { useShown } from "./shown";
import { toggleSidebar, useUi } from "./ui";

function typing(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.("input, textarea, [contenteditable='true'], .cm-editor");
}

/** The card of the tour is a dialog that nothing waits for. */
function dialogOpen(): boolean {
  return document.querySelector('[role="dialog"]:not([data-tour-card]), [role="menu"], [role="listbox"]') !== null;
}

export function useKeys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const handled = isMod(event) ? withMod(event) : plain(event);
      if (handled) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function withMod(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (key === "k") {
    useUi.setState((s) => ({ palette: !s.palette }));
    return true;
  }
  if (dialogOpen()) return false;
  const { route } = useRoute.getState();
  const tab = RUN_TABS[Number(key) - 1];
  if (key === "n") newQuestion();
  else if (key === "o") showOpenDialog(true);
  else if (key === "b") toggleSidebar();
  else if (key === ",") go({ page: "settings", tab: "models" });
  else if (key === ".") return stopShownRun();
  else if (route.page === "run" && tab) go({ page: "run", runId: route.runId, tab });
  else if (route.page === "run" && key === "s") saveRun(route.runId, route.tab);
  else return false;
  return true;
}

/** Saves what is shown: the answer or the query in its place; on the SQL tab, the edited text. */
function saveRun(runId: string, tab: RunTab) {
  const run = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  if (!run.sql || !isSettled(run)) return;
  const edited =
    tab === "sql"
      ? useDrafts.getState().drafts[`run:${runId}`]
      : tab === "answer"
        ? useShown.getState().others[runId]?.sql
        : undefined;
  startSaving(draftOfAnswer(run, edited));
}

function plain(event: KeyboardEvent): boolean {
  if (dialogOpen()) return false;
  // Escape leaves a field and closes panels. It never stops a run; that is a separate shortcut.
  if (event.key === "Escape") return leaveField(event.target);
  if (typing(event.target) || event.altKey) return false;
  if (/^[1-9]$/.test(event.key)) return chooseNth(Number(event.key));
  if (event.key === "?") {
    useUi.setState({ shortcuts: true });
    return true;
  }
  if (event.key === "/") {
    const box = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Question"]');
    const { route } = useRoute.getState();
    if (!box && route.page === "run") useUi.setState({ editing: route.runId });
    else if (!box) newQuestion();
    else {
      box.focus();
      box.select();
    }
    return true;
  }
  return false;
}

/** Leaves a field, with the focus on the page around it. The editor keeps it: Tab leaves that after Escape. */
function leaveField(target: EventTarget | null): boolean {
  const field = target as HTMLElement;
  if (!typing(target) || field.closest(".cm-editor")) return false;
  field.blur();
  field.closest<HTMLElement>("#page")?.focus({ preventScroll: true });
  return true;
}

/** Chooses an interpretation by its number, if the run waits for one and they are shown. */
function chooseNth(number: number): boolean {
  const { route } = useRoute.getState();
  if (route.page !== "run" || route.tab !== "answer") return false;
  const run = foldOn(route.runId, useRuns.getState().logs[route.runId]?.events ?? []);
  const reading = run.offered?.[number - 1];
  if (!reading) return false;
  void chooseReading(route.runId, reading.candidate);
  return true;
}
