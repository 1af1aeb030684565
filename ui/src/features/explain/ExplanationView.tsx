import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type {
  Dialect,
  ExplainedStep,
  Explanation,
  ExplanationCheck,
  RewrittenQuestion,
  UsedTable,
} from "../../host/bindings";
import { Disclosure } from "../../kit/disclosure";
import { MiniTable } from "../../kit/miniTable";
import { SqlText } from "../../kit/sqlText";
import { TextButton } from "../../kit/textButton";
import { Checks } from "./Checks";
import { Explaining } from "./Explaining";
import { QuestionMatchView } from "./QuestionSection";
import { changeSentence, largestChange, type RowChange } from "./rowChange";
import { samplePage } from "./sample";
import type { ExplainedQuery } from "./state";
import { USES, wholeQuery } from "./words";

interface ExplanationDisplay {
  dialect: Dialect | null;
  /** The question as rewritten by the method. */
  rewritten?: RewrittenQuestion | null;
  /** Shows the rows of a step, by its query. */
  onRows: (sql: string) => void;
}

/** The explanation of a query, in words. */
export function ExplanationView({ query, ...look }: ExplanationDisplay & { query: ExplainedQuery }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-6 py-6">
        <Explaining query={query}>{(explanation) => <Told explanation={explanation} {...look} />}</Explaining>
      </div>
    </div>
  );
}

function Told({ explanation, dialect, rewritten = null, onRows }: ExplanationDisplay & { explanation: Explanation }) {
  const { understood, question, selection, steps, checks, unproven } = explanation;
  const doubts = checks.filter((check) => check.mayChange);
  const largest = largestChange(explanation);
  return (
    <div className="flex flex-col gap-8">
      {question && (
        <Section title={t`Question and query`}>
          <QuestionMatchView match={question} rewritten={rewritten} />
        </Section>
      )}
      {understood.length > 0 && (
        <Section title={t`What the query does`}>
          <ul className="flex flex-col gap-1">
            {understood.map((clause) => (
              <li key={clause}>{clause}</li>
            ))}
          </ul>
        </Section>
      )}
      {doubts.length > 0 && (
        <Section title={t`Worth checking`}>
          <Checks checks={doubts} />
        </Section>
      )}
      {steps.length > 0 && (
        <Section title={t`Steps`} note={<Proof explanation={explanation} />}>
          <ol className="flex flex-col">
            {steps.map((step, i) => (
              <Step
                key={step.name}
                number={i + 1}
                step={step}
                checks={checks.filter((check) => check.step === step.name)}
                largest={largest?.step === step.name ? largest : null}
                dialect={dialect}
                onRows={onRows}
              />
            ))}
          </ol>
        </Section>
      )}
      {steps.length === 0 && unproven && <p className="text-fg-2">{wholeQuery(unproven)}</p>}
      {selection.length > 0 && (
        <Section title={t`Tables and columns`}>
          <ul className="flex flex-col gap-3">
            {selection.map((table) => (
              <Table key={table.table} table={table} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-2 flex items-baseline gap-3">
        <h2 className="flex-1 font-semibold">{title}</h2>
        {note}
      </div>
      {children}
    </section>
  );
}

/** Returns whether the steps were run and reproduce the answer's rows. */
function Proof({ explanation }: { explanation: Explanation }) {
  if (explanation.proven) {
    return (
      <span className="inline-flex items-center gap-1 text-fg-2 text-sm">
        <Check size={14} className="text-good" aria-hidden />
        <Trans>Steps reproduce the result</Trans>
      </span>
    );
  }
  return (
    <span className="text-fg-2 text-sm">
      <Trans>Not confirmed: {explanation.unproven}</Trans>
    </span>
  );
}

function Step({
  number,
  step,
  checks,
  largest,
  dialect,
  onRows,
}: {
  number: number;
  step: ExplainedStep;
  checks: ExplanationCheck[];
  /** Its change of rows, if it is the largest of all steps. */
  largest: RowChange | null;
  dialect: Dialect | null;
  onRows: (sql: string) => void;
}) {
  return (
    <li className="flex gap-3 border-line border-t py-2.5 first:border-t-0 first:pt-0">
      <span className="nums w-5 shrink-0 text-right text-fg-3">{number}</span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-4">
          <p className="min-w-0 flex-1 break-words">{step.note}</p>
          {step.rows !== null && (
            <span className="nums shrink-0 text-fg-2 text-sm">
              {plural(step.rows, { one: "# row", other: "# rows" })}
            </span>
          )}
        </div>
        {step.grain && (
          <p className="text-fg-3 text-sm">
            <Trans>Grain: {step.grain}</Trans>
          </p>
        )}
        {largest && <p className="text-fg-2 text-sm">{changeSentence(largest)}</p>}
        {checks.length > 0 && (
          <div className="mt-1">
            <Checks checks={checks} />
          </div>
        )}
        <div className="mt-1 flex items-start gap-4">
          <div className="flex min-w-0 flex-1 flex-col">
            {step.sample.length > 0 && (
              <Disclosure title={t`First rows`}>
                <MiniTable page={samplePage(step)} readable />
              </Disclosure>
            )}
            <Disclosure title="SQL">
              <SqlText sql={step.sql} dialect={dialect} />
            </Disclosure>
          </div>
          <TextButton onClick={() => onRows(step.runs)}>
            <Trans>Show rows</Trans>
          </TextButton>
        </div>
      </div>
    </li>
  );
}

function Table({ table }: { table: UsedTable }) {
  return (
    <li className="flex gap-4">
      <span className="w-44 shrink-0">
        <span className="block truncate font-medium" title={table.table}>
          {table.table}
        </span>
        {table.rows !== null && (
          <span className="nums block text-fg-3 text-sm">
            {plural(table.rows, { one: "# row", other: "# rows" })}
          </span>
        )}
      </span>
      <ul className="flex min-w-0 flex-1 flex-col gap-0.5">
        {table.columns.map((column) => (
          <li key={column.column} className="flex flex-wrap gap-x-3">
            <span className="min-w-32 break-words">{column.column}</span>
            <span className="text-fg-2 text-sm">{column.uses.map((use) => USES[use]).join(", ")}</span>
          </li>
        ))}
        {table.columns.length === 0 && (
          <li className="text-fg-2 text-sm">
            <Trans>No column is used</Trans>
          </li>
        )}
      </ul>
    </li>
  );
}
