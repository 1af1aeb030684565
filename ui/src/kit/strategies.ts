// The strategies' names, as every page says them.

import type { StrategyName } from "../host/bindings";

export const STRATEGY_NAMES: Record<StrategyName, string> = {
  auto: "Auto",
  "av-sql": "AV-SQL",
  direct: "Direct",
  vote: "Plain vote",
};

/** Whether a text names a strategy. */
export function isStrategy(text: string | null): text is StrategyName {
  return text !== null && Object.hasOwn(STRATEGY_NAMES, text);
}
