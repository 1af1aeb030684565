// Figures of an evaluation as text.

import { selectOrdinal, t } from "@lingui/core/macro";
import type { EvaluationComparison } from "../../host/bindings";
import { decimalPercent, decimals } from "../../kit/format";

/** 2nd, 3rd, 10th */
export function formatOrdinal(n: number): string {
  return selectOrdinal(n, { one: "#st", two: "#nd", few: "#rd", other: "#th" });
}

/** Share of correct answers in percent, with one decimal. */
export function formatShare(right: number, questions: number): string {
  return questions === 0 ? "–" : decimalPercent(right / questions);
}

/** Seconds, if they were measured: not with replies from a file. */
export function formatSeconds(value: number | null): string {
  return value === null ? "–" : `${decimals(value, 1)} s`;
}

/** Returns whether one run is better than another, in a sentence, and the figures behind it. */
export function comparisonVerdict(c: EvaluationComparison): { text: string; figures: string } {
  const range = t`95% interval ${decimals(c.low, 1)} to ${decimals(c.high, 1)} points`;
  const figures = `${range}, p ${c.p < 0.001 ? `< ${decimals(0.001, 3)}` : `= ${decimals(c.p, 3)}`}`;
  if (c.wins + c.losses === 0)
    return { text: t`Both are correct on the same questions (${c.questions} in total).`, figures: "" };
  const flips = t`${c.wins} better, ${c.losses} worse of ${c.questions}`;
  if (c.p >= 0.05) return { text: t`No clear difference (${flips}).`, figures };
  const points = t`${decimals(Math.abs(c.difference), 1)} points`;
  return { text: c.difference > 0 ? t`Better by ${points} (${flips}).` : t`Worse by ${points} (${flips}).`, figures };
}
