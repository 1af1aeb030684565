// Asking a question: of the current data, with what was chosen in the box.

import { create } from "zustand";
import { type Draft, EMPTY, placeOfData, placeOfRun } from "../features/ask/drafts";
import { askSettings } from "../features/ask/settings";
import { draftSent, enterPlace, replaceDraft, useAsk } from "../features/ask/state";
import { opened, openWarehouse, showOpenDialog, useConnections } from "../features/connections/state";
import { pathOf } from "../features/connections/words";
import { expectRun, stopRun, useRuns } from "../features/runs/state";
import { useRules } from "../features/settings/rules";
import { useSettings } from "../features/settings/state";
import type { AppError } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { clip } from "../kit/format";
import { toast, toastError } from "../kit/toast";
import { go, useRoute } from "./route";
import { foldOn, isSettled } from "./runModel";

/** Why the last question could not even be started, and whether one waits for its data to be opened. */
export const useAsking = create<{ error: AppError | null; waiting: boolean }>(() => ({
  error: null,
  waiting: false,
}));

/** Asks what stands in the question box. Its draft goes once the question was taken. */
export async function ask() {
  const { text, knowledge, place } = useAsk.getState();
  const sent = { text, knowledge };
  if (!(await start(sent))) return;
  draftSent(place, sent);
  // Asked before the data was open, it has moved there since.
  if (place === placeOfData(undefined)) draftSent(placeOfData(useConnections.getState().current?.uri), sent);
}

/** Asks a question that nobody had to write; what is being written stays. */
export async function askThis(text: string) {
  await start({ text, knowledge: "" });
}

/** True when a run was started. */
async function start({ text, knowledge }: Draft): Promise<boolean> {
  if (useAsking.getState().waiting) return false;
  useAsking.setState({ error: null, waiting: true });
  const warehouse = (await opened())?.uri;
  useAsking.setState({ waiting: false });
  if (!warehouse) {
    showOpenDialog(true);
    return false;
  }
  const { strategy, model } = useAsk.getState();
  try {
    const runId = await host().ask({
      warehouse,
      question: text.trim(),
      knowledge: knowledge.trim() === "" ? null : knowledge.trim(),
      settings: askSettings(useSettings.getState().settings, { strategy, model }, useRules.getState()),
    });
    expectRun(runId);
    // The box shows what was asked before the run itself says it.
    enterPlace(placeOfRun(runId), { text: text.trim(), knowledge: knowledge.trim() });
    go({ page: "run", runId, tab: "answer" });
    return true;
  } catch (thrown) {
    useAsking.setState({ error: toAppError(thrown) });
    return false;
  }
}

/** Asks again what was asked before, of the data it was asked of. Data that was never opened here is not opened unasked. */
export async function askAgain(question: string, warehouse: string, knowledge: string | null = null) {
  if (!useConnections.getState().entries.some((entry) => entry.uri === warehouse)) {
    toast({
      title: "The question was not asked yet",
      text: `It belongs to ${pathOf(warehouse)}. Vitrine has not opened that warehouse yet.`,
      actions: [{ label: "Connect and ask", run: () => void askOf(question, warehouse, knowledge) }],
      life: null,
    });
    return;
  }
  await askOf(question, warehouse, knowledge);
}

async function askOf(question: string, warehouse: string, knowledge: string | null) {
  if (useConnections.getState().current?.uri !== warehouse && !(await openWarehouse(warehouse))) {
    showOpenDialog(true);
    return;
  }
  if (await start({ text: question, knowledge: knowledge ?? "" })) return;
  // Pages without a question box have no place for what went wrong.
  const { error } = useAsking.getState();
  const { page } = useRoute.getState().route;
  if (error && page !== "ask" && page !== "run") toastError(error);
}

/** Stops a run at once; whoever stopped it by mistake can ask again. */
export async function stopAsking(runId: string) {
  if (!(await stopRun(runId))) return;
  const { question, warehouse, knowledge } = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  toast({
    title: "Question stopped.",
    text: clip(question, 120),
    life: 10_000,
    actions: [{ label: "Ask again", run: () => void askAgain(question, warehouse, knowledge) }],
  });
}

/** The run on the page, while it is at work. */
export function runAtWork(): string | null {
  const { route } = useRoute.getState();
  if (route.page !== "run") return null;
  const run = foldOn(route.runId, useRuns.getState().logs[route.runId]?.events ?? []);
  return run.lastSeq > 0 && !isSettled(run) ? route.runId : null;
}

/** Stops the run on the page. False where none is at work. */
export function stopShownRun(): boolean {
  const runId = runAtWork();
  if (runId) void stopAsking(runId);
  return runId !== null;
}

/** Goes where a new question is written; what was half written there is still there. */
export function newQuestion() {
  useAsking.setState({ error: null });
  go({ page: "ask" });
}

/** Begins a new question with these words. What they replace can be had back. */
export function beginQuestion(text: string) {
  newQuestion();
  replace(placeOfData(useConnections.getState().current?.uri), { text, knowledge: "" });
}

/** Goes on with the new question about some data; what was typed before it was open is about it. */
export function enterData(uri: string | undefined) {
  const place = placeOfData(uri);
  const nowhere = placeOfData(undefined);
  const typed = useAsk.getState().drafts[nowhere];
  if (uri !== undefined && typed) {
    replaceDraft(nowhere, EMPTY);
    replace(place, typed);
  }
  enterPlace(place);
}

function replace(place: string, draft: Draft) {
  const before = replaceDraft(place, draft);
  if (!before || before.text.trim() === draft.text.trim()) return;
  toast({
    title: "Your unsent question was replaced.",
    text: clip(before.text, 120),
    life: 10_000,
    actions: [{ label: "Restore", run: () => void replaceDraft(place, before) }],
  });
}
