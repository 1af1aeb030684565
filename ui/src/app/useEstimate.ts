import { useEffect, useState } from "react";
import { askSettings } from "../features/ask/settings";
import { chosen, useAsk } from "../features/ask/state";
import { useRules } from "../features/settings/rules";
import { useSettings } from "../features/settings/state";
import type { Estimate } from "../host/bindings";
import { host } from "../host/host";

const WAIT_MS = 350;

/** What the question in the box would cost, while it is being written; null as long as that is not known. */
export function useEstimate(warehouse: string | null): Estimate | null {
  const state = useAsk();
  const { text, knowledge } = state;
  const { strategy, model } = chosen(state);
  const settings = useSettings((s) => s.settings);
  const rules = useRules();
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const wanted = warehouse !== null && settings !== null && text.trim() !== "";
  // The length of a question decides little: its words are not worth a new estimate each.
  const size = Math.ceil((text.length + knowledge.length) / 40);
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
          warehouse,
          question: text.trim(),
          knowledge: knowledge.trim() === "" ? null : knowledge.trim(),
          settings: askSettings(settings, { strategy, model }, rules),
          follows: null,
        })
        // Without an estimate nothing is said.
        .then(
          (next) => !gone && setEstimate(next),
          () => !gone && setEstimate(null),
        );
    }, WAIT_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, warehouse, size, strategy, model, settings, rules]);
  return wanted ? estimate : null;
}
