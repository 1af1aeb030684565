// History and event logs of runs. Logs grow from the live stream; missed events are requested by number.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import { announceDeletion } from "../../domain/deletions";
import type { AppError, RunEvent, RunSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { fileToast } from "../../kit/fileToast";
import { fileName } from "../../kit/format";
import { toast, toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";
import { isFinished, mergeEvents } from "./log";

export interface RunLog {
  events: RunEvent[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  /** This machine's clock when the run began, for the running time; null when only read from the log. */
  beganAt: number | null;
  /** True if events came live; otherwise, a run without an end was interrupted. */
  live: boolean;
}

interface RunsState {
  list: RunSummary[];
  search: string;
  /** Only runs of this data; null is all. */
  warehouse: string | null;
  /** The run that is being renamed. */
  renaming: RunSummary | null;
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  /** State of loading runs older than the list. */
  more: "none" | "there" | "loading" | "failed";
  /** Deleted, with the undo still open. */
  hidden: string[];
  logs: Record<string, RunLog>;
}

const PAGE = 60;

export const useRuns = create<RunsState>(() => ({
  list: [],
  search: "",
  warehouse: null,
  renaming: null,
  status: "loading",
  error: null,
  more: "none",
  hidden: [],
  logs: {},
}));

let latest = 0;

export async function loadRuns(search = useRuns.getState().search) {
  const mine = ++latest;
  const searched = useRuns.getState().search;
  useRuns.setState({ search });
  try {
    const before = useRuns.getState();
    // As many as are shown, so that a list that was scrolled stays where it is.
    const shown = before.search === searched ? before.list.length : 0;
    const limit = Math.max(PAGE, shown);
    const list = await host().history(search, before.warehouse, limit, 0);
    if (mine !== latest) return;
    useRuns.setState({ list, status: "ready", error: null, more: list.length >= limit ? "there" : "none" });
    // A run started before this window may wait for a choice and send no further event.
    for (const run of list) if (run.status === "running" && !useRuns.getState().logs[run.runId]) openRun(run.runId);
  } catch (thrown) {
    if (mine === latest) useRuns.setState({ status: "failed", error: toAppError(thrown) });
  }
}

export async function loadMoreRuns() {
  const { list, search, warehouse, more } = useRuns.getState();
  if (more === "none" || more === "loading") return;
  useRuns.setState({ more: "loading" });
  const mine = latest;
  try {
    const next = await host().history(search, warehouse, PAGE, list.length);
    if (mine !== latest) return;
    useRuns.setState((s) => {
      const known = new Set(s.list.map((r) => r.runId));
      return {
        list: [...s.list, ...next.filter((r) => !known.has(r.runId))],
        more: next.length === PAGE ? "there" : "none",
      };
    });
  } catch {
    // The end of the list offers to try again.
    if (mine === latest) useRuns.setState({ more: "failed" });
  }
}

/** Shows only runs of this data; null shows all. */
export async function showRunsOf(warehouse: string | null) {
  useRuns.setState({ warehouse });
  await loadRuns();
}

/** Opens the dialog that names a run; null closes it. */
export function startRenaming(run: RunSummary | null) {
  useRuns.setState({ renaming: run });
}

/** Names a run; an empty name is its question. */
export async function renameRun(runId: string, title: string) {
  await host().nameRun(runId, title);
  await loadRuns();
}

export async function pinRun(runId: string, pinned: boolean) {
  try {
    await host().pinRun(runId, pinned);
    await loadRuns();
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

function changeLog(runId: string, change: (log: RunLog) => RunLog) {
  useRuns.setState(({ logs }) => {
    const log = logs[runId] ?? { events: [], status: "loading", error: null, beganAt: null, live: false };
    return { logs: { ...logs, [runId]: change(log) } };
  });
}

/** Takes in an event of the live stream. */
export function takeEvent(event: RunEvent) {
  const known = useRuns.getState().logs[event.runId];
  const merged = mergeEvents(known?.events ?? [], [event]);
  changeLog(event.runId, (log) => ({
    ...log,
    events: merged.events,
    status: merged.gap ? log.status : "ready",
    beganAt: log.beganAt ?? Date.now() - event.atMs,
    live: true,
  }));
  if (merged.gap) void catchUp(event.runId);
  if (event.body.type === "runStarted" || event.body.type === "runFinished") void loadRuns();
}

const catching = new Set<string>();

/** Asks for the events after the last one here. */
async function catchUp(runId: string) {
  if (catching.has(runId)) return;
  catching.add(runId);
  try {
    const after = useRuns.getState().logs[runId]?.events.at(-1)?.seq ?? 0;
    const missed = await host().runEvents(runId, after);
    changeLog(runId, (log) => ({
      ...log,
      events: mergeEvents(log.events, missed).events,
      status: "ready",
      error: null,
    }));
  } catch (thrown) {
    changeLog(runId, (log) => ({
      ...log,
      status: log.events.length > 0 ? "ready" : "failed",
      error: toAppError(thrown),
    }));
  } finally {
    catching.delete(runId);
  }
}

/** Loads a run's events unless they are complete. */
export function openRun(runId: string) {
  const log = useRuns.getState().logs[runId];
  if (log && (log.status === "ready" || log.status === "loading") && isFinished(log.events)) return;
  void catchUp(runId);
}

/** A run that was just started here. */
export function expectRun(runId: string) {
  changeLog(runId, (log) => ({ ...log, beganAt: log.beganAt ?? Date.now(), live: true }));
  void catchUp(runId);
}

/** After a lost connection, loads the missed events of every unfinished run. */
export function catchUpAll() {
  for (const [runId, log] of Object.entries(useRuns.getState().logs)) {
    if (!isFinished(log.events)) void catchUp(runId);
  }
}

/** True on success. */
export async function stopRun(runId: string): Promise<boolean> {
  try {
    await host().cancelRun(runId);
    return true;
  } catch (thrown) {
    toastError(toAppError(thrown));
    return false;
  }
}

export async function chooseReading(runId: string, candidate: number | null) {
  try {
    await host().chooseReading(runId, candidate);
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Approves or refuses the query that a run waits with. */
export async function decideQuery(runId: string, sqlSha256: string, approved: boolean) {
  try {
    await host().decideQuery(runId, sqlSha256, approved);
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Says whether a run keeps looking, or ends with the best so far. */
export async function keepLooking(runId: string, goesOn: boolean) {
  try {
    await host().keepLooking(runId, goesOn);
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

export function deleteRun(runId: string) {
  useRuns.setState((s) => ({ hidden: [...s.hidden, runId] }));
  const show = () => useRuns.setState((s) => ({ hidden: s.hidden.filter((id) => id !== runId) }));
  undoable({
    title: t`Question deleted.`,
    undo: show,
    commit: async () => {
      try {
        await host().deleteRun(runId);
        announceDeletion(runId);
        useRuns.setState((s) => ({ list: s.list.filter((r) => r.runId !== runId) }));
      } catch (thrown) {
        toastError(toAppError(thrown));
      }
      show();
    },
  });
}

export async function exportRun(runId: string) {
  try {
    const file = await host().pickSaveFile(`vitrine-run-${runId.slice(0, 8)}.json`);
    if (!file) return;
    const { path, token } = file;
    await host().exportRun(runId, token);
    toast({
      tone: "good",
      title: t`Exported ${fileName(path)}.`,
      text: path,
      life: 12_000,
      ...fileToast(token, path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}
