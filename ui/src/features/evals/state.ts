// Finished and running evaluations.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { AppError, EvaluationRequest, EvaluationSummary, JobEvent } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";

interface EvalsState {
  list: EvaluationSummary[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  hidden: string[];
  /** Running jobs, by evaluation. */
  jobs: Record<string, JobEvent>;
}

export const useEvals = create<EvalsState>(() => ({
  list: [],
  status: "loading",
  error: null,
  hidden: [],
  jobs: {},
}));

let latest = 0;

export async function loadEvaluations() {
  const mine = ++latest;
  try {
    const list = await host().evaluations();
    if (mine === latest) useEvals.setState({ list, status: "ready", error: null });
  } catch (thrown) {
    if (mine === latest) useEvals.setState({ status: "failed", error: toAppError(thrown) });
  }
}

/** Starts an evaluation or continues the same one; the dialog shows the error. */
export async function startEvaluation(request: EvaluationRequest) {
  await host().startEvaluation(request);
}

export function stopEvaluation(id: string) {
  const job = useEvals.getState().jobs[id];
  if (job)
    void host()
      .cancelJob(job.jobId)
      .catch((thrown) => toastError(toAppError(thrown)));
}

export function takeEvaluation(job: JobEvent) {
  const id = job.title;
  const { [id]: before, ...rest } = useEvals.getState().jobs;
  if (job.state === "running") {
    useEvals.setState({ jobs: { ...rest, [id]: job } });
    // Another question is done: its figures are stored.
    if (before?.done !== job.done) void loadEvaluations();
    return;
  }
  useEvals.setState({ jobs: rest });
  void loadEvaluations();
  if (job.state === "failed" && job.error) {
    toast({ tone: "bad", title: job.error.message, text: job.error.hint ?? undefined, life: 12_000 });
  } else if (job.state === "done") {
    toast({ tone: "good", title: t`Evaluation finished.` });
  } else {
    toast({ title: t`Evaluation stopped. Start the same evaluation to continue.` });
  }
}

export function deleteEvaluation(evaluation: EvaluationSummary) {
  const { id } = evaluation;
  useEvals.setState((s) => ({ hidden: [...s.hidden, id] }));
  const show = () => useEvals.setState((s) => ({ hidden: s.hidden.filter((other) => other !== id) }));
  undoable({
    title: t`Deleted the evaluation of ${evaluation.pack}.`,
    undo: show,
    commit: async () => {
      try {
        await host().deleteEvaluation(id);
        await loadEvaluations();
      } catch (thrown) {
        toastError(toAppError(thrown));
      }
      show();
    },
  });
}
