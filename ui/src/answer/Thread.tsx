import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronRight, CornerDownRight } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { CertaintyIcon, certaintyLabel } from "../domain/certainty";
import type { RunModel } from "../features/graph/model/model";
import { Grid } from "../features/grid/Grid";
import { useAnswerSource } from "../features/grid/state";
import { openRun } from "../features/runs/state";
import type { Page } from "../host/bindings";
import { cx } from "../kit/cx";
import { ErrorNote } from "../kit/error";
import { LoadingText, Skeleton } from "../kit/status";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { AnswerChart, chartAndRows, chartsOf } from "./AnswerChart";
import { answerOrigin } from "./answer";
import { headerNames, headlineText } from "./headline";
import { ownOrder } from "./rowOrder";
import { SingleValue } from "./SingleValue";
import { type ThreadPart, useThread } from "./useThread";

/** The earlier questions of a follow-up with their answers, above its own; nothing where it follows none. */
export function Thread({ run, className }: { run: RunModel; className?: string }) {
  const { parts, more } = useThread(run);
  const { follows } = run;
  if (!follows) return null;
  return (
    <section aria-label={t`Earlier questions of this thread`} className={cx("min-w-0", className)}>
      {more && (
        <p className="mb-1 text-sm">
          <TextButton onClick={more}>
            <Trans>Show earlier questions</Trans>
          </TextButton>
        </p>
      )}
      <ol className="flex flex-col rounded-lg border border-line bg-sunk">
        {parts.map((part) => (
          <Part key={part.run.runId} part={part} />
        ))}
      </ol>
      <p className="mt-2 flex min-w-0 items-start gap-2 text-fg-2 text-sm">
        <CornerDownRight size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />
        <span className="wrap-anywhere min-w-0">
          <Trans>Then: “{follows.text}”</Trans>
        </span>
      </p>
    </section>
  );
}

/** A question and its answer's sentence; its rows on demand. */
function Part({ part }: { part: ThreadPart }) {
  const { run, log, question, error } = part;
  const [open, setOpen] = useState(false);
  const content = useId();
  const certainty = run.page ? run.certainty : null;
  return (
    <li className="min-w-0 border-line border-t first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? content : undefined}
        onClick={() => setOpen(!open)}
        className="flex w-full min-w-0 items-start gap-1.5 rounded-lg px-2.5 py-2 text-left text-sm outline-offset-[-2px] hover:bg-hover"
      >
        <ChevronRight
          size={14}
          className={cx("mt-0.5 shrink-0 text-fg-3 transition-transform", open && "rotate-90")}
          aria-hidden
        />
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere line-clamp-2 text-fg-2">{question}</span>
          <span className="nums flex min-w-0 items-center gap-1.5">
            {run.lastSeq === 0 && log?.status !== "failed" ? (
              <Skeleton className="my-1 h-3 w-1/3" />
            ) : (
              <span className={cx("truncate", run.page ? "font-medium" : "text-fg-3")}>{sentenceOf(part)}</span>
            )}
            {certainty && (
              <>
                <span aria-hidden>·</span>
                <CertaintyIcon level={certainty.level} size={13} />
                <span className="shrink-0 text-fg-2">{certaintyLabel(certainty.level)}</span>
              </>
            )}
          </span>
        </span>
      </button>
      {open && (
        <div id={content} className="@container rounded-b-lg bg-bg px-3 pt-2 pb-3">
          {log?.status === "failed" && log.error ? (
            <ErrorNote error={log.error} again={() => openRun(run.runId)} compact />
          ) : run.lastSeq === 0 ? (
            <LoadingText className="py-2" />
          ) : run.page && run.sql !== null ? (
            <PartAnswer run={run} page={run.page} />
          ) : (
            error && <ErrorNote error={error} compact />
          )}
          {log?.status !== "failed" && (
            <p className="mt-2 text-sm">
              <TextButton onClick={() => navigate({ page: "run", runId: run.runId, tab: "answer" })}>
                <Trans>Open this answer</Trans>
              </TextButton>
            </p>
          )}
        </div>
      )}
    </li>
  );
}

/** The answer in one line, or why there is none. */
function sentenceOf({ run, running, log, error }: ThreadPart): string {
  if (run.page) return headlineText(run.headline, run.page);
  if (log?.status === "failed") return log.error?.message ?? t`This answer could not be loaded.`;
  if (running) return t`Still working on it`;
  return error?.message ?? t`No answer`;
}

/** The value, or the chart and the rows, of an earlier answer. */
function PartAnswer({ run, page }: { run: RunModel; page: Page }) {
  const { runId, warehouse, sql, code, headline } = run;
  const origin = useMemo(() => answerOrigin({ runId, warehouse, sql, code }), [runId, warehouse, sql, code]);
  const source = useAnswerSource(page, origin);
  const charts = useMemo(() => chartsOf(page, headline), [page, headline]);
  const names = useMemo(() => headerNames(page, headline), [page, headline]);
  const order = useMemo(() => ownOrder(page, { sql, code, headline }), [page, sql, code, headline]);
  if (page.columns.length === 0 || page.rowCount === 0)
    return (
      <p className="text-fg-2 text-sm">
        <Trans>The query returned no rows.</Trans>
      </p>
    );
  if (page.rows.length === 1 && page.columns.length === 1 && !page.truncated)
    return (
      <SingleValue column={page.columns[0]!} value={page.rows[0]?.[0] ?? null} headline={headline} heading="h4" />
    );
  return (
    <div className={chartAndRows(page, charts)}>
      {charts && <AnswerChart run={run} page={page} choices={charts} />}
      <div className="flex max-h-90 min-w-0 flex-col self-start overflow-hidden rounded-lg border border-line bg-bg">
        <Grid
          source={source}
          label={t`Rows of “${run.question}”`}
          remember={runId}
          origin={origin}
          question={run.question}
          order={order}
          names={names}
        />
      </div>
      {page.truncated && (
        <p className="nums text-fg-3 text-sm">
          {plural(page.rowCount, {
            one: "The first row is loaded. More rows exist.",
            other: "The first # rows are loaded. More rows exist.",
          })}
        </p>
      )}
    </div>
  );
}
