// The certainty of the answer, and whether it has changed.

import type { Certainty, CertaintyLevel, CertaintyReason } from "../../../host/bindings";

export interface Estimate extends Certainty {
  /** No other estimate follows. */
  firm: boolean;
  /** The level of the first estimate, if it was another. */
  before: CertaintyLevel | null;
}

/** Takes over a new estimate and remembers where the first one stood. */
export function updateEstimate(earlier: Estimate | null, certainty: Certainty, firm: boolean): Estimate {
  const first = earlier === null ? certainty.level : (earlier.before ?? earlier.level);
  return { ...certainty, firm, before: first === certainty.level ? null : first };
}

/** The weightiest reason that speaks for the level. */
export function mainReason({ level, reasons }: Certainty): CertaintyReason | undefined {
  return reasons.find((reason) => reason.supports === (level === "sure")) ?? reasons[0];
}

/** Returns whether an answer is not sure yet: checks are running, and nothing speaks against it so far. */
export function isOpen({ firm, level, reasons }: Estimate): boolean {
  return !firm && level === "check" && reasons.every((reason) => reason.supports);
}

/** Returns whether it was measured how often such answers are right; else a reason says what the level is based on. */
export function isMeasured({ reasons }: Certainty): boolean {
  return !reasons.some(({ code }) => code === "not-calibrated" || code === "metric");
}

/** Answers that are right, of a hundred; never none and never all of them. */
export function percentRight({ probability }: Certainty): number {
  return Math.min(99, Math.max(1, Math.round(probability * 100)));
}
