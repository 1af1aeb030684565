import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Eye, GitBranch, PencilLine } from "lucide-react";
import { type ReactNode, useState } from "react";
import { RuleCode } from "../domain/ruleCode";
import { resultInWords } from "../features/graph/model/answer";
import type { RunModel } from "../features/graph/model/model";
import { isRepair, useRules } from "../features/settings/rules";
import type { QueryVariant, RuleNote } from "../host/bindings";
import { DiffView } from "../kit/diffView";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { applyAlways, conditionText, useAlreadyApplied } from "./alwaysApply";
import { Fact } from "./Fact";
import { type OtherQuery, showOther, useShownQuery } from "./shownQuery";

/** Notes of one kind shown before "more". */
const SHOWN = 3;

/** Changes, variants and findings of the rules for the answer's query. */
export function QueryNotes({ run }: { run: RunModel }) {
  const { changes, variants, findings, written } = run.rules;
  if (changes.length + variants.length + findings.length === 0 && written === null) return null;
  return (
    <Fact name={t`About the query`} region>
      <ul className="flex flex-col gap-1.5">
        <Changes run={run} />
        <Some items={variants} more={(n) => plural(n, { one: "# more variant", other: "# more variants" })}>
          {(variant, i) => <Variant key={i} variant={variant} run={run} />}
        </Some>
        <Some items={findings} more={(n) => plural(n, { one: "# more finding", other: "# more findings" })}>
          {(finding, i) => (
            <Row key={i} icon={<Eye size={14} />}>
              <Said by={t`Finding`} note={finding} />
            </Row>
          )}
        </Some>
      </ul>
    </Fact>
  );
}

function Changes({ run }: { run: RunModel }) {
  const { changes, written } = run.rules;
  const [diff, setDiff] = useState(false);
  const known = useRules((s) => s.list);
  const byDefinition = changes.some(({ rule }) =>
    known.some(({ code, applicability }) => code === rule && applicability === "defined"),
  );
  // Such a query could not run as it was written, or gives the same: there is nothing to go back to.
  const repaired = changes.some(({ rule }) => known.some((info) => info.code === rule && isRepair(info)));
  if (changes.length === 0 && written === null) return null;
  const [only] = changes.length === 1 ? changes : [];
  const actions = (written !== null || byDefinition) && (
    <Actions>
      {written !== null && (
        <>
          <TextButton pressed={diff} onClick={() => setDiff(!diff)}>
            {diff ? t`Hide diff` : t`Show diff`}
          </TextButton>
          {!repaired && (
            <Run
              run={run}
              other={{ kind: "written", about: "", sql: written }}
              label={only ? t`Undo` : t`Undo all`}
            />
          )}
        </>
      )}
      {byDefinition && (
        <TextButton onClick={() => navigate({ page: "connections", uri: run.warehouse })}>
          <Trans>Definitions</Trans>
        </TextButton>
      )}
    </Actions>
  );
  return (
    <Row
      icon={<PencilLine size={14} />}
      below={
        <>
          {changes.length > 1 && <ChangeNotes changes={changes} />}
          {diff && written !== null && (
            <Difference
              run={run}
              before={written}
              after={run.sql ?? ""}
              labels={[t`Original query`, t`Executed query`]}
            />
          )}
        </>
      }
    >
      {only ? (
        <Said by={t`Vitrine changed the query`} note={only} />
      ) : (
        <span className="text-fg">
          {changes.length > 1
            ? plural(changes.length, {
                one: "Vitrine changed the query in # place.",
                other: "Vitrine changed the query in # places.",
              })
            : t`Vitrine changed the query.`}
        </span>
      )}{" "}
      {actions}
    </Row>
  );
}

/** Changes by rules, one per line. */
export function ChangeNotes({ changes }: { changes: RuleNote[] }) {
  return (
    <ul className="mt-0.5 flex flex-col gap-0.5">
      {changes.map((change, i) => (
        <li key={i} className="wrap-anywhere text-fg-2">
          {change.note} <RuleCode code={change.rule} />
        </li>
      ))}
    </ul>
  );
}

function Variant({ variant, run }: { variant: QueryVariant; run: RunModel }) {
  const [diff, setDiff] = useState(false);
  const { rowCount, firstRow, note, sql, always = [] } = variant;
  const wanted = useAlreadyApplied(run.warehouse, always);
  return (
    <Row
      icon={<GitBranch size={14} />}
      below={diff && <Difference run={run} before={run.sql ?? ""} after={sql} labels={[t`Answer`, t`Variant`]} />}
    >
      <Said by={t`Variant`} note={variant} />{" "}
      {rowCount !== null && (
        <span className="nums text-fg-3">
          <Trans>Returns {resultInWords({ rowCount, firstRow, sql })}.</Trans>
        </span>
      )}{" "}
      <Actions>
        <TextButton pressed={diff} onClick={() => setDiff(!diff)}>
          {diff ? t`Hide diff` : t`Show diff`}
        </TextButton>
        <Run run={run} other={{ kind: "variant", about: note, sql }} label={t`Run`} />
        {always.length > 0 && !wanted && (
          <TextButton
            label={t`Always apply: ${always.map(conditionText).join(", ")}`}
            onClick={() => void applyAlways(run, always)}
          >
            <Trans>Always apply</Trans>
          </TextButton>
        )}
      </Actions>
    </Row>
  );
}

/** Shows the rows of another query in place of the answer, or returns to the answer. Not for answers from code. */
function Run({ run, other, label }: { run: RunModel; other: OtherQuery; label: string }) {
  const active = useShownQuery((s) => s.others[run.runId]?.sql === other.sql);
  if (run.code !== null) return null;
  return (
    <TextButton onClick={() => showOther(run.runId, active ? null : other)}>
      {active ? t`Back to the answer` : label}
    </TextButton>
  );
}

/** Actions after a sentence, on the same line if they fit. */
function Actions({ children }: { children: ReactNode }) {
  return <span className="ml-1.5 inline-flex gap-3">{children}</span>;
}

function Said({ by, note }: { by: string; note: RuleNote }) {
  return (
    <>
      <span className="text-fg">{by}:</span> {note.note} <RuleCode code={note.rule} />
    </>
  );
}

function Difference({ run, ...diff }: { run: RunModel; before: string; after: string; labels: [string, string] }) {
  return (
    <div className="mt-1.5 mb-1">
      <DiffView {...diff} dialect={run.dialect} />
    </div>
  );
}

function Row({ icon, below, children }: { icon: ReactNode; below?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <span className="mt-0.5 shrink-0 text-fg-3" aria-hidden>
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-fg-2">{children}</p>
        {below}
      </div>
    </li>
  );
}

/** The first few, the rest on demand. */
function Some<T>({
  items,
  more,
  children,
}: {
  items: T[];
  /** Shows the number of further entries. */
  more: (n: number) => string;
  children: (item: T, index: number) => ReactNode;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, SHOWN);
  return (
    <>
      {shown.map(children)}
      {items.length > shown.length && (
        <li className="pl-5.5">
          <TextButton onClick={() => setAll(true)}>{more(items.length - shown.length)}</TextButton>
        </li>
      )}
    </>
  );
}
