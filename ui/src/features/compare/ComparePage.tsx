import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useState } from "react";
import { CertaintyIcon, certaintyLabel } from "../../domain/certainty";
import { everydayLabel } from "../../domain/methods";
import { moneyOf, tokensOf } from "../../domain/money";
import type { AppError, RunComparison, RunSide, RunSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { DiffView } from "../../kit/diffView";
import { ErrorNote } from "../../kit/error";
import { clipText, compact, count, duration, timeOfDay } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { Select } from "../../kit/select";
import { Skeleton } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import { RowsDifference } from "./RowsDifference";

/** Runs to choose from. */
const OFFERED = 60;

/** Two runs side by side. */
export function ComparePage({
  left,
  right,
  onChoose,
  onOpen,
}: {
  left: string;
  /** Null until the user has chosen it. */
  right: string | null;
  onChoose: (left: string, right: string | null) => void;
  onOpen: (runId: string) => void;
}) {
  const [runs, setRuns] = useState<RunSummary[]>([]);
  const [found, setFound] = useState<RunComparison | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    let gone = false;
    const failed = (thrown: unknown) => !gone && setError(toAppError(thrown));
    host()
      .runs("", OFFERED, 0)
      .then((list) => !gone && setRuns(list), failed);
    if (right !== null)
      host()
        .compareRuns(left, right)
        .then((next) => !gone && setFound(next), failed);
    return () => {
      gone = true;
    };
  }, [left, right]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-260 flex-col gap-5 px-6 py-5">
        <h1 className="font-semibold text-lg">
          <Trans>Compare two runs</Trans>
        </h1>
        <div className="grid grid-cols-2 gap-4">
          <Choose label={t`First run`} runs={runs} value={left} onChange={(id) => onChoose(id, right)} />
          <Choose label={t`Second run`} runs={runs} value={right ?? ""} onChange={(id) => onChoose(left, id)} />
        </div>
        {error ? (
          <ErrorNote error={error} />
        ) : right === null ? (
          <p className="text-fg-2">
            <Trans>Choose the second run.</Trans>
          </p>
        ) : found === null ? (
          <Skeleton className="h-40 rounded-lg" />
        ) : (
          <Compared found={found} onOpen={onOpen} />
        )}
      </div>
    </div>
  );
}

function Choose({
  label,
  runs,
  value,
  onChange,
}: {
  label: string;
  runs: RunSummary[];
  value: string;
  onChange: (runId: string) => void;
}) {
  const listed = runs.map((run) => ({
    value: run.runId,
    label: clipText(run.question, 70),
    note: timeOfDay(run.startedAt),
  }));
  // An older run is compared, too.
  const known = value === "" || listed.some((choice) => choice.value === value);
  const choices = [
    ...(value === "" ? [{ value: "", label: t`Choose a run` }] : []),
    ...(known ? [] : [{ value, label: t`An earlier run` }]),
    ...listed,
  ];
  return <Select label={label} className="w-full" value={value} choices={choices} onChange={onChange} />;
}

function Compared({ found, onOpen }: { found: RunComparison; onOpen: (runId: string) => void }) {
  const { left, right, rows } = found;
  return (
    <>
      <Facts caption={t`The two answers`} lines={answerFacts(onOpen)} found={found} />
      <section aria-labelledby="rows">
        <h2 id="rows" className="mb-2 font-semibold">
          <Trans>Result</Trans>
        </h2>
        {rows === null ? (
          <p className="text-fg-2">
            <Trans>The results cannot be compared, because one of the runs has none.</Trans>
          </p>
        ) : (
          <RowsDifference rows={rows} />
        )}
      </section>
      <section aria-labelledby="sql">
        <h2 id="sql" className="mb-2 font-semibold">
          SQL
        </h2>
        {left.sql !== null && left.sql === right.sql ? (
          <p className="text-fg-2">
            <Trans>The SQL is the same.</Trans>
          </p>
        ) : (
          <DiffView
            before={left.sql ?? ""}
            after={right.sql ?? ""}
            labels={[left.sql === null ? t`First: none` : t`First`, right.sql === null ? t`Second: none` : t`Second`]}
            dialect={null}
          />
        )}
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs" className="mb-2 font-semibold">
          <Trans>How they ran</Trans>
        </h2>
        <Facts caption={t`How they ran`} lines={runFacts()} found={found} />
      </section>
    </>
  );
}

/** The cost of a run; local models cost nothing. */
function costOf({ usage }: RunSide): string {
  if (usage.llm_calls > 0 && usage.priced_calls === 0) return t`price unknown`;
  return moneyOf(usage) || t`no cost`;
}

/** A property of both runs. */
type Line = [name: string, of: (side: RunSide) => ReactNode];

function answerFacts(onOpen: (runId: string) => void): Line[] {
  return [
    [
      t`Question`,
      (side) => (
        <>
          {side.question}{" "}
          <TextButton onClick={() => onOpen(side.runId)}>
            <Trans>Open</Trans>
          </TextButton>
        </>
      ),
    ],
    [t`Outcome`, (side) => OUTCOMES[side.status]],
    [t`Rows`, (side) => (side.rowCount === null ? t`none` : count(side.rowCount))],
    [
      t`Certainty`,
      (side) =>
        side.certainty ? (
          <span className="inline-flex items-center gap-1.5">
            <CertaintyIcon level={side.certainty.level} size={13} />
            {certaintyLabel(side.certainty.level)}
          </span>
        ) : (
          t`not estimated`
        ),
    ],
  ];
}

function runFacts(): Line[] {
  return [
    [t`Method`, (side) => (side.strategy ? everydayLabel(side.strategy) : "")],
    [t`Model calls`, (side) => count(side.usage.llm_calls)],
    [t`Tokens`, (side) => compact(tokensOf(side.usage))],
    [t`Cost`, costOf],
    [t`Time`, (side) => duration(side.usage.wall_ms)],
  ];
}

function Facts({ caption, lines, found }: { caption: string; lines: Line[]; found: RunComparison }) {
  const { left, right } = found;
  return (
    <table className="nums w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="text-fg-3 text-left text-xs">
          <th className="w-32 py-1 font-medium" scope="col">
            <span className="sr-only">
              <Trans>Property</Trans>
            </span>
          </th>
          <th className="py-1 font-medium" scope="col">
            <Trans>First</Trans>
          </th>
          <th className="py-1 font-medium" scope="col">
            <Trans>Second</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, of]) => (
          <tr key={name} className="border-line border-t align-top">
            <th scope="row" className="py-1.5 text-left font-medium text-fg-2">
              {name}
            </th>
            <td className="wrap-anywhere py-1.5 pr-4">{of(left)}</td>
            <td className="wrap-anywhere py-1.5">{of(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const OUTCOMES: Record<RunSide["status"], string> = lazyRecord({
  running: () => t`not finished`,
  answered: () => t`answered`,
  failed: () => t`failed`,
  cancelled: () => t`stopped`,
});
