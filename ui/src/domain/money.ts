// Tokens and money in words. Money is in millionths of a US dollar.

import { t } from "@lingui/core/macro";
import type { Span, Usage } from "../host/bindings";
import { count, currency, duration } from "../kit/format";

const CENT = 10_000;

/** "below 1 cent", $0.12, $1,204.00 */
export function dollars(micro: number): string {
  return micro > 0 && micro < CENT ? t`below 1 cent` : currency(micro / 1_000_000);
}

export function tokensOf(usage: Pick<Usage, "prompt_tokens" | "completion_tokens">): number {
  return usage.prompt_tokens + usage.completion_tokens;
}

/** Formats the cost of calls; empty if unknown or zero. */
export function moneyOf({ llm_calls, priced_calls, micro_usd }: Usage): string {
  if (micro_usd === 0) return "";
  return priced_calls < llm_calls ? t`at least ${dollars(micro_usd)}` : dollars(micro_usd);
}

/** "3 to 5", or one of them where both read the same. */
function spanOf({ low, high }: Span, words: (n: number) => string): string {
  const [from, to] = [words(low), words(high)];
  return from === to ? to : t`${from} to ${to}`;
}

/** Seconds of an estimate: "2 to 6 s", "40 s to 2 min". */
export function secondsOf({ low, high }: Span): string {
  const words = (seconds: number) => duration(Math.max(1, Math.round(seconds)) * 1000).replace(/[.,]0 s$/, " s");
  const [from, to] = [words(low), words(high)];
  if (from === to) return to;
  const unit = to.match(/^\d+( \w+)$/)?.[1];
  return unit && from.endsWith(unit) ? t`${from.slice(0, -unit.length)} to ${to}` : t`${from} to ${to}`;
}

/** Two digits that count, since an estimate is not exact: 14,100 is 14,000. */
export function roundDollars(n: number): string {
  return count(Number(n.toPrecision(2)));
}

/** "9,200 to 14,000 tokens" */
export function tokenSpan(span: Span, words: (n: number) => string): string {
  return t`${spanOf(span, words)} tokens`;
}

/** Money of an estimate: "below 1 cent", "$0.02 to $0.05", "no cost". */
export function moneySpan({ low, high }: Span): string {
  if (high === 0) return t`no cost`;
  if (high < CENT) return dollars(high);
  return low < CENT ? t`up to ${dollars(high)}` : spanOf({ low, high }, dollars);
}
