import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowDown } from "lucide-react";
import { useEffect, useState } from "react";
import type { RuleInfo } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { SearchInput, Switch } from "../../kit/field";
import { SqlText } from "../../kit/sqlText";
import { Skeleton } from "../../kit/status";
import {
  allRulesOn,
  EVIDENCE,
  GROUPS,
  isOff,
  loadRules,
  type RuleGroup,
  searchRules,
  setPart,
  setRule,
  useRules,
} from "./rules";

/** With more rules than this, there is a search. */
const MANY = 8;

/** Every rule: summary, example, evidence and switch. */
export function RulesSection() {
  const { list, status, error, without, withoutRules } = useRules();
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (useRules.getState().status !== "ready") void loadRules();
  }, []);
  const off = withoutRules.length + without.length;
  const found = searchRules(list, typed);
  return (
    <>
      <div className="flex h-7 items-center justify-between gap-4">
        <h2 className="font-semibold text-lg">
          <Trans>Rules</Trans>
        </h2>
        {off > 0 && (
          <Button size="sm" variant="quiet" className="-mr-2.5" onClick={allRulesOn}>
            <Trans>Enable all</Trans>
          </Button>
        )}
      </div>
      <p className="mt-0.5 max-w-140 text-fg-3 text-sm">
        <Trans>
          Rules check every query that a model writes. The answer shows what they changed and lets you undo it.
          Changes here apply from the next question.
        </Trans>
      </p>
      {list.length > MANY && (
        <SearchInput value={typed} onChange={setTyped} placeholder={t`Search rules`} className="mt-4 w-64" />
      )}
      {status === "loading" && [1, 2, 3].map((n) => <Skeleton key={n} className="mt-4 h-20 rounded-lg" />)}
      {status === "failed" && error && (
        <div className="mt-4">
          <ErrorNote error={error} again={() => void loadRules()} />
        </div>
      )}
      {GROUPS.map((group) => (
        <Group
          key={group.applicability}
          group={group}
          rules={found.filter((rule) => rule.applicability === group.applicability)}
          searching={typed.trim() !== ""}
        />
      ))}
      {typed.trim() !== "" && found.length === 0 && (
        <p className="mt-6 text-fg-3">
          <Trans>No matching rules.</Trans>
        </p>
      )}
    </>
  );
}

function Group({ group, rules, searching }: { group: RuleGroup; rules: RuleInfo[]; searching: boolean }) {
  const { part } = group;
  const on = useRules((s) => part === null || !s.without.includes(part));
  if (searching && rules.length === 0) return null;
  return (
    <section aria-label={group.title} className="mt-8">
      <div className="flex items-center justify-between gap-6 border-line border-b pb-2.5">
        <div className="min-w-0">
          <h3 className="font-semibold">
            {group.title}
            {rules.length > 0 && (
              <span className="nums ml-2 font-normal text-fg-3 text-sm">
                {plural(rules.length, { one: "# rule", other: "# rules" })}
              </span>
            )}
          </h3>
          <p className="mt-0.5 text-fg-3 text-sm">{group.goes}</p>
        </div>
        {part !== null && <Switch label={group.title} checked={on} onChange={(next) => setPart(part, next)} />}
      </div>
      <ul className="divide-y divide-line">
        {rules.map((rule) => (
          <Rule key={rule.code} rule={rule} groupOn={on} />
        ))}
      </ul>
    </section>
  );
}

function Rule({ rule, groupOn }: { rule: RuleInfo; groupOn: boolean }) {
  const on = useRules((s) => !isOff(rule.code, s));
  const { code, name, summary, evidence, applicability } = rule;
  return (
    <li id={`rule-${code}`} className="scroll-mt-6 py-3.5">
      <div className="flex items-start justify-between gap-6">
        <div className={cx("min-w-0", !(on && groupOn) && "opacity-60")}>
          <div className="flex items-baseline gap-2">
            <span className="font-medium">{name}</span>
            <span className="font-mono text-fg-3 text-xs">{code}</span>
          </div>
          <p className="wrap-anywhere mt-0.5 max-w-130 text-fg-2 text-sm">{summary}</p>
        </div>
        <Switch label={name} checked={on} disabled={!groupOn} onChange={(next) => setRule(code, next)} />
      </div>
      <div className={cx("mt-2 rounded-md bg-sunk px-3 py-2", !(on && groupOn) && "opacity-60")}>
        <Example label={t`Before`} text={rule.before} sql />
        <ArrowDown size={12} className="my-1 text-fg-3" aria-hidden />
        <Example label={t`After`} text={rule.after} sql={applicability !== "hint"} />
      </div>
      <p className="mt-1.5 text-fg-3 text-xs">
        <Trans>Uses {evidence.map((e) => EVIDENCE[e]).join(", ")}</Trans>
      </p>
    </li>
  );
}

function Example({ label, text, sql }: { label: string; text: string; sql: boolean }) {
  return (
    <div>
      <span className="sr-only">{label}: </span>
      {sql ? (
        <SqlText plain sql={text} dialect={null} className="wrap-anywhere whitespace-pre-wrap" />
      ) : (
        <p className="wrap-anywhere text-fg-2 text-sm">{text}</p>
      )}
    </div>
  );
}
