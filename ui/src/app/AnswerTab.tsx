import { TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { setDraft, showQueries } from "../features/editor/state";
import { answerFacts, differsInWords, listNames, otherResults, resultInWords } from "../features/graph/answer";
import type { RunModel } from "../features/graph/model";
import { StageList } from "../features/graph/StageList";
import { Grid } from "../features/grid/Grid";
import { useAnswerSource, useResult } from "../features/grid/state";
import type { AppError, Page } from "../host/bindings";
import { Button } from "../kit/button";
import { isNumeric } from "../kit/cell";
import { Disclosure } from "../kit/disclosure";
import { ErrorNote } from "../kit/error";
import { clock, compact, count, duration, groupDigits, plural } from "../kit/format";
import { CopyButton } from "../kit/sqlText";
import { Spinner } from "../kit/status";
import { STRATEGY_NAMES } from "../kit/strategies";
import { useNow } from "../kit/useNow";
import { answerOrigin, valueLabel } from "./answer";
import { askAgain } from "./asking";
import { ErrorAction } from "./ErrorAction";
import { Readings } from "./Readings";

const ALL_ROWS = 10_000_000;

/** The answer first; while there is none, how far it is. */
export function AnswerTab({
  run,
  running,
  error,
  tables,
  onOpen,
  onSql,
}: {
  run: RunModel;
  running: boolean;
  error: AppError | null;
  tables: string[];
  onOpen: (node: string) => void;
  /** Shows the SQL, where an edited version can be run. */
  onSql: () => void;
}) {
  const now = useNow(running);
  const began = run.startedAt ? Date.parse(run.startedAt) : Number.NaN;
  const elapsed = running && !Number.isNaN(began) ? Math.max(run.lastMs, now - began) : run.lastMs;

  if (run.page && !running && run.sql) {
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <Answer page={run.page} run={run} tables={tables} onSql={onSql} />
      </div>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-6 py-6">
        {running ? (
          run.offered ? (
            <Readings runId={run.runId} readings={run.offered} />
          ) : (
            <div className="mb-3 flex items-baseline justify-between">
              <h2 className="font-semibold text-lg">Working on it</h2>
              <span role="timer" aria-label="Elapsed" className="nums text-fg-3">
                {clock(elapsed)}
              </span>
            </div>
          )
        ) : (
          error && (
            <div className="mb-6">
              <ErrorNote
                error={error}
                action={
                  <ErrorAction
                    error={error}
                    onRetry={() => void askAgain(run.question, run.warehouse, run.knowledge)}
                  />
                }
              />
            </div>
          )
        )}
        <StageList run={run} elapsedMs={elapsed} onOpen={onOpen} />
        <Warnings run={run} />
      </div>
    </div>
  );
}

function Answer({ page, run, tables, onSql }: { page: Page; run: RunModel; tables: string[]; onSql: () => void }) {
  const { runId, warehouse, sql, code } = run;
  const origin = useMemo(() => answerOrigin({ runId, warehouse, sql, code }), [runId, warehouse, sql, code]);
  const source = useAnswerSource(page, origin);
  const more = useResult();
  const opened = more.state.result;
  const single = page.rows.length === 1 && page.columns.length === 1 && !page.truncated;

  if (page.columns.length === 0 || page.rowCount === 0) {
    return (
      <div className="px-6 py-8">
        <p className="font-medium text-lg">No rows match.</p>
        <p className="mt-1 text-fg-2">
          {run.code
            ? "The code ran and nothing was left. It or its views may leave out too much."
            : "The query ran and found nothing. Its conditions may be too narrow."}
        </p>
        <div className="mt-5">
          <Obtained run={run} tables={tables} onSql={onSql} />
        </div>
      </div>
    );
  }
  if (single) {
    const value = page.rows[0]?.[0] ?? null;
    const numeric = isNumeric(page.columns[0]!.type);
    const short = (value?.length ?? 0) <= 40;
    return (
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-9">
        <div className="text-fg-3">{valueLabel(page.columns[0]!.name)}</div>
        <div className="group mt-1 flex items-center gap-3">
          <div
            className={
              short
                ? "wrap-anywhere nums font-semibold text-[44px] leading-[1.15] tracking-[-0.02em]"
                : "wrap-anywhere max-w-190 whitespace-pre-wrap text-lg"
            }
          >
            {value === null ? <span className="text-fg-3 italic">NULL</span> : numeric ? groupDigits(value) : value}
          </div>
          {value !== null && (
            <CopyButton
              text={value}
              label="Copy"
              className="opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
            />
          )}
        </div>
        <div className="mt-5 border-line border-t pt-4">
          <Obtained run={run} tables={tables} onSql={onSql} />
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Grid source={opened?.source ?? source} label="Answer" />
      {(page.truncated || more.state.status !== "idle") && (
        <div className="nums flex shrink-0 items-center gap-3 border-line border-t bg-sunk px-5 py-1.5 text-fg-2 text-sm">
          {more.state.status === "opening" && <Spinner size={13} />}
          <span>
            {opened
              ? `${plural(opened.handle.rowCount, "row")} loaded${opened.handle.complete ? "" : " so far"}${opened.handle.truncated ? ", there are more" : ""}.`
              : `The first ${plural(page.rowCount, "row")} are loaded, there are more.`}
          </span>
          {(more.state.status === "idle" || more.state.status === "failed") && page.rowCount < ALL_ROWS ? (
            <Button size="sm" variant="quiet" onClick={() => void more.run(origin, ALL_ROWS)}>
              Load up to {count(ALL_ROWS)}
            </Button>
          ) : (
            opened &&
            !opened.handle.complete && (
              <Button size="sm" variant="quiet" onClick={more.stop}>
                Stop
              </Button>
            )
          )}
          {more.state.error && <span className="text-bad">{more.state.error.message}</span>}
        </div>
      )}
      <div className="shrink-0 border-line border-t px-5 py-3">
        <Obtained run={run} tables={tables} onSql={onSql} />
      </div>
    </div>
  );
}

/** One sentence on how the answer was obtained. */
function Obtained({ run, tables, onSql }: { run: RunModel; tables: string[]; onSql: () => void }) {
  const facts = answerFacts(run, tables);
  const method = run.settings ? STRATEGY_NAMES[run.settings.strategy] : null;
  const cost = [method, duration(facts.ms), facts.tokens > 0 ? `${compact(facts.tokens)} tokens` : null].filter(
    Boolean,
  );
  return (
    <div>
      <p className="nums text-fg-2 text-sm">
        <span title={run.page?.truncated ? "The row limit was reached" : undefined}>
          {run.page?.truncated ? "More than " : ""}
          {plural(facts.rows, "row")}
        </span>
        {facts.tables.length > 0 && <span title={facts.tables.join(", ")}> from {listNames(facts.tables)}</span>}
        {facts.views.length > 0 && (
          <span title={facts.views.join(", ")}>, through {plural(facts.views.length, "checked view")}</span>
        )}
        {run.code && (
          <>
            , computed by{" "}
            <button type="button" className="text-accent hover:underline" onClick={onSql}>
              Python code over the fetched views
            </button>
          </>
        )}
        {run.revision?.kept && run.revision.before !== run.revision.after && ", revised once"}.{" "}
        <span className="text-fg-3">{cost.join(", ")}.</span>
      </p>
      <OtherResults run={run} onSql={onSql} />
      <Warnings run={run} />
    </div>
  );
}

/** Where candidates disagree: the other results, each a click away from its SQL. */
function OtherResults({ run, onSql }: { run: RunModel; onSql: () => void }) {
  const others = otherResults(run);
  if (others.length === 0) return null;
  const look = (sql: string) => {
    if (run.code) showQueries(`run:${run.runId}`, true);
    else setDraft(`run:${run.runId}`, sql);
    onSql();
  };
  return (
    <section aria-label="Other possible answers" className="mt-3">
      <p className="text-fg-2 text-sm">The question can be read in more than one way. Other candidates gave:</p>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {others.map((other) => (
          <li key={other.candidate} className="min-w-0 max-w-full">
            <button
              type="button"
              title="Look at its SQL"
              onClick={() => look(other.sql)}
              className="nums flex max-w-full items-baseline gap-2 rounded-md border border-line-strong bg-raised px-2.5 py-1 text-sm shadow-card transition-colors hover:bg-hover"
            >
              <span className="max-w-[55%] shrink-0 truncate">{resultInWords(other)}</span>
              {differsInWords(other) && <span className="truncate text-fg-3">{differsInWords(other)}</span>}
              <span className="shrink-0 text-fg-3 text-xs">{plural(other.votes, "vote")}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Warnings({ run }: { run: RunModel }) {
  if (run.warnings.length === 0) return null;
  return (
    <Disclosure
      className="mt-2"
      title={
        <span className="inline-flex items-center gap-1.5 text-warn">
          <TriangleAlert size={13} aria-hidden />
          {plural(run.warnings.length, "warning")}
        </span>
      }
      open={run.warnings.length === 1}
    >
      <ul className="flex flex-col gap-1 pl-5 text-fg-2 text-sm">
        {run.warnings.map((w, i) => (
          <li key={i} className="wrap-anywhere">
            {w.message}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
