import { TriangleAlert } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { type Asked, RowsBehindDialog } from "../features/explain/RowsBehind";
import type { Explained } from "../features/explain/state";
import { CostByAgent } from "../features/graph/detail/CostByAgent";
import { answerFacts, listNames } from "../features/graph/model/answer";
import { type RunModel, waitsForWord } from "../features/graph/model/model";
import { StageList } from "../features/graph/outline/StageList";
import { Grid } from "../features/grid/Grid";
import { BAR_HEIGHT } from "../features/grid/GridBar";
import { ROW_HEIGHT } from "../features/grid/scroll";
import type { Row } from "../features/grid/source";
import { useAnswerSource, useResult } from "../features/grid/state";
import type { AppError, Page } from "../host/bindings";
import { Button } from "../kit/button";
import { Disclosure } from "../kit/disclosure";
import { ErrorNote } from "../kit/error";
import { clock, compact, count, duration, plural } from "../kit/format";
import { methodLabel } from "../kit/methods";
import { moneyOf, tokensOf } from "../kit/money";
import { Spinner } from "../kit/status";
import { TextButton } from "../kit/textButton";
import { useNow } from "../kit/useNow";
import { ApproveQuery } from "./ApproveQuery";
import { answerOrigin } from "./answer";
import { askAgain } from "./asking";
import { BestKept, BestSoFar } from "./BestSoFar";
import { CertaintyNote } from "./CertaintyNote";
import { ErrorAction } from "./ErrorAction";
import { HowNotes } from "./HowNotes";
import { OtherAnswer } from "./OtherAnswer";
import { OtherResults } from "./OtherResults";
import { QueryNotes } from "./QueryNotes";
import { Readings } from "./Readings";
import { SingleValue } from "./SingleValue";
import { putInEditor, useShown } from "./shown";

const ALL_ROWS = 10_000_000;

