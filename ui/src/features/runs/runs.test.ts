import { beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeHost, fakeHost } from "../../../test/fake/host";
import { avSqlLog } from "../../../test/fake/log";
import type { RunSummary } from "../../host/bindings";
import { setHost } from "../../host/host";
import { useToasts } from "../../kit/toast";
import { byDay } from "./groups";
import { isFinished, mergeEvents } from "./log";
import { catchUpAll, deleteRun, exportRun, loadMoreRuns, loadRuns, openRun, takeEvent, useRuns } from "./state";
import { groupThreads, openMembers } from "./threads";

const events = avSqlLog("x", "duckdb:/x", "2026-11-21T10:00:00Z");

describe("an event log", () => {
  it("grows in order and ignores what it has", () => {
    const first = mergeEvents([], events.slice(0, 3));
    expect(first).toEqual({ events: events.slice(0, 3), gap: false });
    expect(mergeEvents(first.events, events.slice(1, 5)).events).toEqual(events.slice(0, 5));
  });
  it("says when one is missing", () => {
    const merged = mergeEvents(events.slice(0, 3), [events[4]!]);
    expect(merged.gap).toBe(true);
    expect(merged.events).toHaveLength(3);
  });
  it("sorts what came out of order", () => {
    expect(mergeEvents([], [events[1]!, events[0]!]).events).toEqual(events.slice(0, 2));
  });
  it("knows its end", () => {
    expect(isFinished(events)).toBe(true);
    expect(isFinished(events.slice(0, -1))).toBe(false);
  });
});

describe("live runs", () => {
  let host: FakeHost;
  beforeEach(() => {
    host = fakeHost();
    setHost(host);
    useRuns.setState({ logs: {}, list: [], hidden: [], search: "", status: "loading" });
  });
  const asked = () => host.calls.filter(([name]) => name === "runEvents").map(([, args]) => args);

  it("ask for what they missed, after the last event they have", async () => {
    host.runEvents = async (_, after) => events.filter((e) => e.seq > after);
    for (const event of events.slice(0, 4)) takeEvent(event);
    takeEvent(events[9]!);
    await vi.waitFor(() => expect(useRuns.getState().logs.x?.events).toHaveLength(events.length));
    expect(asked()).toEqual([["x", 4]]);
  });

  it("ask again after the connection was lost, unless they ended", async () => {
    host.runEvents = async (_, after) => events.filter((e) => e.seq > after);
    for (const event of events.slice(0, 6)) takeEvent(event);
    catchUpAll();
    await vi.waitFor(() => expect(isFinished(useRuns.getState().logs.x!.events)).toBe(true));
    catchUpAll();
    openRun("x");
    expect(asked()).toEqual([["x", 6]]);
  });

  it("say why a run cannot be opened", async () => {
    openRun("unknown");
    await vi.waitFor(() => expect(useRuns.getState().logs.unknown?.status).toBe("failed"));
    expect(useRuns.getState().logs.unknown?.error?.message).toContain("not in the history");
  });

  it("are deleted only after the undo has run out", async () => {
    vi.useFakeTimers();
    try {
      await loadRuns("");
      deleteRun("r3");
      expect(useRuns.getState().hidden).toEqual(["r3"]);
      expect(host.calls.some(([name]) => name === "deleteRun")).toBe(false);
      await vi.advanceTimersByTimeAsync(10_100);
      expect(host.calls.some(([name]) => name === "deleteRun")).toBe(true);
      expect(useRuns.getState().list.some((r) => r.runId === "r3")).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are found by search", async () => {
    await loadRuns("basket");
    expect(useRuns.getState().list.map((r) => r.question)).toEqual(["Average basket by channel"]);
  });
});

it("groups runs by day", () => {
  const run = (runId: string, startedAt: Date) =>
    ({ runId, startedAt: startedAt.toISOString(), follows: null, pinned: false }) as RunSummary;
  const runs = [
    run("a", new Date(2026, 10, 21, 9)),
    run("b", new Date(2026, 10, 21, 8)),
    run("c", new Date(2026, 10, 20, 8)),
  ];
  const groups = byDay(groupThreads(runs), new Date(2026, 10, 21, 10));
  expect(groups.map((g) => [g.day, g.threads.map((thread) => thread.newest.runId)])).toEqual([
    ["Today", ["a", "b"]],
    ["Yesterday", ["c"]],
  ]);
});

describe("threads in the history", () => {
  const run = (runId: string, follows: string | null, more: Partial<RunSummary> = {}) =>
    ({ runId, follows, pinned: false, status: "answered", ...more }) as RunSummary;
  const shape = (runs: RunSummary[]) =>
    groupThreads(runs).map(({ newest, older, whole }) => [newest.runId, older.map((r) => r.runId), whole]);

  it("are a question with its follow-ups, and with follow-ups of those, at the place of the newest", () => {
    expect(shape([run("d", "b"), run("x", null), run("c", "a"), run("b", "a"), run("a", null)])).toEqual([
      ["d", ["c", "b", "a"], true],
      ["x", [], true],
    ]);
  });
  it("say where their beginning is not in the list", () => {
    expect(shape([run("c", "b"), run("b", "gone"), run("x", null)])).toEqual([
      ["c", ["b"], false],
      ["x", [], true],
    ]);
  });
  it("hide no pinned question and none that works", () => {
    const runs = [run("a", null, { pinned: true }), run("c", "b"), run("b", "a", { status: "running" })];
    expect(shape(runs)).toEqual([
      ["a", [], true],
      ["c", ["b"], true],
    ]);
    expect(openMembers(groupThreads(runs)[1]!).map((r) => r.runId)).toEqual(["b"]);
  });
  it("end where logs follow each other in a circle", () => {
    expect(groupThreads([run("a", "b"), run("b", "a")]).length).toBeGreaterThan(0);
  });
});

describe("older runs", () => {
  const summary = (n: number) => ({ runId: `old-${n}`, status: "answered" }) as RunSummary;

  it("are loaded again where loading them failed once", async () => {
    const host = fakeHost();
    setHost(host);
    const all = Array.from({ length: 130 }, (_, n) => summary(n));
    host.history = async (_, __, limit, offset) => all.slice(offset, offset + limit);
    useRuns.setState({ logs: {}, list: [], hidden: [], search: "", warehouse: null });
    await loadRuns("");
    expect(useRuns.getState()).toMatchObject({ more: "there", list: { length: 60 } });
    const page = host.history;
    host.history = () => Promise.reject(new Error("away"));
    await loadMoreRuns();
    expect(useRuns.getState()).toMatchObject({ more: "failed", status: "ready", list: { length: 60 } });
    host.history = page;
    await loadMoreRuns();
    expect(useRuns.getState()).toMatchObject({ more: "there", list: { length: 120 } });
    await loadMoreRuns();
    expect(useRuns.getState()).toMatchObject({ more: "none", list: { length: 130 } });
  });
});

it("a run that was exported is shown in its folder", async () => {
  const host = fakeHost();
  setHost(host);
  useToasts.setState({ items: [] });
  await exportRun("r1");
  const { actions } = useToasts.getState().items[0]!;
  expect(actions?.map((action) => action.label)).toEqual(["Show in folder", "Copy path"]);
  const calls = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);
  actions![0]!.run();
  expect(calls("showInFolder")).toEqual([[calls("exportRun")[0]![1]]]);
});
