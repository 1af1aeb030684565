// Asks questions about the current warehouse, with the method and model chosen in the box.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import { type Draft, EMPTY, placeOfData, placeOfRun } from "../features/ask/drafts";
import { askSettings } from "../features/ask/settings";
import { chosenMethod, draftSent, enterPlace, replaceDraft, useAsk } from "../features/ask/state";
import { openOrAsk, showOpenDialog, useConnections, waitForOpening } from "../features/connections/state";
import { pathOf } from "../features/connections/words";
import { expectRun, stopRun, useRuns } from "../features/runs/state";
import { useRules } from "../features/settings/rules";
import { useSettings } from "../features/settings/state";
import type { AppError, FollowUp } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { clipText } from "../kit/format";
import { toast, toastError } from "../kit/toast";
import { navigate, useRoute } from "../navigation/route";
import { canResume, stoppedNote } from "./resumableRun";
import { foldOn, isSettled } from "./runModel";
import { runFrom } from "./useSteering";

/** Why the last question could not start, whether one waits for its warehouse to open, and whether that did not open for it. */
export const useAsking = create<{ error: AppError | null; waiting: boolean; unopened: boolean }>(() => ({
  error: null,
  waiting: false,
  unopened: false,
}));

/** Asks the question in the box. Its draft is deleted once the run has started. */
export async function submitQuestion() {
  const { text, knowledge, place } = useAsk.getState();
  const sent = { text, knowledge };
  if (!(await startRun(sent))) return;
  draftSent(place, sent);
  // If it was asked before the warehouse was open, the draft has moved there.
  if (place === placeOfData(undefined)) draftSent(placeOfData(useConnections.getState().current?.uri), sent);
}

/** Asks a given question; the user's draft stays. */
export async function askThis(text: string) {
  await startRun({ text, knowledge: "" });
}

/** Asks a question that follows up on another, about the data of that one. True when a run was started. */
export async function askNext(
  question: string,
  warehouse: string,
  knowledge: string | null,
  follows: FollowUp,
): Promise<boolean> {
  if (useConnections.getState().current?.uri !== warehouse && !(await openOrAsk(warehouse))) return false;
  return startRun({ text: question, knowledge: knowledge ?? "" }, follows);
}

/** True when a run was started. */
async function startRun({ text, knowledge }: Draft, follows: FollowUp | null = null): Promise<boolean> {
  if (useAsking.getState().waiting) return false;
  useAsking.setState({ error: null, waiting: true, unopened: false });
  const open = await waitForOpening();
  useAsking.setState({ waiting: false, unopened: open === "failed" });
  // The question stays in its box, and goes to no other data.
  if (open === "stopped" || open === "failed") {
    keepUnasked({ text, knowledge });
    return false;
  }
  const warehouse = open?.uri;
  if (!warehouse) {
    showOpenDialog(true);
    return false;
  }
  try {
    const runId = await host().ask({
      warehouse,
      question: text.trim(),
      knowledge: knowledge.trim() === "" ? null : knowledge.trim(),
      settings: askSettings(useSettings.getState().settings, chosenMethod(useAsk.getState()), useRules.getState()),
      follows,
    });
    expectRun(runId);
    // The box shows the question before the first event of the run arrives.
    enterPlace(placeOfRun(runId), { text: text.trim(), knowledge: knowledge.trim() });
    navigate({ page: "run", runId, tab: "answer" });
    return true;
  } catch (thrown) {
    useAsking.setState({ error: toAppError(thrown) });
    keepUnasked({ text, knowledge });
    return false;
  }
}

/** Puts a question that could not start into the box, unless something is written there. */
function keepUnasked(draft: Draft) {
  const { place, text: typed } = useAsk.getState();
  if (place !== null && typed.trim() === "") replaceDraft(place, draft);
}

