// Global keyboard shortcuts.

import { useEffect } from "react";
import { saveCurrent } from "../answer/runActions";
import { focusFollowUp } from "../ask/FollowUp";
import { showOpenDialog, stopOpening } from "../features/connections/state";
import { chooseReading, useRuns } from "../features/runs/state";
import { pressedKeys } from "../kit/keyNames";
import { reachesPastText, type ShortcutId, shortcutOf } from "../kit/shortcuts";
import { focusMessages } from "../kit/toaster";
import { navigate, openSettings, type RunTab, useRoute } from "../navigation/route";
import { toggleSidebar, useUi } from "../navigation/uiState";
import { openWindow } from "../navigation/windows";
import { editQuestion } from "../pages/RunQuestion";
import { foldOn } from "../run/runModel";
import { newQuestion } from "../run/startRun";
import { keepGoing, stopShownRun } from "../run/stopRunState";

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.("input, textarea, [contenteditable='true'], .cm-editor");
}

/** The card of the tour is a dialog that nothing waits for. */
function dialogOpen(): boolean {
  return document.querySelector('[role="dialog"]:not([data-tour-card]), [role="menu"], [role="listbox"]') !== null;
}

/** The action of each shortcut; false if it does not apply. Graphs, grids and editors handle their own. */
const RUNS: { [id in ShortcutId]?: () => unknown } = {
  palette: () => useUi.setState((s) => ({ palette: !s.palette })),
  newQuestion: () => newQuestion(),
  newWindow: () => void openWindow({ page: "ask" }),
  focusQuestion,
  open: () => showOpenDialog(true),
  sidebar: toggleSidebar,
  settings: openSettings,
  shortcuts: () => useUi.setState({ shortcuts: true }),
  messages: focusMessages,
  followUp: focusFollowUp,
  stop: () => stopShownRun() || stopOpening(),
  answer: () => showTab("answer"),
  graph: () => showTab("graph"),
  sql: () => showTab("sql"),
  sent: () => showTab("sent"),
  save: saveCurrent,
};

export function useKeys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && runShortcut(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function runShortcut(event: KeyboardEvent): boolean {
  const keys = pressedKeys(event);
  const id = shortcutOf(event, ["window", "run"]);
  if (keys === null || (dialogOpen() && id !== "palette")) return false;
  // Escape leaves a field and closes panels, then stops what is being opened. It never stops a run; that is a separate shortcut,
  // which asks after some work: Escape is a no, and a key that is held down no yes.
  if (keys === "esc") return leaveField(event.target) || keepGoing() || stopOpening();
  if (id === "stop" && event.repeat) return true;
  if (isTyping(event.target) && !reachesPastText(keys)) return false;
  if (/^[1-9]$/.test(keys)) return chooseNth(Number(keys));
  const run = id && RUNS[id];
  return run !== undefined && run() !== false;
}

function showTab(tab: RunTab): boolean {
  const { route } = useRoute.getState();
  if (route.page !== "run") return false;
  navigate({ page: "run", runId: route.runId, tab });
  return true;
}

function focusQuestion() {
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-question]");
  const { route } = useRoute.getState();
  if (!box && route.page === "run") editQuestion(route.runId);
  else if (!box) newQuestion();
  else {
    box.focus();
    box.select();
  }
}

/** Leaves a field, with the focus on the page around it. The editor keeps it: Tab leaves that after Escape. */
function leaveField(target: EventTarget | null): boolean {
  const field = target as HTMLElement;
  if (!isTyping(target) || field.closest(".cm-editor")) return false;
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
