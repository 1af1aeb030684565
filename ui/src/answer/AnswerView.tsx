import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useMemo, useState } from "react";
import { FollowUp } from "../ask/FollowUp";
import type { Row as ChartRow } from "../features/chart/choose";
import { RowsBehindDialog, type SourceRowsRequest } from "../features/explain/RowsBehind";
import { type ExplainedQuery, useKnownExplanation } from "../features/explain/state";
import type { RunModel } from "../features/graph/model/model";
import { ALL_ROWS } from "../features/grid/engine";
import { Grid } from "../features/grid/Grid";
import { BAR_HEIGHT } from "../features/grid/GridBar";
import { ROW_HEIGHT, TALL_HEADER } from "../features/grid/scroll";
import type { Row, RowSource } from "../features/grid/source";
import { useAnswerSource, useResult } from "../features/grid/state";
import { openRun, stopRun } from "../features/runs/state";
import type { Page, ResultHandle } from "../host/bindings";
import { Button } from "../kit/button";
import { count, roomNote } from "../kit/format";
import { Spinner } from "../kit/status";
import { TextButton } from "../kit/textButton";
import { Branches } from "../run/Branches";
import { useShownRun } from "../run/runModel";
import { AllRows } from "./AllRows";
import { AnswerChart, chartAndRows, chartsOf } from "./AnswerChart";
import { answerOrigin } from "./answer";
import { CertaintyNote } from "./CertaintyNote";
import { HowComputed } from "./HowComputed";
import { headerNames, headlineText, loadedCount } from "./headline";
import { MetricNote } from "./MetricNote";
import { OtherAnswer } from "./OtherAnswer";
import { OtherResults } from "./OtherResults";
import { QueryNotes } from "./QueryNotes";
import { ownOrder } from "./rowOrder";
import { SingleValue } from "./SingleValue";
import { putInEditor, useShownQuery } from "./shownQuery";
import { ThatIsWrong } from "./ThatIsWrong";
import { Thread } from "./Thread";
import { UnderstoodChips } from "./UnderstoodChips";
import { isEditable, useEditable } from "./useChips";
import { valueChange } from "./valueChange";
import { emptiedBy } from "./whyEmpty";

/** Rows of a table beside a chart, before it scrolls. */
const ROWS_SHOWN = 12;
const SCROLLBAR = 14;

interface AnswerViewProps {
  run: RunModel;
  checking: boolean;
  tables: string[];
  query: ExplainedQuery;
  onSql: () => void;
  onStep: (step: string | null) => void;
  onOpen: (node: string) => void;
}

/** The answer: what it says, how sure it is, chart and rows, how it came about, and the next question. */
export function AnswerView({ page, ...told }: AnswerViewProps & { page: Page }) {
  const { run, checking, onSql, onStep } = told;
  const { runId, warehouse, sql, code, headline } = run;
  const origin = useMemo(() => answerOrigin({ runId, warehouse, sql, code }), [runId, warehouse, sql, code]);
  const source = useAnswerSource(page, origin);
  const more = useResult();
  const other = useShownQuery((s) => s.others[runId]);
  const [asked, setAsked] = useState<SourceRowsRequest | null>(null);
  const previous = usePreviousRun(run);
  const change = previous && valueChange(run, previous);
  const editable = useEditable(run);
  const charts = useMemo(() => chartsOf(page, headline), [page, headline]);
  const covered = loadedCount(page, more.state.result?.handle ?? null);
  const empty = page.columns.length === 0 || page.rowCount === 0;
  const single = page.rows.length === 1 && page.columns.length === 1 && !page.truncated;

  if (other) {
    const edit = () => {
      putInEditor(runId, other.sql);
      onSql();
    };
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <OtherAnswer run={run} other={other} onEdit={edit} />
        <div className="@container flex max-h-[45%] shrink-0 flex-col gap-2.5 overflow-y-auto border-line border-t px-6 py-3 text-sm">
          <QueryNotes run={run} />
          <OtherResults run={run} onSql={onSql} />
        </div>
      </div>
    );
  }
  // The rows of code have no query.
  const why = (row: ChartRow, column: number | null) => {
    const name = column === null ? null : page.columns[column]!.name;
    setAsked({ row: [...row], column: column === null || name === null ? null : { index: column, name } });
  };
  const certainty = (
    <>
      {run.metrics && <MetricNote warehouse={warehouse} answer={run.metrics} />}
      <CertaintyNote
        estimate={run.certainty}
        checking={checking}
        onStop={() => void stopRun(runId)}
        roomy={single || empty}
        className="mt-2"
      />
    </>
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="@container w-full max-w-300 px-6 pt-5 pb-7">
          <Thread run={run} className="mb-4" />
          <Branches run={run} />
          <UnderstoodChips run={run} query={told.query} editable={editable} />
          <div data-tour="answer">
            {single ? (
              <SingleValue
                column={page.columns[0]!}
                value={page.rows[0]?.[0] ?? null}
                headline={headline}
                onWhy={code === null ? () => why(page.rows[0] ?? [], 0) : undefined}
              >
                {change && <p className="nums mt-1 text-fg-2">{change}</p>}
                {certainty}
              </SingleValue>
            ) : (
              <>
                <h2 className="nums wrap-anywhere max-w-220 text-balance font-semibold text-xl leading-[1.35] tracking-[-0.01em]">
                  {headlineText(headline, page, undefined, covered)}
                </h2>
                {!empty && <AllRows origin={origin} page={covered} chart={charts !== null} />}
                {empty && <WhyEmpty run={run} query={told.query} onStep={onStep} />}
                {certainty}
              </>
            )}
          </div>
          <ThatIsWrong run={run} editable={isEditable(editable)} onSql={onSql} onStep={onStep} />
          {!empty && !single && (
            <div className={chartAndRows(page, charts)}>
              {charts && (
                <AnswerChart run={run} page={page} choices={charts} onWhy={code === null ? why : undefined} />
              )}
              <Rows
                page={page}
                source={source}
                more={more}
                run={run}
                chart={charts !== null}
                onWhy={code === null ? why : undefined}
              />
            </div>
          )}
          <div className="mt-7 border-line border-t pt-5">
            <HowComputed {...told} />
          </div>
        </div>
      </div>
      <div className="shrink-0 border-line border-t bg-bg px-6 py-3">
        <div className="w-full max-w-288">
          <FollowUp run={run} />
        </div>
      </div>
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
    </div>
  );
}

