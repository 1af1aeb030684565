import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Cloud, Cpu } from "lucide-react";
import { Fragment } from "react";
import { AGENTS } from "../../domain/agents";
import { tokensOf } from "../../domain/money";
import { addUsage } from "../../domain/usage";
import type { Spending } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { count, percent } from "../../kit/format";
import { Progress } from "../../kit/status";
import { byModel, costOf, totalOf, usedPart } from "./costs";
import { useSettings } from "./state";

/** Shows the cost of models in a month, and the share of the limit. */
export function SpendingView({ spending }: { spending: Spending }) {
  const { remote, local, caps, rows } = spending;
  const { models, remotes } = useSettings();
  const title = (id: string) => [...models, ...remotes].find((m) => m.id === id)?.title ?? id;
  const part = usedPart(remote, caps.all);
  if (rows.length === 0)
    return (
      <p className="py-2 text-fg-3">
        <Trans>No questions this month.</Trans>
      </p>
    );
  return (
    <>
      <div className="nums mt-1 flex items-baseline gap-3">
        <span className="font-semibold text-2xl">{totalOf(remote)}</span>
        <span className="text-fg-3 text-sm">
          <Trans>
            {count(tokensOf(remote))} tokens with remote models, {count(tokensOf(local))} on this computer
          </Trans>
        </span>
      </div>
      {part !== null && (
        <div className="mt-2">
          <Progress value={Math.min(1, part)} label={t`Share of the monthly limit`} />
          <p className={`nums mt-1 text-sm ${part >= 0.9 ? "text-warn" : "text-fg-3"}`}>
            {part >= 1 ? t`The monthly limit is reached.` : t`${percent(part)} of the limit is used.`}
          </p>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
      <div className="mt-3 overflow-auto rounded-lg border border-line bg-raised" tabIndex={0}>
        <table aria-label={t`Spending by model and step`} className="nums w-full border-collapse text-sm">
          <thead>
            <tr className="text-fg-3 text-xs">
              <th className="py-2 pr-2 pl-4 text-left font-medium">
                <Trans>Model and step</Trans>
              </th>
              <th className="px-2 py-2 text-right last:pr-4 font-medium">
                <Trans>Calls</Trans>
              </th>
              <th className="px-2 py-2 text-right last:pr-4 font-medium">
                <Trans>Tokens</Trans>
              </th>
              <th className="px-2 py-2 text-right last:pr-4 font-medium">
                <Trans>Cost</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {byModel(rows, addUsage).map((line) => (
              <Fragment key={line.model}>
                <tr className="border-line border-t font-medium">
                  <td className="pt-2 pr-2 pb-1 pl-4">
                    <span className="flex items-center gap-2">
                      {line.remote ? (
                        <Cloud size={14} className="shrink-0 text-fg-3" aria-hidden />
                      ) : (
                        <Cpu size={14} className="shrink-0 text-fg-3" aria-hidden />
                      )}
                      {title(line.model)}
                    </span>
                  </td>
                  <td className="px-2 pt-2 pb-1 text-right">{count(line.usage.llm_calls)}</td>
                  <td className="px-2 pt-2 pb-1 text-right">{count(tokensOf(line.usage))}</td>
                  <td className="whitespace-nowrap pt-2 pr-4 pb-1 pl-2 text-right">{costOf(line.usage)}</td>
                </tr>
                {line.agents.map(({ agent, usage }, i) => (
                  <tr key={agent} className={cx("text-fg-2", i === line.agents.length - 1 && "[&>td]:pb-2.5")}>
                    <td className="py-0.5 pr-2 pl-9.5">{AGENTS[agent].title}</td>
                    <td className="px-2 py-0.5 text-right">{count(usage.llm_calls)}</td>
                    <td className="px-2 py-0.5 text-right">{count(tokensOf(usage))}</td>
                    <td className="whitespace-nowrap py-0.5 pr-4 pl-2 text-right">{costOf(usage)}</td>
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
