// Figures of an evaluation as text.

import type { EvaluationComparison } from "../../host/bindings";
import { plural } from "../../kit/format";

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** 2nd, 3rd, 10th */
export function ordinal(n: number): string {
  return `${n}${ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(n)] ?? "th"}`;
}

/** Share of correct answers in percent, with one decimal. */
export function share(right: number, questions: number): string {
  return questions === 0 ? "–" : `${((100 * right) / questions).toFixed(1)}%`;
}

/** Seconds, if they were measured: not with replies from a file. */
export function seconds(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)} s`;
}

/** One sentence on whether one run is better than another. */
export function verdict(c: EvaluationComparison): string {
  const flips = `${plural(c.wins, "question")} won and ${c.losses} lost of ${c.questions}`;
  if (c.wins + c.losses === 0) return `Both are correct on the same questions, ${c.questions} in all.`;
  const points = `${c.difference > 0 ? "+" : ""}${c.difference.toFixed(1)} points`;
  const range = `95% interval ${c.low.toFixed(1)} to ${c.high.toFixed(1)}`;
  const p = c.p < 0.001 ? "p < 0.001" : `p = ${c.p.toFixed(3)}`;
  const sure = c.p < 0.05 ? "" : " Not statistically significant.";
  return `${flips}: ${points} (${range}, ${p}).${sure}`;
}
