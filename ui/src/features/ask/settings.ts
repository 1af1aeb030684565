import { t } from "@lingui/core/macro";
import type { AskSettings, Settings } from "../../host/bindings";
import { decimals } from "../../kit/format";

/** The user's choices for this question, over the settings. */
export interface AskChoice extends Pick<AskSettings, "model"> {
  strategy: AskSettings["strategy"] | null;
}

/** The rules disabled for every question. */
export type SwitchedOff = Pick<AskSettings, "without" | "withoutRules">;

const NOTHING_OFF: SwitchedOff = { without: [], withoutRules: [] };

/** The settings that a question is asked with. */
export function askSettings(
  settings: Settings | null,
  choice: AskChoice,
  off: SwitchedOff = NOTHING_OFF,
): AskSettings {
  return {
    strategy: choice.strategy ?? settings?.strategy ?? "auto",
    model: choice.model,
    // A model chosen for this question applies to all stages.
    agentModels: choice.model ? {} : (settings?.agentModels ?? {}),
    candidates: settings?.candidates ?? 4,
    without: off.without,
    withoutRules: off.withoutRules,
    seed: 42,
    maxRounds: settings?.maxRounds ?? 5,
    chunkBudget: null,
    editThreshold: 0.5,
    semanticThreshold: 0.5,
    rowLimit: settings?.rowLimit ?? 10_000,
    timeoutS: settings?.timeoutS ?? 60,
    budget: settings?.budget ?? { seconds: null, tokens: null, money: null },
    agentBudgets: settings?.agentBudgets ?? {},
    // A limit of time that the user has set says it already.
    answerWithinS: settings?.budget.seconds != null ? 0 : (settings?.answerWithinS ?? 0),
    askWhenUnsure: settings?.askWhenUnsure ?? true,
    methods: settings?.methods ?? {},
  };
}

export const MAX_QUESTION_BYTES = 1_000_000;

/** Why a question cannot be asked, or null. */
export function questionProblem(text: string): string | null {
  // Counting bytes of a long text at every key would be slow; no character has more than three per UTF-16 unit.
  if (text.length * 3 < MAX_QUESTION_BYTES) return null;
  const size = new TextEncoder().encode(text).length;
  if (size < MAX_QUESTION_BYTES) return null;
  return t`This question is ${decimals(size / 1_000_000, 1)} MB. Shorten it to less than 1 MB.`;
}

/** Walks through earlier questions as a shell does; -1 is the one being written. */
export function recallIndex(history: string[], at: number, step: 1 | -1): number {
  return Math.max(-1, Math.min(history.length - 1, at + step));
}
