// Threads: earlier questions above a follow-up, and one entry for them in the history.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { loadRuns, useRuns } from "../src/features/runs/state";
import type { RunEvent, RunSummary } from "../src/host/bindings";
import { AppFailure } from "../src/host/host";
import { navigate, useRoute } from "../src/navigation/route";
import { EXAMPLES, exampleLog } from "./fake/answers";
import { SAMPLE } from "./fake/data";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});
const show = (runId: string) => act(() => navigate({ page: "run", runId, tab: "answer" }));
const earlier = async () => within(await screen.findByRole("region", { name: "Earlier questions of this thread" }));

/** A chain of answers t1, t2 and so on, each a follow-up of the one before; the host alone knows them. */
function chain(length: number, change: (n: number, events: RunEvent[]) => RunEvent[] = (_, events) => events) {
  const logs = new Map<string, RunEvent[]>();
  for (let n = 1; n <= length; n++) {
    const example = { ...EXAMPLES[(n - 1) % 2]!, runId: `t${n}`, question: `Question ${n}?` };
    const follows = n === 1 ? null : { runId: `t${n - 1}`, question: `Question ${n - 1}?`, text: `and ${n}?` };
    const events = exampleLog(example, SAMPLE, new Date().toISOString()).map(
      (event): RunEvent =>
        event.body.type === "runStarted" && follows ? { ...event, body: { ...event.body, follows } } : event,
    );
    logs.set(`t${n}`, change(n, events));
  }
  const before = host.runEvents;
  const asked: string[] = [];
  host.runEvents = async (runId, after) => {
    asked.push(runId);
    return logs.get(runId)?.filter(({ seq }) => seq > after) ?? before(runId, after);
  };
  return { logs, asked };
}

describe("the earlier questions of a thread", () => {
  it("stand above a follow-up in their order, each with its answer's sentence", async () => {
    chain(3);
    show("t3");
    const thread = await earlier();
    await waitFor(() => expect(thread.getAllByRole("listitem")).toHaveLength(2));
    await waitFor(() => expect(thread.getByText(/^12 months, Jan 2024 to Dec 2024/)).toBeTruthy());
    expect(thread.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringContaining("Question 1?"),
      expect.stringContaining("Question 2?"),
    ]);
    expect(thread.getByText("Then: “and 3?”")).toBeTruthy();
    expect(thread.queryByRole("grid")).toBeNull();
  });

  it("show their rows in place on demand, by keyboard too, and lead to their own page", async () => {
    chain(2);
    show("t2");
    const thread = await earlier();
    const first = await thread.findByRole("button", { name: /Question 1\?/ });
    await waitFor(() => expect(first.textContent).toContain("revenue highest"));
    first.focus();
    await userEvent.keyboard("{Enter}");
    expect(await thread.findByRole("grid", { name: "Rows of “Question 1?”" })).toBeTruthy();
    expect(useRoute.getState().route).toMatchObject({ runId: "t2" });
    await userEvent.keyboard(" ");
    expect(thread.queryByRole("grid")).toBeNull();
    await userEvent.keyboard("{Enter}");
    await userEvent.click(thread.getByRole("button", { name: "Open this answer" }));
    expect(useRoute.getState().route).toMatchObject({ runId: "t1" });
    await waitFor(() =>
      expect(screen.queryByRole("region", { name: "Earlier questions of this thread" })).toBeNull(),
    );
  });

  it("are at most twenty, and further ones on demand", async () => {
    const { asked } = chain(24);
    show("t24");
    const thread = await earlier();
    await waitFor(() => expect(thread.getAllByRole("listitem")).toHaveLength(20));
    const more = await thread.findByRole("button", { name: "Show earlier questions" });
    expect(thread.getAllByRole("listitem")[0]!.textContent).toContain("Question 4?");
    expect(asked).not.toContain("t3");
    await userEvent.click(more);
    await waitFor(() => expect(thread.getAllByRole("listitem")).toHaveLength(23));
    await waitFor(() => expect(thread.queryByRole("button", { name: "Show earlier questions" })).toBeNull());
  });

  it("say why one could not be loaded, and load it again", async () => {
    const { logs } = chain(2);
    const known = host.runEvents;
    let away = true;
    host.runEvents = async (runId, after) => {
      if (runId === "t1" && away) {
        throw new AppFailure({ code: "internal", message: "The log is locked.", hint: null, detail: null });
      }
      return known(runId, after);
    };
    show("t2");
    const thread = await earlier();
    const first = await thread.findByRole("button", { name: /Question 1\?.*The log is locked\./ });
    await userEvent.click(first);
    expect(within(await thread.findByRole("alert")).getByText("The log is locked.")).toBeTruthy();
    away = false;
    await userEvent.click(thread.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(first.textContent).toContain("revenue highest"));
    expect(logs.size).toBe(2);
  });

  it("say that one has no answer", async () => {
    chain(2, (n, events) =>
      n === 2
        ? events
        : events
            .filter(({ body }) => body.type !== "resultReady")
            .map((event, at): RunEvent => {
              const error = { code: "query" as const, message: "No SQL ran.", hint: null, detail: null };
              const { body } = event;
              return { ...event, seq: at + 1, body: body.type === "runFinished" ? { ...body, error } : body };
            }),
    );
    show("t2");
    const thread = await earlier();
    expect(await thread.findByRole("button", { name: /Question 1\?.*No SQL ran\./ })).toBeTruthy();
  });

  it("stay where a follow-up is asked again", async () => {
    chain(2);
    show("t2");
    await earlier();
    await userEvent.click(await screen.findByRole("button", { name: "That is wrong" }));
    await userEvent.click(screen.getByRole("button", { name: "Something else" }));
    const help = within(screen.getByRole("list", { name: "What helps" }));
    await userEvent.click(help.getByRole("button", { name: "Start over" }));
    await waitFor(() => expect(host.calls.some(([name]) => name === "ask")).toBe(true));
    const [, asked] = host.calls.find(([name]) => name === "ask")!;
    expect(asked[0]).toMatchObject({ question: "Question 2?", follows: { runId: "t1", text: "and 2?" } });
  });

  it("are not there where a question follows none", async () => {
    show("r1");
    await screen.findByRole("grid", { name: "Answer" });
    expect(screen.queryByRole("region", { name: "Earlier questions of this thread" })).toBeNull();
  });
});

