// The whole question that a follow-up completes while it is typed, without a model.

import { useEffect, useState } from "react";
import { askSettings } from "../features/ask/settings";
import { chosenMethod, useAsk } from "../features/ask/state";
import { useRules } from "../features/settings/rules";
import { useSettings } from "../features/settings/state";
import { host } from "../host/host";

/** Pause in typing before the text is completed, in milliseconds. */
const REST_MS = 150;

/** The settings that a question asked now would have. */
export function settingsNow() {
  return askSettings(useSettings.getState().settings, chosenMethod(useAsk.getState()), useRules.getState());
}

/** The question that the text completes below a run; null while that is not known, and where only a model can tell. */
export function useCompletedFollowUp(runId: string, text: string): string | null {
  const [completed, setCompleted] = useState<{ runId: string; text: string; question: string | null } | null>(null);
  useEffect(() => {
    if (text.trim() === "") return;
    let current = true;
    const timer = setTimeout(async () => {
      // Enter says what is wrong, where something is.
      const question = await host()
        .completeFollowUp({ runId, text, settings: settingsNow() })
        .catch(() => null);
      if (current) setCompleted({ runId, text, question });
    }, REST_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [runId, text]);
  // A question that was completed for other text is never asked.
  return text !== "" && completed?.runId === runId && completed.text === text ? completed.question : null;
}
