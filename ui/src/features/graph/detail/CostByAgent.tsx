import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { AGENTS } from "../../../domain/agents";
import { moneyOf, tokensOf } from "../../../domain/money";
import { addUsage } from "../../../domain/usage";
import type { Agent, Usage } from "../../../host/bindings";
import { count } from "../../../kit/format";
import type { RunModel } from "../model/model";

/** Shows the cost of each agent of a run. */
export function CostByAgent({ run }: { run: RunModel }) {
  const agents = (Object.keys(AGENTS) as Agent[]).filter((agent) => (run.usageByAgent[agent]?.llm_calls ?? 0) > 0);
  if (agents.length === 0)
    return (
      <p className="text-fg-3 text-sm">
        <Trans>No model was used.</Trans>
      </p>
    );
  const rows = agents.map((agent) => ({ agent, usage: run.usageByAgent[agent]! }));
  const all = rows.map((row) => row.usage).reduce(addUsage);
  const unknown = rows.some(({ usage }) => usage.priced_calls < usage.llm_calls);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard
    <div className="overflow-auto rounded-md border border-line" tabIndex={0}>
      <table aria-label={t`Cost by step`} className="nums w-full border-collapse text-xs">
        <thead>
          <tr className="bg-sunk text-fg-2">
            <Head left>
              <Trans>Step</Trans>
            </Head>
            <Head left>
              <Trans>Model</Trans>
            </Head>
            <Head>
              <Trans>Calls</Trans>
            </Head>
            <Head>
              <Trans>Input tokens</Trans>
            </Head>
            <Head>
              <Trans>Cached input</Trans>
            </Head>
            <Head>
              <Trans>Output tokens</Trans>
            </Head>
            <Head>
              <Trans>Cost</Trans>
            </Head>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ agent, usage }) => (
            <tr key={agent} className="border-line border-t">
              <td className="whitespace-nowrap px-2.5 py-1">{AGENTS[agent].title}</td>
              <td className="max-w-44 truncate px-2.5 py-1 text-fg-2">{run.models[agent] ?? ""}</td>
              <Numbers usage={usage} />
            </tr>
          ))}
          {rows.length > 1 && (
            <tr className="border-line border-t font-medium">
              <td className="px-2.5 py-1">
                <Trans>Total</Trans>
              </td>
              <td className="px-2.5 py-1">
                <Trans>{count(tokensOf(all))} tokens</Trans>
              </td>
              <Numbers usage={all} />
            </tr>
          )}
        </tbody>
      </table>
      {unknown && (
        <p className="border-line border-t px-2.5 py-1.5 text-fg-3 text-xs">
          <Trans>The price of some calls is unknown. Set it in the model's profile in Settings.</Trans>
        </p>
      )}
    </div>
  );
}

function Head({ left, children }: { left?: boolean; children: React.ReactNode }) {
  return (
    <th className={`whitespace-nowrap px-2.5 py-1 font-medium ${left ? "text-left" : "text-right"}`}>{children}</th>
  );
}

function Numbers({ usage }: { usage: Usage }) {
  const cells = [
    count(usage.llm_calls),
    count(usage.prompt_tokens),
    count(usage.cached_prompt_tokens),
    count(usage.completion_tokens),
    costOf(usage),
  ];
  return cells.map((text, i) => (
    <td key={i} className="whitespace-nowrap px-2.5 py-1 text-right">
      {text}
    </td>
  ));
}

function costOf(usage: Usage): string {
  if (usage.priced_calls === 0) return t`unknown`;
  return moneyOf(usage) || t`none`;
}