/** The run that this one follows up on, once it is loaded. */
function usePreviousRun({ follows }: RunModel): RunModel | null {
  const runId = follows?.runId ?? null;
  const { run } = useShownRun(runId ?? "");
  useEffect(() => {
    if (runId !== null) openRun(runId);
  }, [runId]);
  return runId === null ? null : run;
}

/** The rows, as high as they need: a few dozen beside a chart, and most of the window without one. */
function Rows({
  page,
  source,
  more,
  run,
  chart,
  onWhy,
}: {
  page: Page;
  source: RowSource;
  /** The rows that were loaded beyond those of the answer. */
  more: ReturnType<typeof useResult>;
  run: RunModel;
  chart: boolean;
  onWhy?: (row: Row, column: number | null) => void;
}) {
  const opened = more.state.result;
  const origin = useMemo(() => answerOrigin(run), [run]);
  const order = useMemo(() => ownOrder(page, run), [page, run]);
  const names = useMemo(() => headerNames(page, run.headline), [page, run.headline]);
  const all = TALL_HEADER + Math.max(page.rowCount, 1) * ROW_HEIGHT + BAR_HEIGHT + SCROLLBAR;
  const some = TALL_HEADER + ROWS_SHOWN * ROW_HEIGHT + BAR_HEIGHT + SCROLLBAR;
  const whole = page.rowCount <= ROWS_SHOWN && !page.truncated;
  const height = whole ? all : chart ? some : `max(${some}px, min(${all}px, 100vh - 430px))`;
  return (
    <div
      className="flex min-w-0 max-w-full flex-col self-start overflow-hidden rounded-lg border border-line"
      style={{ maxHeight: height }}
    >
      <Grid
        source={opened?.source ?? source}
        label={t`Answer`}
        remember={run.runId}
        origin={origin}
        question={run.question}
        order={order}
        names={names}
        onWhy={onWhy}
      />
      {(page.truncated || more.state.status !== "idle") && (
        <div className="nums flex shrink-0 items-center gap-3 border-line border-t bg-sunk px-6 py-1.5 text-fg-2 text-sm">
          {more.state.status === "opening" && <Spinner size={13} />}
          <span>
            {opened
              ? loadedRows(opened.handle)
              : plural(page.rowCount, {
                  one: "The first row is loaded. More rows exist.",
                  other: "The first # rows are loaded. More rows exist.",
                })}
          </span>
          {(more.state.status === "idle" || more.state.status === "failed") && page.rowCount < ALL_ROWS ? (
            <Button size="sm" variant="quiet" onClick={() => void more.run(origin, ALL_ROWS)}>
              <Trans>Load up to {count(ALL_ROWS)}</Trans>
            </Button>
          ) : (
            opened &&
            !opened.handle.complete && (
              <Button size="sm" variant="quiet" onClick={more.stop}>
                <Trans>Stop</Trans>
              </Button>
            )
          )}
          {opened && roomNote(opened.handle) && <span className="text-warn">{roomNote(opened.handle)}</span>}
          {more.state.error && <span className="text-bad">{more.state.error.message}</span>}
        </div>
      )}
    </div>
  );
}

/** Where all rows of an empty answer went, if the explanation counted them. */
function WhyEmpty({ run, query, onStep }: { run: RunModel; query: ExplainedQuery; onStep: (step: string) => void }) {
  const explanation = useKnownExplanation(query);
  const step = emptiedBy(explanation);
  if (step) {
    return (
      <p className="mt-1 max-w-190 text-fg-2">
        <Trans>
          Nothing is left after this step: {step.note}{" "}
          <TextButton onClick={() => onStep(step.name)}>Show step</TextButton>
        </Trans>
      </p>
    );
  }
  return (
    <p className="mt-1 text-fg-2">
      {run.code
        ? t`The code returned no rows. Its filters, or its views', may be too strict.`
        : t`The query returned no rows. Its conditions may be too strict.`}
    </p>
  );
}

/** The number of loaded rows, and whether more exist. */
function loadedRows({ rowCount, complete, truncated, outOfRoom }: ResultHandle): string {
  // The reason for missing rows is shown beside it.
  if (outOfRoom) return plural(rowCount, { one: "# row loaded.", other: "# rows loaded." });
  if (truncated)
    return plural(rowCount, { one: "# row loaded; more rows exist.", other: "# rows loaded; more rows exist." });
  return complete
    ? plural(rowCount, { one: "# row loaded.", other: "# rows loaded." })
    : plural(rowCount, { one: "# row loaded so far.", other: "# rows loaded so far." });
}
