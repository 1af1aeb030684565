import { Check, CircleHelp, Info } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type {
  ColumnUse,
  Dialect,
  ExplainedStep,
  Explanation,
  ExplanationCheck,
  UsedTable,
} from "../../host/bindings";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { plural } from "../../kit/format";
import { SqlText } from "../../kit/sqlText";
import { LoadingText } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import { explanationKey, loadExplanation, useExplanations } from "./state";

const USES: Record<ColumnUse, string> = {
  shown: "shown",
  computed: "computed with",
  filtered: "filtered by",
  joined: "joined on",
  grouped: "grouped by",
  sorted: "sorted by",
};

/** How a query's result comes about. `onRows` shows the rows of a step, by its query. */
export function ExplanationView({
  warehouse,
  sql,
  dialect,
  onRows,
}: {
  warehouse: string;
  sql: string;
  dialect: Dialect | null;
  onRows: (sql: string) => void;
}) {
  const entry = useExplanations((s) => s.entries[explanationKey(warehouse, sql)]);
  useEffect(() => void loadExplanation(warehouse, sql), [warehouse, sql]);

  if (entry?.status === "failed" && entry.error) {
    const again = <Button onClick={() => void loadExplanation(warehouse, sql)}>Try again</Button>;
    return <ErrorNote error={entry.error} action={again} />;
  }
  if (!entry?.explanation) return <LoadingText />;
  const { understood, selection, steps, checks } = entry.explanation;
  const doubts = checks.filter((check) => check.mayChange);
  return (
    <div className="flex flex-col gap-8">
      {understood.length > 0 && (
        <Section title="What was asked of the data">
          <ul className="flex flex-col gap-1">
            {understood.map((clause) => (
              <li key={clause}>{clause}</li>
            ))}
          </ul>
        </Section>
      )}
      {doubts.length > 0 && (
        <Section title="Worth asking">
          <Checks checks={doubts} />
        </Section>
      )}
      {steps.length > 0 && (
        <Section title="Step by step" note={<Proof explanation={entry.explanation} />}>
          <ol className="flex flex-col">
            {steps.map((step, i) => (
              <Step
                key={step.name}
                number={i + 1}
                step={step}
                checks={checks.filter((check) => check.step === step.name)}
                dialect={dialect}
                onRows={onRows}
              />
            ))}
          </ol>
        </Section>
      )}
      {steps.length === 0 && entry.explanation.unproven && (
        <p className="text-fg-2">The query stays whole: {entry.explanation.unproven}.</p>
      )}
      {selection.length > 0 && (
        <Section title="Tables and columns">
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

/** Whether the steps were run and gave the answer's own rows. */
function Proof({ explanation }: { explanation: Explanation }) {
  if (explanation.proven) {
    return (
      <span className="inline-flex items-center gap-1 text-fg-2 text-sm">
        <Check size={14} className="text-good" aria-hidden />
        Run, and the same result
      </span>
    );
  }
  return <span className="text-fg-2 text-sm">Not proven: {explanation.unproven}</span>;
}

function Step({
  number,
  step,
  checks,
  dialect,
  onRows,
}: {
  number: number;
  step: ExplainedStep;
  checks: ExplanationCheck[];
  dialect: Dialect | null;
  onRows: (sql: string) => void;
}) {
  return (
    <li className="flex gap-3 border-line border-t py-2.5 first:border-t-0 first:pt-0">
      <span className="nums w-5 shrink-0 text-right text-fg-3">{number}</span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-4">
          <p className="min-w-0 flex-1 break-words">{step.note}</p>
          {step.rows !== null && <span className="nums shrink-0 text-fg-2 text-sm">{plural(step.rows, "row")}</span>}
        </div>
        {checks.length > 0 && (
          <div className="mt-1">
            <Checks checks={checks} />
          </div>
        )}
        <div className="mt-1 flex items-start gap-4">
          <Disclosure title="SQL" className="min-w-0 flex-1">
            <SqlText sql={step.sql} dialect={dialect} />
          </Disclosure>
          <TextButton onClick={() => onRows(step.runs)}>Show these rows</TextButton>
        </div>
      </div>
    </li>
  );
}

function Checks({ checks }: { checks: ExplanationCheck[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {checks.map((check) => (
        <li key={`${check.code}:${check.text}`} className="flex gap-2 text-sm">
          {check.mayChange ? (
            <CircleHelp size={14} className="mt-0.5 shrink-0 text-warn" aria-label="Worth asking" />
          ) : (
            <Info size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />
          )}
          <span className={check.mayChange ? "text-fg" : "text-fg-2"}>{check.text}.</span>
        </li>
      ))}
    </ul>
  );
}

function Table({ table }: { table: UsedTable }) {
  return (
    <li className="flex gap-4">
      <span className="w-44 shrink-0 truncate font-medium" title={table.table}>
        {table.table}
      </span>
      <ul className="flex min-w-0 flex-1 flex-col gap-0.5">
        {table.columns.map((column) => (
          <li key={column.column} className="flex flex-wrap gap-x-3">
            <span className="min-w-32 break-words">{column.column}</span>
            <span className="text-fg-2 text-sm">{column.uses.map((use) => USES[use]).join(", ")}</span>
          </li>
        ))}
        {table.columns.length === 0 && <li className="text-fg-2 text-sm">its rows alone</li>}
      </ul>
    </li>
  );
}
