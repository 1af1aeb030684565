import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../kit/button";
import { cx } from "../../../kit/cx";
import { Disclosure } from "../../../kit/disclosure";
import { SqlText } from "../../../kit/sqlText";
import { Badge, StatusIcon } from "../../../kit/status";
import type { RunModel, SqlAttempt, StageNode } from "../model/model";
import {
  byResult,
  type Candidate,
  candidatesOf,
  chosenAmong,
  numbersInWords,
  type ResultGroup,
  resultNames,
} from "../model/results";
import { ErrorBox, Section } from "./parts";

/** Results shown before "more". */
const SHOWN = 8;

/** The queries of a stage: one with its corrections, or many, grouped by result. */
export function Candidates({ stage, run }: { stage: StageNode; run: RunModel }) {
  const candidates = candidatesOf(stage);
  if (candidates.length < 2) {
    return (
      <Section title={t`Attempts`} note={String(stage.sqlAttempts.length)}>
        <Attempts attempts={stage.sqlAttempts} run={run} />
      </Section>
    );
  }
  const groups = byResult(candidates, resultNames(run, stage));
  const [chosen] = chosenAmong(run, stage);
  const results = groups.filter((g) => g.candidates[0]!.last.error === null).length;
  return (
    <Section
      title={t`Attempts`}
      note={`${plural(candidates.length, { one: "# attempt", other: "# attempts" })}, ${plural(results, { one: "# result", other: "# results" })}`}
    >
      <ResultList results={groups} of={candidates.length} run={run} chosen={chosen ?? null} />
    </Section>
  );
}

/** Results, each with the candidates behind it; their queries on demand. */
export function ResultList({
  results,
  of,
  run,
  chosen,
  points,
}: {
  results: ResultGroup[];
  /** All candidates, for the bars. */
  of: number;
  run: RunModel;
  chosen: number | null;
  points?: number[];
}) {
  const [all, setAll] = useState(false);
  const shown = all ? results : results.slice(0, SHOWN);
  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {shown.map((result, i) => (
          <Result
            key={result.candidates.map((c) => c.number).join()}
            result={result}
            of={of}
            run={run}
            chosen={chosen !== null && result.candidates.some((c) => c.number === chosen)}
            points={points?.[i]}
          />
        ))}
      </ul>
      {results.length > shown.length && (
        <Button size="sm" variant="quiet" className="mt-1" onClick={() => setAll(true)}>
          <Trans>
            Show <Plural value={results.length - shown.length} one="# more result" other="# more results" />
          </Trans>
        </Button>
      )}
    </>
  );
}

function Result({
  result,
  of,
  run,
  chosen,
  points,
}: {
  result: ResultGroup;
  of: number;
  run: RunModel;
  chosen: boolean;
  points: number | undefined;
}) {
  const { candidates } = result;
  const failed = candidates.length > 0 && candidates.every((c) => c.last.error !== null);
  const numbers = numbersInWords(candidates.map((c) => c.number));
  const facts = [
    result.rowCount === null ? "" : plural(result.rowCount, { one: "# row", other: "# rows" }),
    points === undefined ? "" : plural(points, { one: "# point", other: "# points" }),
  ];
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-2.5">
        <ResultMark name={result.name} failed={failed} chosen={chosen} />
        <div aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-hover">
          <div
            className={cx(
              "h-full rounded-full",
              chosen ? "bg-accent" : failed ? "bg-line-strong" : result.suspicious ? "bg-warn/50" : "bg-fg-3/45",
            )}
            style={{ width: `${(candidates.length / Math.max(1, of)) * 100}%` }}
          />
        </div>
        {chosen && (
          <Badge tone="accent">
            <Trans>chosen</Trans>
          </Badge>
        )}
        <span className="nums shrink-0 text-fg-2 text-sm">
          {failed ? t`${candidates.length} failed` : t`${candidates.length} of ${of}`}
        </span>
      </div>
      {result.suspicious && (
        <p className="mt-1.5 flex items-start gap-1.5 pl-7.5 text-sm text-warn">
          <TriangleAlert size={13} className="mt-0.75 shrink-0" aria-hidden />
          <span className="wrap-anywhere">
            <Trans>Suspicious: {result.suspicious}</Trans>
          </span>
        </p>
      )}
      <Disclosure
        wrap
        className="mt-1 pl-7.5"
        title={
          <span className="nums font-normal">
            {candidates.length === 1 ? t`Attempt` : t`Attempts`} {numbers}
          </span>
        }
        note={facts.filter(Boolean).join(" · ")}
      >
        <div className="flex flex-col gap-2">
          {candidates.length === 1 ? (
            <Attempts attempts={candidates[0]!.attempts} run={run} />
          ) : (
            candidates.map((c) => <One key={`${c.stage}:${c.number}`} candidate={c} run={run} />)
          )}
        </div>
      </Disclosure>
    </li>
  );
}

/** The name of a result; failed candidates have none. */
function ResultMark({ name, failed, chosen }: { name: string | null; failed: boolean; chosen: boolean }) {
  if (failed || name === null) {
    return (
      <span className="flex size-5 shrink-0 items-center justify-center">
        <StatusIcon status={failed ? "failed" : "done"} size={13} />
      </span>
    );
  }
  return (
    <span
      role="img"
      aria-label={t`Result ${name}`}
      className={cx(
        "flex size-5 shrink-0 items-center justify-center rounded-sm font-medium text-xs",
        chosen ? "bg-accent text-accent-fg" : "bg-hover text-fg-2",
      )}
    >
      {name}
    </span>
  );
}

function One({ candidate, run }: { candidate: Candidate; run: RunModel }) {
  const { attempts, last, number } = candidate;
  const corrections = attempts.length - 1;
  return (
    <Disclosure
      title={t`Attempt ${number}`}
      note={[
        corrections > 0 ? plural(corrections, { one: "# correction", other: "# corrections" }) : "",
        last.error ? "failed" : "",
      ]
        .filter(Boolean)
        .join(", ")}
    >
      <Attempts attempts={attempts} run={run} />
    </Disclosure>
  );
}

/** One query from the original to its last correction. */
export function Attempts({ attempts, run }: { attempts: SqlAttempt[]; run: RunModel }) {
  // The changes of rules are listed elsewhere.
  const told = new Set(run.stages.flatMap((s) => s.changed.flatMap((c) => c.changes.map((note) => note.note))));
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {attempts.map((a, i) => (
        <li key={i} className="px-3 py-2">
          <Disclosure
            open={attempts.length === 1}
            title={
              <span className="inline-flex items-center gap-2">
                <StatusIcon status={a.error ? "failed" : a.rowCount === 0 ? "warning" : "done"} size={13} />
                {i === 0 ? t`Original` : t`Correction ${i}`}
              </span>
            }
            note={
              a.error ? t`failed` : a.rowCount === null ? "" : plural(a.rowCount, { one: "# row", other: "# rows" })
            }
          >
            <SqlText sql={a.sql} dialect={run.dialect} />
          </Disclosure>
          {a.error && <ErrorBox>{a.error}</ErrorBox>}
          {a.repairs.some((r) => !told.has(r)) && (
            <ul className="mt-1.5 pl-5 text-fg-2 text-sm">
              {a.repairs.map(
                (r, j) =>
                  told.has(r) || (
                    <li key={j} className="wrap-anywhere">
                      {r}
                    </li>
                  ),
              )}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
