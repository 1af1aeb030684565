// The strategies' names, as every page says them, and what each does and costs in a line.

import type { StrategyName } from "../host/bindings";
import type { Choice } from "./select";

export const STRATEGY_NAMES: Record<StrategyName, string> = {
  auto: "Auto",
  "av-sql": "AV-SQL",
  "dsr-sql": "DSR-SQL",
  "chase-sql": "CHASE-SQL",
  reforce: "ReFoRCE",
  prospy: "ProSPy",
  direct: "Direct",
  vote: "Plain vote",
};

export const STRATEGY_NOTES: Record<StrategyName, string> = {
  auto: "Compares a few queries and looks deeper only where their results differ. Suits most questions.",
  "av-sql": "Builds and checks small views first, then the query from them. Takes several times as long as Auto.",
  "dsr-sql": "Looks at the data, then lets the query grow and runs every step. Takes many steps one after another.",
  "chase-sql": "Writes queries in three different ways and chooses between their results. Asks the model most often.",
  reforce: "Many queries vote by their results; where they tie, it looks at the data and votes again.",
  prospy: "Leaves out what is not needed, fetches small views and analyses them. Made for very large databases.",
  direct: "One request with the whole schema, nothing checked. Fastest.",
  vote: "The same request several times; the most common result wins. Nothing else is checked.",
};

const GROUPS: [string, StrategyName[]][] = [
  ["Recommended", ["auto"]],
  ["Published methods", ["av-sql", "dsr-sql", "chase-sql", "reforce", "prospy"]],
  ["Baselines to compare with", ["direct", "vote"]],
];

/** All strategies, in the order and the groups in which they are offered. */
export const STRATEGY_CHOICES: Choice<StrategyName>[] = GROUPS.flatMap(([group, names]) =>
  names.map((value) => ({ value, label: STRATEGY_NAMES[value], note: STRATEGY_NOTES[value], group })),
);

/** Whether a text names a strategy. */
export function isStrategy(text: string | null): text is StrategyName {
  return text !== null && Object.hasOwn(STRATEGY_NAMES, text);
}
