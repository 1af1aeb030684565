import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Gauge, Play, Square, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { methodLabel } from "../../domain/methods";
import type { EvaluationSummary, WarehouseSummary } from "../../host/bindings";
import { Button, IconButton } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { useFocusNeighbour } from "../../kit/focusNeighbour";
import { compact, count } from "../../kit/format";
import { MenuItem, MoreMenu } from "../../kit/menu";
import type { Choice } from "../../kit/select";
import { Empty, Progress, Skeleton } from "../../kit/status";
import { MeasureDialog } from "./MeasureDialog";
import { deleteEvaluation, loadEvaluations, stopEvaluation, useEvals } from "./state";
import { formatOrdinal, formatSeconds, formatShare } from "./words";

/** Finished and running evaluations. */
export function EvaluationsPage({
  warehouse,
  models,
  onOpen,
}: {
  warehouse: Pick<WarehouseSummary, "uri" | "title"> | null;
  models: Choice<string>[];
  onOpen: (id: string) => void;
}) {
  const { list, hidden, status, error, jobs } = useEvals();
  const [measuring, setMeasuring] = useState(false);
  useEffect(() => {
    void loadEvaluations();
  }, []);
  const shown = list.filter((e) => !hidden.includes(e.id));
  const begun = Object.values(jobs).filter((job) => !shown.some((e) => e.id === job.title));
  const measure = (
    <Button variant="primary" icon={<Play size={14} />} onClick={() => setMeasuring(true)}>
      <Trans>New evaluation</Trans>
    </Button>
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 flex-1 flex-col px-8 py-6">
        <div className="flex items-center justify-between gap-4">
          <h1 className="font-semibold text-xl">
            <Trans>Evaluations</Trans>
          </h1>
          {(shown.length > 0 || begun.length > 0) && measure}
        </div>
        {status === "loading" && (
          <div className="mt-6 flex flex-col gap-2">
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} className="h-16 rounded-lg" />
            ))}
          </div>
        )}
        {status === "failed" && error && (
          <div className="mt-6">
            <ErrorNote error={error} again={() => void loadEvaluations()} />
          </div>
        )}
        {status === "ready" && shown.length === 0 && begun.length === 0 && (
          <Empty icon={<Gauge size={20} />} title={t`No evaluations yet`} action={measure}>
            <Trans>
              Compare methods and models by accuracy and cost, on your verified questions or on a folder of questions
              with known answers.
            </Trans>
          </Empty>
        )}
        <ul className="mt-5 flex flex-col">
          {begun.map((job) => (
            <li key={job.jobId} className="-mx-3 flex items-center gap-4 px-3 py-3">
              <span className="min-w-0 flex-1 truncate text-fg-2">{job.title}</span>
              <span className="w-44">
                <Progress value={null} label={t`Asking the first question`} />
              </span>
              <IconButton label={t`Stop`} onClick={() => stopEvaluation(job.title)}>
                <Square size={14} />
              </IconButton>
            </li>
          ))}
          {shown.map((e) => (
            <Row key={e.id} evaluation={e} onOpen={() => onOpen(e.id)} />
          ))}
        </ul>
      </div>
      <MeasureDialog open={measuring} onClose={() => setMeasuring(false)} warehouse={warehouse} models={models} />
    </div>
  );
}

function Row({ evaluation: e, onOpen }: { evaluation: EvaluationSummary; onOpen: () => void }) {
  const job = useEvals((s) => s.jobs[e.id]);
  const { entry, leave, finalFocus } = useFocusNeighbour();
  return (
    <li ref={entry} className="group -mx-3 flex items-center gap-2 rounded-lg px-3 hover:bg-hover">
      <button
        type="button"
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-4 rounded-md py-3 text-left"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{e.pack}</span>
          <span className="mt-0.5 block truncate text-fg-3 text-sm">
            {[
              e.strategy && methodLabel(e.strategy),
              e.model,
              e.every > 1 && t`every ${formatOrdinal(e.every)} question`,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </span>
        <span className="nums w-32 text-right text-fg-3 text-sm">
          <span className="block">{formatSeconds(e.medianSeconds)}</span>
          <span className="block">
            <Trans>{compact(Math.round(e.tokens))} tokens</Trans>
          </span>
        </span>
        <span className="nums w-32 text-right">
          <span className="block font-medium">{formatShare(e.right, e.questions)}</span>
          <span className="block text-fg-3 text-sm">
            <Trans>
              {count(e.right)} of {count(e.questions)} correct
            </Trans>
          </span>
        </span>
      </button>
      {job ? (
        <>
          <span className="w-24">
            <Progress value={job.total ? job.done / job.total : null} label={t`${job.done} of ${job.total ?? 0}`} />
          </span>
          <IconButton label={t`Stop`} onClick={() => stopEvaluation(e.id)}>
            <Square size={14} />
          </IconButton>
        </>
      ) : (
        <MoreMenu label={t`More for ${e.pack}`} removes finalFocus={finalFocus}>
          <MenuItem
            icon={<Trash2 size={14} />}
            danger
            onSelect={() => {
              leave();
              deleteEvaluation(e);
            }}
          >
            <Trans>Delete</Trans>
          </MenuItem>
        </MoreMenu>
      )}
    </li>
  );
}
