// Watched answers with their latest runs, as the program has them.

import { plural, t } from "@lingui/core/macro";
import { create } from "zustand";
import { withApproval } from "../../domain/approval";
import type { AppError, SavedQuestion, WatchedAnswer, WatchPlan, WatchRun } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";

/** Runs of each answer that are loaded. */
export const RUNS = 50;

interface WatchesState {
  list: WatchedAnswer[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  /** The latest runs by saved question, the latest first. */
  runs: Record<string, WatchRun[]>;
  /** Whether this computer's scheduler runs them; null while unknown. */
  timer: boolean | null;
  /** Answers that are due are being run. */
  running: boolean;
  /** The question in the dialog. */
  watching: SavedQuestion | null;
}

export const useWatches = create<WatchesState>(() => ({
  list: [],
  status: "loading",
  error: null,
  runs: {},
  timer: null,
  running: false,
  watching: null,
}));

let latest = 0;

/** Loads the watched answers and their runs. */
export async function loadWatches() {
  const mine = ++latest;
  try {
    void loadTimer();
    const list = await host().watchedAnswers();
    const runs = await Promise.all(
      list.map(async ({ watch }) => [watch.savedId, await host().watchRuns(watch.savedId, RUNS)] as const),
    );
    if (mine !== latest) return;
    useWatches.setState({ list, runs: Object.fromEntries(runs), status: "ready", error: null });
  } catch (thrown) {
    if (mine === latest) useWatches.setState({ status: "failed", error: toAppError(thrown) });
  }
}

/** Asks the scheduler, which may take a while. */
async function loadTimer() {
  const timer = await host()
    .hasWatchTimer()
    .catch(() => null);
  useWatches.setState({ timer });
}

/** Opens the dialog for a question; null closes it. */
export function startWatching(question: SavedQuestion | null) {
  useWatches.setState({ watching: question });
}

/** Watches a question by a plan, in place of an earlier one. It runs once now. Returns what is wrong. */
export async function watchQuestion(
  { id, warehouse, sql }: SavedQuestion,
  plan: WatchPlan,
): Promise<AppError | null> {
  try {
    await withApproval(warehouse, sql, () => host().watchAnswer(id, plan));
  } catch (thrown) {
    return toAppError(thrown);
  }
  await loadWatches();
  return null;
}

/** Stops watching a question. The message offers to watch it again. */
export async function stopWatching({ title, watch }: WatchedAnswer) {
  try {
    await host().unwatchSaved(watch.savedId);
    toast({
      title: t`“${title}” is no longer watched.`,
      life: 10_000,
      actions: [{ label: t`Watch again`, run: () => void watchAgain(watch.savedId, watch.plan) }],
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
  await loadWatches();
}

async function watchAgain(id: string, plan: WatchPlan) {
  try {
    await host().watchAnswer(id, plan);
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
  await loadWatches();
}

/** Runs the answers that are due now. */
export async function runDue() {
  useWatches.setState({ running: true });
  try {
    const { busy, reports } = await host().runDueAnswers();
    const failed = reports.filter(({ run }) => run.outcome === "failed").length;
    toast({
      tone: failed > 0 || busy ? "plain" : "good",
      title: busy
        ? t`The watched answers are being run already.`
        : reports.length === 0
          ? t`No watched answer is due.`
          : plural(reports.length, { one: "# watched answer was run.", other: "# watched answers were run." }),
      text: failed > 0 ? plural(failed, { one: "# failed", other: "# failed" }) : undefined,
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  } finally {
    useWatches.setState({ running: false });
  }
  await loadWatches();
}
