// Asking a question: of the current data, with what was chosen in the box.

import { create } from "zustand";
import { askSettings } from "../features/ask/settings";
import { setAsk, useAsk } from "../features/ask/state";
import { opened, openWarehouse, showOpenDialog, useConnections } from "../features/connections/state";
import { expectRun } from "../features/runs/state";
import { useSettings } from "../features/settings/state";
import type { AppError } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { go } from "./route";

/** Why the last question could not even be started, and whether one waits for its data to be opened. */
export const useAsking = create<{ error: AppError | null; waiting: boolean }>(() => ({
  error: null,
  waiting: false,
}));

export async function ask() {
  if (useAsking.getState().waiting) return;
  useAsking.setState({ error: null, waiting: true });
  const warehouse = (await opened())?.uri;
  useAsking.setState({ waiting: false });
  if (!warehouse) {
    showOpenDialog(true);
    return;
  }
  const { text, knowledge, strategy, model } = useAsk.getState();
  try {
    const runId = await host().ask({
      warehouse,
      question: text.trim(),
      knowledge: knowledge.trim() === "" ? null : knowledge.trim(),
      settings: askSettings(useSettings.getState().settings, { strategy, model }),
    });
    expectRun(runId);
    go({ page: "run", runId, tab: "answer" });
  } catch (thrown) {
    useAsking.setState({ error: toAppError(thrown) });
  }
}

/** Asks again what was asked before, of the data it was asked of. */
export async function askAgain(question: string, warehouse: string, knowledge: string | null = null) {
  if (useConnections.getState().current?.uri !== warehouse && !(await openWarehouse(warehouse))) {
    showOpenDialog(true);
    return;
  }
  setAsk({ text: question, knowledge: knowledge ?? "", knowledgeOpen: false });
  await ask();
}

export function newQuestion(text = "") {
  setAsk({ text, knowledge: "", knowledgeOpen: false });
  useAsking.setState({ error: null });
  go({ page: "ask" });
}
