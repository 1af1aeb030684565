import { t } from "@lingui/core/macro";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { foldRun } from "../features/graph/model/fold";
import type { RunModel } from "../features/graph/model/model";
import type { AppError, EvaluationQuestion } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { IconButton } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { SqlText } from "../kit/sqlText";
import { Badge, Skeleton } from "../kit/status";
import { navigate } from "../navigation/route";
import { WithDetail } from "../run/WithDetail";

const RunGraph = lazy(async () => ({ default: (await import("../features/graph/canvas/RunGraph")).RunGraph }));

/** One question of an evaluation: its answer beside the expected query, and the graph of the run. */
export function EvaluatedQuestion({ evaluation, question }: { evaluation: string; question: string }) {
  const [outcome, setOutcome] = useState<EvaluationQuestion | null>(null);
  const [run, setRun] = useState<RunModel | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    const failed = (thrown: unknown) => setError(toAppError(thrown));
    host()
      .evaluation(evaluation)
      .then((all) => setOutcome(all.find((q) => q.id === question) ?? null), failed);
    host()
      .evaluationEvents(evaluation, question)
      .then((events) => setRun(foldRun(events)), failed);
  }, [evaluation, question]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="shrink-0 border-line border-b px-6 pt-3.5 pb-3">
        <div className="flex items-center gap-2">
          <IconButton
            label={t`Back to the evaluation`}
            onClick={() => navigate({ page: "evaluations", id: evaluation, question: null })}
          >
            <ArrowLeft size={16} />
          </IconButton>
          <h1 className="min-w-0 flex-1 truncate font-semibold">{outcome?.question || question}</h1>
          {outcome && (
            <Badge tone={outcome.right ? "good" : "bad"}>{outcome.right ? t`Correct` : t`Incorrect`}</Badge>
          )}
        </div>
        {outcome && (
          <div className="mt-3 grid max-h-60 grid-cols-2 gap-4 overflow-y-auto">
            <Side title={t`Answer`} sql={outcome.sql} missing={outcome.error ?? t`No SQL was written.`} run={run} />
            <Side title={t`Expected query`} sql={outcome.gold} missing="" run={run} />
          </div>
        )}
      </header>
      {error ? (
        <div className="mx-auto w-full max-w-160 p-8">
          <ErrorNote error={error} />
        </div>
      ) : run === null ? (
        <Skeleton className="m-6 h-40 rounded-lg" />
      ) : (
        <WithDetail run={run} selected={selected} onSelect={setSelected}>
          <Suspense fallback={<Skeleton className="m-6 h-40 rounded-lg" />}>
            <RunGraph run={run} selected={selected} onSelect={setSelected} onClose={() => setSelected(null)} />
          </Suspense>
        </WithDetail>
      )}
    </div>
  );
}

function Side({
  title,
  sql,
  missing,
  run,
}: {
  title: string;
  sql: string | null;
  missing: string;
  run: RunModel | null;
}) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-fg-3 text-sm">{title}</h2>
      {sql ? <SqlText sql={sql} dialect={run?.dialect ?? null} /> : <p className="text-fg-2 text-sm">{missing}</p>}
    </section>
  );
}
