// Texts about the certainty of an answer, shared by its page, its exports and their messages.

import { t } from "@lingui/core/macro";
import { certaintyLabel, lessCertain } from "../domain/certainty";
import { type Estimate, isMeasured, mainReason, percentRight } from "../features/graph/model/certainty";
import type { CertaintyReason } from "../host/bindings";

/** The earlier certainty, if the answer is less certain now; an increase needs no mention. */
export function labelBefore({ level, before }: Estimate): string | null {
  return before !== null && lessCertain(level, before) ? certaintyLabel(before) : null;
}

/** The level, with what it was at first, and whether work behind the answer may still change it. */
export function certaintyInWords(estimate: Estimate, checking: boolean): string {
  const [label, before] = [certaintyLabel(estimate.level), labelBefore(estimate)];
  const level = before === null ? label : t`${label} (was “${before}” before the second check)`;
  return [level, checking && t`Still checking.`].filter(Boolean).join(". ");
}

/** The effect of a reason, before its text. */
export function sideOf({ supports }: CertaintyReason): string {
  return supports ? t`Supports the answer` : t`Casts doubt on the answer`;
}

/** The measured share of right answers; null if not measured. */
export function measuredInWords(estimate: Estimate): string | null {
  if (!isMeasured(estimate)) return null;
  return t`In tests with known answers, about ${percentRight(estimate)}% of answers like this one were right.`;
}

/** The message about an answer that is not sure; null if it is sure or its certainty is unknown. */
export function doubtInWords(estimate: Estimate | null): string | null {
  if (estimate === null || estimate.level === "sure") return null;
  const [label, reason] = [certaintyLabel(estimate.level), mainReason(estimate)?.text];
  return reason ? t`The answer is marked “${label}”: ${reason}` : t`The answer is marked “${label}”.`;
}
