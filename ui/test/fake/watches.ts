// Watched answers as the made-up host has them: one that changed, one that failed, and one that is due.

import type { SavedQuestion, WatchedAnswer, WatchPlan, WatchRun } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";

type Watches = Pick<
  Host,
  "watchedAnswers" | "watchAnswer" | "unwatchSaved" | "watchRuns" | "runDueAnswers" | "hasWatchTimer"
>;

const PLAN: WatchPlan = {
  interval: "day",
  minute: 480,
  weekday: 0,
  alert: { kind: "changed" },
  column: null,
  output: null,
};

/** The error of the watched answer that does not run. */
export const WATCH_ERROR = "no such column: broken";

export function fakeWatches(saved: SavedQuestion[], now: Date, none: boolean): Watches {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
  const run = (savedId: string, hours: number, over: Partial<WatchRun>): WatchRun => ({
    savedId,
    dueAt: at(hours),
    startedAt: at(hours),
    wallMs: 420,
    outcome: "unchanged",
    notes: [],
    reported: false,
    rows: 10,
    bytes: null,
    file: null,
    ...over,
  });
  const runs = new Map<string, WatchRun[]>();
  const watch = ({ id, title, warehouse }: SavedQuestion, plan: WatchPlan, due: number): WatchedAnswer => ({
    title,
    warehouse,
    watch: {
      savedId: id,
      plan,
      createdAt: at(-200),
      since: at(-24),
      state: { columns: [], result: null, value: null, crossed: false, drift: [], error: null },
    },
    nextDue: at(due),
    nextDueLocal: at(due),
    lastRun: runs.get(id)?.[0] ?? null,
  });
  const [first, second] = saved.filter(({ code }) => code === null);
  let list: WatchedAnswer[] = [];
  if (!none && first && second) {
    runs.set(first.id, [
      run(first.id, -3, { outcome: "unchanged" }),
      run(first.id, -27, { outcome: "changed", notes: ["2 of 10 rows are different"], reported: true }),
      run(first.id, -51, {}),
    ]);
    runs.set(second.id, [
      run(second.id, -1, { outcome: "failed", notes: [WATCH_ERROR], reported: true, rows: null }),
    ]);
    list = [
      watch(second, { ...PLAN, interval: "hour", minute: 0, alert: { kind: "above", limit: "1000" } }, -0.1),
      watch(first, PLAN, 21),
    ];
    list[0]!.watch.state.error = WATCH_ERROR;
  }
  return {
    watchedAnswers: async () => structuredClone(list),
    watchRuns: async (id, limit) => (runs.get(id) ?? []).slice(0, limit),
    hasWatchTimer: async () => false,
    watchAnswer: async (id, plan) => {
      const question = saved.find((q) => q.id === id)!;
      if (plan.alert.kind !== "changed" && !/^-?\d+(\.\d+)?$/.test(plan.alert.limit)) {
        const message = `'${plan.alert.limit}' is not a number`;
        const hint = "Write it with a decimal point, such as 1234.5";
        throw new AppFailure({ code: "usage", message, hint, detail: null });
      }
      runs.delete(id);
      const watched = watch(question, plan, 20);
      list = [...list.filter(({ watch }) => watch.savedId !== id), watched];
      return watched;
    },
    unwatchSaved: async (id) => {
      list = list.filter(({ watch }) => watch.savedId !== id);
      runs.delete(id);
    },
    runDueAnswers: async () => {
      const due = list.filter(({ nextDue }) => nextDue <= now.toISOString());
      const reports = due.map(({ title, watch: { savedId } }) => ({ title, run: run(savedId, 0, {}) }));
      for (const { run } of reports) runs.set(run.savedId, [run, ...(runs.get(run.savedId) ?? [])]);
      list = list.map((one) =>
        due.includes(one)
          ? {
              ...one,
              nextDue: at(1),
              lastRun: runs.get(one.watch.savedId)![0]!,
              watch: { ...one.watch, state: { ...one.watch.state, error: null } },
            }
          : one,
      );
      return { busy: false, reports, nextDue: list[0]?.nextDue ?? null };
    },
  };
}
