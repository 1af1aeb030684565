import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEstimateOf } from "../ask/useEstimate";
import { useExperts } from "../domain/experts";
import { secondsOf } from "../domain/money";
import type { ExplainedQuery } from "../features/explain/state";
import { type RunModel, waitsForWord } from "../features/graph/model/model";
import { StageList } from "../features/graph/outline/StageList";
import type { AppError, Span } from "../host/bindings";
import { ErrorNote } from "../kit/error";
import { clock } from "../kit/format";
import { useNow } from "../kit/useNow";
import { ApproveQuery } from "../run/ApproveQuery";
import { ErrorAction } from "../run/ErrorAction";
import { canResume } from "../run/resumableRun";
import { elapsedOf } from "../run/runModel";
import { askAgain } from "../run/startRun";
import { runFrom } from "../run/useSteering";
import { AnswerView } from "./AnswerView";
import { spentInWords } from "./answer";
import { BestKept, BestSoFar } from "./BestSoFar";
import { Notes } from "./HowComputed";
import { Readings } from "./Readings";
import { Thread } from "./Thread";

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
  query: ExplainedQuery;
  onOpen: (node: string) => void;
  /** Opens the SQL tab. */
  onSql: () => void;
  /** Shows the explanation, at a step if one is given. */
  onStep: (step: string | null) => void;
}) {
  const now = useNow(running);
  const elapsed = running ? elapsedOf(run, now) : run.lastMs;

  const estimate = useEstimateOf(running ? draftOfRun(run) : null);
  const expected = estimate?.seconds ? expectedInWords(estimate.seconds, elapsed) : null;
  const spent = spentInWords(
    run,
    useExperts((s) => s.details),
  );

  if (run.page && !running && run.sql) {
    return (
      <AnswerView
        page={run.page}
        run={run}
        checking={checking}
        tables={tables}
        query={query}
        onSql={onSql}
        onStep={onStep}
        onOpen={onOpen}
      />
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-6">
      <div data-tour={running ? "progress" : undefined} className="w-full max-w-178">
        <Thread run={run} className="mb-5" />
        {running ? (
          run.offered ? (
            <Readings runId={run.runId} readings={run.offered} dialect={run.dialect} />
          ) : run.approval ? (
            <ApproveQuery runId={run.runId} asked={run.approval} dialect={run.dialect} />
          ) : run.best && waitsForWord(run) ? (
            <BestSoFar runId={run.runId} best={run.best} elapsedMs={elapsed} />
          ) : (
            <div className="mb-3 flex items-baseline justify-between">
              <h2 className="font-semibold text-lg">
                <Trans>Working on it</Trans>
              </h2>
              <span className="nums text-fg-3">
                <span role="timer" aria-label={t`Elapsed`}>
                  {clock(elapsed)}
                </span>
                {expected && ` · ${expected}`}
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
                    onRetry={() => void askAgain(run.question, run.warehouse, run.knowledge, run.follows)}
                    onGoOn={canResume(run) ? () => void runFrom(run.runId, []) : undefined}
                  />
                }
              />
            </div>
          )
        )}
        {run.best && !waitsForWord(run) && <BestKept best={run.best} stopped={!running} />}
        <StageList run={run} elapsedMs={elapsed} onOpen={onOpen} />
        {run.warnings.length > 0 && (
          <div className="@container mt-4 text-sm">
            <Notes run={run} />
          </div>
        )}
      </div>
    </div>
  );
}

/** The question of a run, as its time is estimated. */
function draftOfRun({ warehouse, question, knowledge, follows }: RunModel) {
  return { warehouse, question, knowledge: knowledge ?? "", follows };
}

/** The usual duration of such questions, unless this one takes longer. */
function expectedInWords(seconds: Span, elapsedMs: number): string {
  const span = secondsOf(seconds);
  return elapsedMs > seconds.high * 1000 ? t`longer than usual (${span})` : t`usually ${span}`;
}
