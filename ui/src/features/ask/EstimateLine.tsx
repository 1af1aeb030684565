import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useExperts } from "../../domain/experts";
import { moneySpan, roundDollars, secondsOf, tokenSpan } from "../../domain/money";
import type { Estimate } from "../../host/bindings";
import { compact } from "../../kit/format";
import { Hint } from "../../kit/tooltip";

/** Shows the estimated cost of a question; a hint explains the basis. */
export function EstimateLine({ estimate, short }: { estimate: Estimate; short?: boolean }) {
  const { tokens, seconds, money } = estimate;
  const details = useExperts((s) => s.details);
  const parts = [
    details && tokenSpan(tokens, short ? compact : roundDollars),
    seconds && secondsOf(seconds),
    money ? moneySpan(money) : t`price unknown`,
  ].filter(Boolean);
  return (
    <Hint label={t`Estimate: ${estimate.text}.`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the hint has to be reachable by keyboard */}
      <span tabIndex={0} className="nums min-w-0 truncate rounded-sm px-1 text-fg-3 text-xs">
        <span className="sr-only">
          <Trans>Estimate:</Trans>{" "}
        </span>
        {estimate.basis === "formula" ? t`Roughly` : t`About`} {parts.join(short ? " · " : ", ")}
      </span>
    </Hint>
  );
}
