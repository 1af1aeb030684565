import { useEffect, useState } from "react";
import { askSettings } from "../features/ask/settings";
import { chosenMethod, useAsk } from "../features/ask/state";
import { useRules } from "../features/settings/rules";
import { useSettings } from "../features/settings/state";
import type { AskRequest, Estimate } from "../host/bindings";
import { host } from "../host/host";

const WAIT_MS = 350;

/** A question that is being written. */
type QuestionDraft = Pick<AskRequest, "warehouse" | "question" | "follows"> & { knowledge: string };

/** The estimated cost of the question in the box; null until it is known. */
export function useEstimate(warehouse: string | null): Estimate | null {
  const { text, knowledge } = useAsk();
  return useEstimateOf(warehouse === null ? null : { warehouse, question: text, knowledge, follows: null });
}

/** The estimated cost of a question with the method and the model of the box; null until it is known. */
export function useEstimateOf(written: QuestionDraft | null): Estimate | null {
  const { strategy, model } = chosenMethod(useAsk());
  const settings = useSettings((s) => s.settings);
  const rules = useRules();
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const wanted = written !== null && settings !== null && written.question.trim() !== "";
  // The length of a question decides little: its words are not worth a new estimate each.
  const size = written === null ? 0 : Math.ceil((written.question.length + written.knowledge.length) / 40);
  const { warehouse, follows } = written ?? { warehouse: null, follows: null };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `size` stands for the text
  useEffect(() => {
    if (!wanted) {
      setEstimate(null);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      host()
        .estimate({
          warehouse: written.warehouse,
          question: written.question.trim(),
          knowledge: written.knowledge.trim() === "" ? null : written.knowledge.trim(),
          settings: askSettings(settings, { strategy, model }, rules),
          follows: written.follows,
        })
        // Without an estimate nothing is shown.
        .then(
          (next) => !gone && setEstimate(next),
          () => !gone && setEstimate(null),
        );
    }, WAIT_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, warehouse, follows?.runId, size, strategy, model, settings, rules]);
  return wanted ? estimate : null;
}
