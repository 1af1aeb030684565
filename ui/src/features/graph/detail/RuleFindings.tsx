import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { RuleCode } from "../../../domain/ruleCode";
import type { QueryVariant, RuleNote } from "../../../host/bindings";
import { DiffView } from "../../../kit/diffView";
import { Disclosure } from "../../../kit/disclosure";
import { resultInWords } from "../model/answer";
import type { QueryChange, RunModel, StageNode, VariantTry } from "../model/model";
import { ErrorBox, Section } from "./parts";

/** Changes, variants and findings of the rules for the queries of a stage. */
export function RuleFindings({ stage, run }: { stage: StageNode; run: RunModel }) {
  const { changed, variantsTried, rules, sql } = stage;
  const changes = changed.reduce((sum, c) => sum + c.changes.length, 0);
  // The node that wrote the query shows the change; the answer shows it only if no node does.
  const untold =
    rules?.written && sql && run.stages.every((s) => s.changed.length === 0)
      ? [{ before: rules.written, after: sql, changes: rules.changes }]
      : [];
  const shown = [...changed, ...untold];
  return (
    <>
      {shown.length > 0 && (
        <Section
          title={t`Changed by rules`}
          note={plural(changes || untold[0]!.changes.length, { one: "# change", other: "# changes" })}
        >
          <Framed>
            {shown.map((change, i) => (
              <Changed key={i} change={change} run={run} />
            ))}
          </Framed>
        </Section>
      )}
      {variantsTried.length > 0 && (
        <Section title={t`Variants`} note={plural(variantsTried.length, { one: "# query", other: "# queries" })}>
          <Framed>
            {variantsTried.map((tried, i) => (
              <Tried key={i} tried={tried} stage={stage} run={run} />
            ))}
          </Framed>
        </Section>
      )}
      {rules && rules.variants.length > 0 && (
        <Section
          title={t`Variants of the answer`}
          note={plural(rules.variants.length, { one: "# query", other: "# queries" })}
        >
          <Framed>
            {rules.variants.map((variant, i) => (
              <Possible key={i} variant={variant} sql={sql ?? ""} run={run} />
            ))}
          </Framed>
        </Section>
      )}
      {rules && rules.findings.length > 0 && (
        <Section title={t`Findings`}>
          <Framed>
            {rules.findings.map((finding, i) => (
              <li key={i} className="px-3 py-2">
                <Note note={finding} />
              </li>
            ))}
          </Framed>
        </Section>
      )}
    </>
  );
}

function Framed({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col divide-y divide-line rounded-md border border-line text-sm">{children}</ul>;
}

function Note({ note }: { note: RuleNote }) {
  return (
    <p className="wrap-anywhere">
      {note.note} <RuleCode code={note.rule} />
    </p>
  );
}

function Changed({ change, run }: { change: QueryChange; run: RunModel }) {
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      {change.changes.map((note, i) => (
        <Note key={i} note={note} />
      ))}
      <Disclosure title={t`Before and after`}>
        <DiffView
          before={change.before}
          after={change.after}
          labels={[t`Original query`, t`Changed query`]}
          dialect={run.dialect}
        />
      </Disclosure>
    </li>
  );
}

function Tried({ tried, stage, run }: { tried: VariantTry; stage: StageNode; run: RunModel }) {
  const of = stage.sqlAttempts.findLast((a) => a.candidate === tried.candidate);
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <Note note={tried} />
      <Disclosure title={outcomeOf(tried)} note={t`from attempt ${tried.candidate}`}>
        <DiffView
          before={of?.sql ?? ""}
          after={tried.sql}
          labels={[t`Attempt ${tried.candidate}`, t`Variant`]}
          dialect={run.dialect}
        />
      </Disclosure>
      {tried.error && <ErrorBox>{tried.error}</ErrorBox>}
    </li>
  );
}

/** The outcome of a variant, compared with the original. */
export function outcomeOf({ error, rowCount, sameResult }: VariantTry): string {
  if (error !== null) return t`Failed`;
  if (sameResult) return t`Same result`;
  return rowCount === null
    ? t`Different result`
    : plural(rowCount, { one: "Different result, # row", other: "Different result, # rows" });
}

function Possible({ variant, sql, run }: { variant: QueryVariant; sql: string; run: RunModel }) {
  const { rowCount, firstRow } = variant;
  const gives =
    rowCount === null ? t`Not run` : t`Returns ${resultInWords({ rowCount, firstRow, sql: variant.sql })}`;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <Note note={variant} />
      <Disclosure title={<span className="nums">{gives}</span>}>
        <DiffView before={sql} after={variant.sql} labels={[t`Answer`, t`Variant`]} dialect={run.dialect} />
      </Disclosure>
    </li>
  );
}
