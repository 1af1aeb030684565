// Asking a question: of the current data, with what was chosen in the box.

import { create } from "zustand";
import { askSettings } from "../features/ask/settings";
import { setAsk, useAsk } from "../features/ask/state";
import { openWarehouse, showOpenDialog, useConnections } from "../features/connections/state";
import { expectRun } from "../features/runs/state";
import { useSettings } from "../features/settings/state";
import type { AppError } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { go } from "./route";

/** Why the last question could not even be started. */
export const useAskError = create<{ error: AppError | null }>(() => ({ error: null }));

export async function ask() {
  const { text, knowledge, strategy, model } = useAsk.getState();
  const warehouse = useConnections.getState().current?.uri;
  if (!warehouse) {
    showOpenDialog(true);
    return;
  }
  useAskError.setState({ error: null });
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
    useAskError.setState({ error: toAppError(thrown) });
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
  useAskError.setState({ error: null });
  go({ page: "ask" });
}
