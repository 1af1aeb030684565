// Figures of an evaluation as text.

import type { EvaluationComparison } from "../../host/bindings";

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

/** Whether one run is better than another, in a sentence, and the figures behind it. */
export function verdict(c: EvaluationComparison): { text: string; figures: string } {
  const range = `95% interval ${c.low.toFixed(1)} to ${c.high.toFixed(1)} points`;
  const figures = `${range}, p ${c.p < 0.001 ? "< 0.001" : `= ${c.p.toFixed(3)}`}`;
  if (c.wins + c.losses === 0)
    return { text: `Both are correct on the same questions, ${c.questions} in all.`, figures: "" };
  const flips = `${c.wins} better, ${c.losses} worse of ${c.questions}`;
  if (c.p >= 0.05) return { text: `No clear difference (${flips}).`, figures };
  const points = `${Math.abs(c.difference).toFixed(1)} points`;
  return { text: `${c.difference > 0 ? "Better" : "Worse"} by ${points} (${flips}).`, figures };
}
