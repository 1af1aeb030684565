import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { AGENTS } from "../../domain/agents";
import type { Agent, AppError, Cap, Settings, Spending } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { OptionalNumberInput, SettingRow } from "../../kit/field";
import { monthName } from "../../kit/format";
import { Select } from "../../kit/select";
import { LoadingText } from "../../kit/status";
import { isCapped } from "./costs";
import { SpendingView } from "./SpendingView";
import { changeSettings } from "./state";

type Caps = Settings["agentBudgets"];

/** Spending, and the limits per question and per month. */
export function CostsSection({ settings }: { settings: Settings }) {
  const [month, setMonth] = useState<string | null>(null);
  const [spending, setSpending] = useState<Spending | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [again, setAgain] = useState(0);
  // The spending view shows the limits too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks once more
  useEffect(() => {
    let gone = false;
    host()
      .spending(month)
      .then(
        (read) => {
          if (gone) return;
          setSpending(read);
          setError(null);
        },
        (thrown) => !gone && setError(toAppError(thrown)),
      );
    return () => {
      gone = true;
    };
  }, [month, settings.monthly, again]);

  const { monthly, budget } = settings;
  const months = spending ? [...new Set([spending.month, ...spending.months])].sort().reverse() : [];
  return (
    <>
      <div className="-mt-1 flex h-8 items-center justify-between gap-4">
        <h2 className="font-semibold text-lg">
          <Trans>Spent</Trans>
        </h2>
        {spending && months.length > 1 && (
          <Select
            label={t`Month`}
            quiet
            value={spending.month}
            choices={months.map((value) => ({ value, label: monthName(value) }))}
            onChange={setMonth}
          />
        )}
        {spending && months.length <= 1 && <span className="text-fg-3 text-sm">{monthName(spending.month)}</span>}
      </div>
      {error && <ErrorNote error={error} compact again={() => setAgain(again + 1)} />}
      {!spending && !error && <LoadingText className="py-4" />}
      {spending && <SpendingView spending={spending} />}

      <h2 className="mt-9 mb-1 font-semibold text-lg">
        <Trans>Limits per month</Trans>
      </h2>
      <p className="text-fg-3 text-sm">
        <Trans>
          Only remote models count. Once a limit is reached, questions that need such a model are refused.
        </Trans>
      </p>
      <CapRows
        of={t`All steps`}
        cap={monthly.all}
        unpriced={spending?.unpriced ?? []}
        onChange={(all) => void changeSettings({ monthly: { ...monthly, all } })}
      />
      <CapsByStep
        span={t`per month`}
        caps={monthly.byAgent}
        onChange={(byAgent) => void changeSettings({ monthly: { ...monthly, byAgent } })}
      />

      <h2 className="mt-9 mb-1 font-semibold text-lg">
        <Trans>Limits per question</Trans>
      </h2>
      <p className="text-fg-3 text-sm">
        <Trans>When a limit is reached, the best result so far becomes the answer.</Trans>
      </p>
      <SettingRow label={t`Cost, in US dollars`}>
        <Dollars
          label={t`Cost per question`}
          value={budget.money}
          onChange={(money) => void changeSettings({ budget: { ...budget, money } })}
        />
      </SettingRow>
      <SettingRow label={t`Tokens`} help={t`Prompts and replies combined.`}>
        <OptionalNumberInput
          label={t`Tokens per question`}
          empty={t`None`}
          value={budget.tokens}
          min={1}
          max={100_000_000}
          onChange={(tokens) => void changeSettings({ budget: { ...budget, tokens } })}
        />
      </SettingRow>
      <CapsByStep
        span={t`per question`}
        caps={settings.agentBudgets}
        onChange={(agentBudgets) => void changeSettings({ agentBudgets })}
      />
    </>
  );
}

/** A limit of money and one of tokens for each step. */
function CapsByStep({ span, caps, onChange }: { span: string; caps: Caps; onChange: (caps: Caps) => void }) {
  const agents = Object.keys(AGENTS) as Agent[];
  const own = agents.filter((agent) => isCapped(caps[agent])).length;
  return (
    <Disclosure title={t`Limits by step`} note={own > 0 ? t`${own} set` : undefined} className="mt-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4">
        <span />
        <span className="pr-2.5 text-right text-fg-3 text-xs">
          <Trans>US dollars</Trans>
        </span>
        <span className="pr-2.5 text-right text-fg-3 text-xs">
          <Trans>Tokens</Trans>
        </span>
        {agents.map((agent) => (
          <AgentCap
            key={agent}
            of={`${span}: ${AGENTS[agent].title}`}
            title={AGENTS[agent].title}
            cap={caps[agent]}
            onChange={(cap) => {
              const { [agent]: _, ...rest } = caps;
              onChange(isCapped(cap) ? { ...rest, [agent]: cap } : rest);
            }}
          />
        ))}
      </div>
    </Disclosure>
  );
}

function CapRows({
  of,
  cap,
  unpriced,
  onChange,
}: {
  of: string;
  cap: Cap;
  unpriced: string[];
  onChange: (cap: Cap) => void;
}) {
  const help =
    unpriced.length > 0
      ? t`The price of ${unpriced.join(", ")} is unknown, so cost limits do not apply to it. Token limits do.`
      : undefined;
  return (
    <>
      <SettingRow label={t`Cost, in US dollars`} help={help}>
        <Dollars
          label={t`Cost per month: ${of}`}
          value={cap.money}
          onChange={(money) => onChange({ ...cap, money })}
        />
      </SettingRow>
      <SettingRow label={t`Tokens`}>
        <Tokens
          label={t`Tokens per month: ${of}`}
          value={cap.tokens}
          onChange={(tokens) => onChange({ ...cap, tokens })}
        />
      </SettingRow>
    </>
  );
}

function AgentCap({
  of,
  title,
  cap = { tokens: null, money: null },
  onChange,
}: {
  of: string;
  title: string;
  cap: Cap | undefined;
  onChange: (cap: Cap) => void;
}) {
  return (
    <>
      <span className="truncate">{title}</span>
      <span className="py-1">
        <Dollars label={t`Cost ${of}`} value={cap.money} onChange={(money) => onChange({ ...cap, money })} />
      </span>
      <span className="py-1">
        <Tokens label={t`Tokens ${of}`} value={cap.tokens} onChange={(tokens) => onChange({ ...cap, tokens })} />
      </span>
    </>
  );
}

interface LimitProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** Dollars in the field, millionths of them in the settings. */
function Dollars({ label, value, onChange }: LimitProps) {
  return (
    <OptionalNumberInput
      label={label}
      empty={t`None`}
      decimals={4}
      value={value === null ? null : value / 1_000_000}
      min={0.0001}
      max={1_000_000}
      onChange={(next) => onChange(next === null ? null : Math.round(next * 1_000_000))}
    />
  );
}

function Tokens({ label, value, onChange }: LimitProps) {
  return (
    <OptionalNumberInput
      label={label}
      empty={t`None`}
      value={value}
      min={1}
      max={100_000_000_000}
      onChange={onChange}
    />
  );
}