describe("a thread in the history", () => {
  const withThread = async () => {
    const [newest, second] = useRuns.getState().list;
    const now = new Date().toISOString();
    const run = (runId: string, question: string, follows: string | null): RunSummary => ({
      ...newest!,
      runId,
      question,
      follows,
      startedAt: now,
      title: null,
      changes: [],
      steeredFrom: null,
    });
    const added = [
      run("h3", "And by region?", "h2"),
      run("h2", "And in 2024?", "h1"),
      run("h1", "Sales in 2025?", null),
    ];
    const before = host.history;
    host.history = async (search, warehouse, limit, offset) => {
      const found = await before(search, warehouse, limit, offset);
      return [...added.filter(({ question }) => question.includes(search)), ...found];
    };
    await act(() => loadRuns(""));
    expect(second).toBeTruthy();
  };
  const list = () => within(screen.getByRole("region", { name: "History" }));
  const entry = (name: RegExp) => list().queryByRole("button", { name });

  it("is one entry with the number of its questions, and opens to all of them", async () => {
    await withThread();
    expect(entry(/And by region\?.*3 questions/)).toBeTruthy();
    expect(entry(/And in 2024/)).toBeNull();
    await userEvent.click(list().getByRole("button", { name: "All questions of this thread" }));
    expect(entry(/And in 2024/)).toBeTruthy();
    expect(entry(/Sales in 2025/)).toBeTruthy();
  });

  it("is open while one of its questions is on the page", async () => {
    await withThread();
    show("h1");
    expect(entry(/Sales in 2025/)!.getAttribute("aria-current")).toBe("page");
    show("r1");
    expect(entry(/Sales in 2025/)).toBeNull();
  });

  it("is not one entry while the history is searched", async () => {
    await withThread();
    await act(() => loadRuns("Sales"));
    expect(entry(/Sales in 2025/)).toBeTruthy();
    expect(entry(/questions/)).toBeNull();
  });
});
