// Spending and presets as the settings show them.

import { t } from "@lingui/core/macro";
import { dollars, moneyOf, tokensOf } from "../../domain/money";
import type { Agent, Cap, ModelId, ModelPresetInfo, Settings, SpendingRow, Usage } from "../../host/bindings";

export function isCapped(cap: Cap | undefined): boolean {
  return cap !== undefined && (cap.tokens !== null || cap.money !== null);
}

/** The part of a limit that is used, of the one that is nearest; null without a limit. */
export function usedPart(usage: Usage, cap: Cap): number | null {
  const parts = [
    cap.money === null ? null : usage.micro_usd / cap.money,
    cap.tokens === null ? null : tokensOf(usage) / cap.tokens,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : Math.max(...parts);
}

/** Formats spending for a table. */
export function costOf(usage: Usage): string {
  return spentText(usage) ?? t`none`;
}

/** Formats total spending; an amount even if it is zero. */
export function totalOf(usage: Usage): string {
  return spentText(usage) ?? dollars(0);
}

/** Null where nothing was. */
function spentText(usage: Usage): string | null {
  if (usage.llm_calls > 0 && usage.priced_calls === 0) return t`price unknown`;
  return moneyOf(usage) || null;
}

export interface Line {
  model: ModelId;
  remote: boolean;
  usage: Usage;
  agents: { agent: Agent; usage: Usage }[];
}

/** Rows of agents under their models, the dearest first. */
export function byModel(rows: SpendingRow[], add: (a: Usage, b: Usage) => Usage): Line[] {
  const lines = new Map<ModelId, Line>();
  for (const { model, remote, agent, usage } of rows) {
    const line = lines.get(model);
    if (!line) lines.set(model, { model, remote, usage, agents: [{ agent, usage }] });
    else {
      line.usage = add(line.usage, usage);
      line.agents.push({ agent, usage });
    }
  }
  const dearest = (a: { usage: Usage }, b: { usage: Usage }) =>
    b.usage.micro_usd - a.usage.micro_usd || tokensOf(b.usage) - tokensOf(a.usage);
  for (const line of lines.values()) line.agents.sort(dearest);
  return [...lines.values()].sort(dearest);
}

/** The preset that the settings follow; null where they are the user's own. */
export function presetOf(settings: Settings, presets: ModelPresetInfo[]): ModelPresetInfo | null {
  const same = ({ model, agentModels }: ModelPresetInfo) => {
    const mine = Object.entries(settings.agentModels).filter(([, id]) => id !== settings.defaultModel);
    const its = Object.entries(agentModels);
    return (
      model === settings.defaultModel &&
      mine.length === its.length &&
      its.every(([agent, id]) => settings.agentModels[agent as Agent] === id)
    );
  };
  return presets.find((preset) => preset.usable && same(preset)) ?? null;
}
