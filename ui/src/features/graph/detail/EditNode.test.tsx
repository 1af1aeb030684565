// Editing what a node gave, and running again from there.

import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../../../test/fake/host";
import { avSqlLog } from "../../../../test/fake/log";
import { fakePlaces, steeredLog } from "../../../../test/fake/steer";
import { NO_USAGE } from "../../../domain/usage";
import type { RunChange, RunEvent, SteerEdit } from "../../../host/bindings";
import { setHost } from "../../../host/host";
import { useFormDrafts } from "../../../kit/formDrafts";
import { useToasts } from "../../../kit/toast";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { nodeById } from "../model/model";
import { againInWords, asInGraph } from "../model/steering";
import { NodeDetail } from "./NodeDetail";

const BEFORE = avSqlLog("r", "duckdb:/x", "2026-11-21T10:00:00Z");
const onRun = vi.fn(async (_: RunChange[]) => true);
const onEarlier = vi.fn();
beforeEach(() => {
  setHost(fakeHost());
  useFormDrafts.setState({ forms: {} });
  useToasts.setState({ items: [] });
  onRun.mockClear();
  onEarlier.mockClear();
});

function open(node: string, events: RunEvent[] = BEFORE) {
  const run = foldRun(events);
  render(
    <HintProvider>
      <NodeDetail
        node={nodeById(run, node)!}
        run={run}
        steering={{ places: fakePlaces(events), onRun }}
        onSelect={() => {}}
        onEarlier={onEarlier}
      />
    </HintProvider>,
  );
}

it("a plan is edited in its place, with what runs again and what that took, and sent once it differs", async () => {
  open("planner");
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  const form = screen.getByRole("form", { name: "Edit the plan" });
  expect(form.textContent).toMatch(/Runs again: .*Answer|Runs again: .*Result/);
  expect(form.textContent).toMatch(/About \d+ model calls, .* tokens/);
  const run = screen.getByRole("button", { name: "Run from here" });
  expect(run.hasAttribute("disabled")).toBe(true);
  const box = screen.getByRole("textbox", { name: "Plan" });
  await userEvent.clear(box);
  await userEvent.type(box, "Read orders");
  await userEvent.click(run);
  expect(onRun).toHaveBeenCalledExactlyOnceWith([{ kind: "plan", text: "Read orders" }]);
});

it("what runs again is counted as the run counts it: without the checks behind the answer", async () => {
  const ready = BEFORE.find(({ body }) => body.type === "resultReady")!;
  const usage = { ...NO_USAGE, llm_calls: 7, prompt_tokens: 900_000, wall_ms: 600_000 };
  const behind = [
    { type: "modelCallStarted", node: "generator", call: 99, agent: "assessor" },
    { type: "modelCallFinished", node: "generator", call: 99, agent: "assessor", replies: [], usage, error: null },
  ] as unknown as RunEvent["body"][];
  const at = BEFORE.indexOf(ready) + 1;
  const events = [...BEFORE.slice(0, at), ...behind.map((body) => ({ ...ready, body })), ...BEFORE.slice(at)];
  const numbered = events.map((event, i) => ({ ...event, seq: i + 1 }));
  const said = async (events: RunEvent[]) => {
    open("planner", events);
    await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
    const text = screen.getByText(/^Runs again/).textContent;
    cleanup();
    return text;
  };
  expect(await said(numbered)).toBe(await said(BEFORE));
});

it("an edited query needs no model, and says so", async () => {
  const run = foldRun(BEFORE);
  const took = { ...NO_USAGE, db_calls: 1 };
  const edit: SteerEdit = { change: { kind: "sql", sql: "SELECT 1" }, again: [], kept: [], took };
  expect(againInWords(asInGraph(edit, run))).toBe("Runs again: nothing. This needs no model call.");
});

it("an edit that was begun is there again after Escape and after another node, and nothing runs", async () => {
  open("planner");
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Plan" }), " Mine.{Escape}");
  expect(screen.queryByRole("form")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit the plan" }));
  cleanup();
  open("selection");
  expect(screen.queryByRole("form")).toBeNull();
  cleanup();
  open("planner");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Plan" }).value).toMatch(/ Mine\.$/);
  expect(onRun).not.toHaveBeenCalled();
});

it("an edit is given up with Cancel, and that can be taken back", async () => {
  open("planner");
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Plan" }), " Mine.");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  const [told] = useToasts.getState().items;
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Plan" });
  expect(box.value).not.toMatch(/Mine/);
  act(() => told!.actions![0]!.run());
  expect(box.value).toMatch(/ Mine\.$/);
});

it("tables are left out by their boxes, and columns by their names", async () => {
  open("selection");
  await userEvent.click(screen.getByRole("button", { name: "Edit tables and columns" }));
  const [first] = screen.getAllByRole("checkbox");
  const name = first!.closest("label")!.textContent!;
  await userEvent.click(first!);
  await userEvent.type(screen.getByRole("textbox", { name: /Also exclude/ }), "customers.email, returns");
  await userEvent.type(screen.getByRole("textbox", { name: /^Add/ }), "stores");
  await userEvent.click(screen.getByRole("button", { name: "Run from here" }));
  const dropped = [name, "customers.email", "returns"];
  expect(onRun).toHaveBeenCalledExactlyOnceWith([{ kind: "tables", added: ["stores"], dropped }]);
});

it("a view has its own editor, with its own query", async () => {
  open("view:sold_lines_2024");
  await userEvent.click(screen.getByRole("button", { name: "Edit the view sold_lines_2024" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toMatch(/select/i);
});

it("a node that cannot be changed says why", () => {
  open("revisor");
  expect(screen.getByText("This step cannot be edited. Edit the SQL.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Edit/ })).toBeNull();
});

it("what was kept and what was edited is told, and the earlier run is one step away", async () => {
  const next = steeredLog("n", "2026-11-21T11:00:00Z", BEFORE, [{ kind: "plan", text: "Read orders" }]);
  open("rewriter", next);
  expect(screen.getByText(/Kept from the earlier run/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open that run" }));
  expect(onEarlier).toHaveBeenCalledWith("r");
  open("planner", next);
  expect(screen.getByText(/Edited by you: the plan/)).toBeTruthy();
});