/** The answer, or the progress of the run. */
export function AnswerTab({
  run,
  running,
  checking,
  error,
  tables,
  query,
  onOpen,
  onSql,
  onStep,
}: {
  run: RunModel;
  running: boolean;
  /** Work behind the answer may still change how sure it is. */
  checking: boolean;
  error: AppError | null;
  tables: string[];
  /** The answer's query. */
  query: Explained;
  onOpen: (node: string) => void;
  /** Opens the SQL tab. */
  onSql: () => void;
  /** Shows the explanation, at a step if one is given. */
  onStep: (step: string | null) => void;
}) {
  const now = useNow(running);
  const began = run.startedAt ? Date.parse(run.startedAt) : Number.NaN;
  const elapsed = running && !Number.isNaN(began) ? Math.max(run.lastMs, now - began) : run.lastMs;

  const spent = spentInWords(run);

  if (run.page && !running && run.sql) {
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <Answer
          page={run.page}
          run={run}
          checking={checking}
          tables={tables}
          query={query}
          onSql={onSql}
          onStep={onStep}
        />
      </div>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-6 py-6">
        {running ? (
          run.offered ? (
            <Readings runId={run.runId} readings={run.offered} />
          ) : run.approval ? (
            <ApproveQuery runId={run.runId} asked={run.approval} dialect={run.dialect} />
          ) : run.best && waitsForWord(run) ? (
            <BestSoFar runId={run.runId} best={run.best} elapsedMs={elapsed} />
          ) : (
            <div className="mb-3 flex items-baseline justify-between">
              <h2 className="font-semibold text-lg">Working on it</h2>
              <span className="nums text-fg-3">
                <span role="timer" aria-label="Elapsed">
                  {clock(elapsed)}
                </span>
                {spent.map((part) => ` · ${part}`)}
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
        {run.best && !waitsForWord(run) && <BestKept best={run.best} stopped={!running} />}
        <StageList run={run} elapsedMs={elapsed} onOpen={onOpen} />
        <Warnings run={run} />
      </div>
    </div>
  );
}

interface Told {
  run: RunModel;
  checking: boolean;
  tables: string[];
  query: Explained;
  onSql: () => void;
  onStep: (step: string | null) => void;
}

function Answer({ page, ...told }: Told & { page: Page }) {
  const { run, checking, onSql } = told;
  const { runId, warehouse, sql, code } = run;
  const origin = useMemo(() => answerOrigin({ runId, warehouse, sql, code }), [runId, warehouse, sql, code]);
  const source = useAnswerSource(page, origin);
  const more = useResult();
  const opened = more.state.result;
  const other = useShown((s) => s.others[runId]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const single = page.rows.length === 1 && page.columns.length === 1 && !page.truncated;

  if (other) {
    const edit = () => {
      putInEditor(runId, other.sql);
      onSql();
    };
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <OtherAnswer run={run} other={other} onEdit={edit} />
        <Foot>
          <QueryNotes run={run} />
          <OtherResults run={run} onSql={onSql} />
        </Foot>
      </div>
    );
  }
  // The rows of code have no query.
  const why = (row: Row, column: number | null) => {
    const name = column === null ? null : page.columns[column]!.name;
    setAsked({ row, column: column === null || name === null ? null : { index: column, name } });
  };
  const behind = (
    <RowsBehindDialog
      warehouse={warehouse}
      sql={sql ?? ""}
      asked={asked}
      onRows={(rows) => {
        setAsked(null);
        putInEditor(runId, rows);
        onSql();
      }}
      onClose={() => setAsked(null)}
    />
  );
  if (page.columns.length === 0 || page.rowCount === 0) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-8">
        <p className="font-medium text-lg">No rows</p>
        <p className="mt-1 text-fg-2">
          {run.code
            ? "The code returned no rows. It or its views may filter out too much."
            : "The query returned no rows. Its conditions may be too narrow."}
        </p>
        <CertaintyNote estimate={run.certainty} checking={checking} roomy className="mt-4" />
        <div className="mt-5">
          <Obtained {...told} />
        </div>
      </div>
    );
  }
  if (single) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-9">
        <SingleValue
          column={page.columns[0]!}
          value={page.rows[0]?.[0] ?? null}
          onWhy={code === null ? () => why(page.rows[0] ?? [], 0) : undefined}
        >
          <CertaintyNote estimate={run.certainty} checking={checking} roomy className="mt-3" />
        </SingleValue>
        {behind}
        <div className="mt-5 border-line border-t pt-4">
          <Obtained {...told} />
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <CertaintyNote estimate={run.certainty} checking={checking} className="border-line border-b px-5 py-2" />
      <Grid
        source={opened?.source ?? source}
        label="Answer"
        remember={runId}
        onWhy={code === null ? why : undefined}
      />
      {behind}
      {(page.truncated || more.state.status !== "idle") && (
        <div className="nums flex shrink-0 items-center gap-3 border-line border-t bg-sunk px-5 py-1.5 text-fg-2 text-sm">
          {more.state.status === "opening" && <Spinner size={13} />}
          <span>
            {opened
              ? `${plural(opened.handle.rowCount, "row")} loaded${opened.handle.complete ? "" : " so far"}${opened.handle.truncated ? "; more rows exist" : ""}.`
              : `The first ${plural(page.rowCount, "row")} are loaded. More rows exist.`}
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
      <Foot rows={page.rowCount}>
        <Obtained {...told} />
      </Foot>
    </div>
  );
}

/** The notes below the rows. Many rows keep more than half of the height. */
function Foot({ rows = Number.POSITIVE_INFINITY, children }: { rows?: number; children: ReactNode }) {
  const left = rows < 100 ? `calc(100% - ${(rows + 1) * ROW_HEIGHT + BAR_HEIGHT + 2}px)` : "0px";
  return (
    <div
      className="shrink-0 overflow-y-auto border-line border-t px-5 py-3"
      style={{ maxHeight: `max(45%, ${left})` }}
    >
      {children}
    </div>
  );
}

/** Tokens and money of a run so far. */
function spentInWords({ usage }: RunModel): string[] {
  const tokens = tokensOf(usage);
  return [tokens > 0 ? `${compact(tokens)} tokens` : "", moneyOf(usage)].filter((part) => part !== "");
}

/** One sentence on how the answer was computed. */
function Obtained({ run, tables, query, onSql, onStep }: Told) {
  const facts = answerFacts(run, tables);
  const method = run.settings ? methodLabel(run.settings.strategy) : null;
  const [itemised, setItemised] = useState(false);
  const told = [method, duration(facts.ms)].filter(Boolean).join(", ");
  const spent = spentInWords(run).join(", ");
  return (
    <div>
      <p className="nums text-fg-2 text-sm">
        <span title={run.page?.truncated ? "Row limit reached" : undefined}>
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
        <span className="text-fg-3">
          {told}
          {spent !== "" && `, ${spent}`}.
        </span>{" "}
        {run.status !== "running" && run.usage.llm_calls > 0 && (
          <TextButton pressed={itemised} onClick={() => setItemised(!itemised)}>
            {itemised ? "Hide cost by step" : "Cost by step"}
          </TextButton>
        )}
      </p>
      {itemised && (
        <div className="mt-2 max-w-190">
          <CostByAgent run={run} />
        </div>
      )}
      {run.code === null && <HowNotes query={query} onStep={onStep} />}
      <QueryNotes run={run} />
      <OtherResults run={run} onSql={onSql} />
      <Warnings run={run} />
    </div>
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