/** Asks a question again, about its own warehouse, which is opened without confirmation only if it was opened here before. */
export async function askAgain(
  question: string,
  warehouse: string,
  knowledge: string | null = null,
  follows: FollowUp | null = null,
) {
  if (!useConnections.getState().entries.some((entry) => entry.uri === warehouse)) {
    toast({
      title: t`Question not asked yet`,
      text: t`It belongs to ${pathOf(warehouse)}, which Vitrine has not opened yet.`,
      actions: [{ label: t`Connect and ask`, run: () => void askOf(question, warehouse, knowledge, follows) }],
      life: null,
    });
    return;
  }
  await askOf(question, warehouse, knowledge, follows);
}

async function askOf(question: string, warehouse: string, knowledge: string | null, follows: FollowUp | null) {
  if (useConnections.getState().current?.uri !== warehouse && !(await openOrAsk(warehouse))) {
    // It waits where its data is asked, unless something waits there already.
    const place = placeOfData(warehouse);
    if (!useAsk.getState().drafts[place]) replaceDraft(place, { text: question, knowledge: knowledge ?? "" });
    return;
  }
  if (await startRun({ text: question, knowledge: knowledge ?? "" }, follows)) return;
  // Pages without a question box show errors as messages.
  const { error } = useAsking.getState();
  const { page } = useRoute.getState().route;
  if (error && page !== "ask" && page !== "run") toastError(error);
}

/** Stops a run at once. The message offers to go on with what was finished, or to ask again. */
export async function stopAsking(runId: string) {
  if (!(await stopRun(runId))) return;
  const run = foldOn(runId, useRuns.getState().logs[runId]?.events ?? []);
  const { question, warehouse, knowledge, follows } = run;
  const goOn = canResume(run) ? [{ label: t`Continue`, run: () => void runFrom(runId, []) }] : [];
  toast({
    id: stoppedNote(runId),
    title: t`Question stopped.`,
    text: clipText(question, 120),
    life: 10_000,
    actions: [...goOn, { label: t`Start over`, run: () => void askAgain(question, warehouse, knowledge, follows) }],
  });
}

/** The run on the page, while it is running. */
export function runAtWork(): string | null {
  const { route } = useRoute.getState();
  if (route.page !== "run") return null;
  const run = foldOn(route.runId, useRuns.getState().logs[route.runId]?.events ?? []);
  return run.lastSeq > 0 && !isSettled(run) ? route.runId : null;
}

/** Opens the page for a new question. Its draft is still there. */
export function newQuestion() {
  useAsking.setState({ error: null, unopened: false });
  navigate({ page: "ask" });
}

/** Leaves the answer of another warehouse once the user has opened one: the next question is about that. */
export function leaveRunsOfOthers(opened: string) {
  const { route } = useRoute.getState();
  if (route.page !== "run") return;
  const run = useRuns.getState().list.find(({ runId }) => runId === route.runId);
  if (run && run.warehouse !== opened) newQuestion();
}

/** Starts a new question with this text. A replaced draft can be restored. */
export function beginQuestion(text: string) {
  newQuestion();
  replaceUnsent(placeOfData(useConnections.getState().current?.uri), { text, knowledge: "" });
}

/** Continues the draft of a warehouse. Text that was typed before the warehouse was open becomes its draft. */
export function enterData(uri: string | undefined) {
  const place = placeOfData(uri);
  const nowhere = placeOfData(undefined);
  const typed = useAsk.getState().drafts[nowhere];
  if (uri !== undefined && typed) {
    replaceDraft(nowhere, EMPTY);
    replaceUnsent(place, typed);
  }
  enterPlace(place);
}

function replaceUnsent(place: string, draft: Draft) {
  const before = replaceDraft(place, draft);
  if (!before || before.text.trim() === draft.text.trim()) return;
  toast({
    title: t`Your unsent question was replaced.`,
    text: clipText(before.text, 120),
    life: 10_000,
    actions: [{ label: t`Restore`, run: () => void replaceDraft(place, before) }],
  });
}
