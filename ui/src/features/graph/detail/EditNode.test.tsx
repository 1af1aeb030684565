// Editing what a node gave, and running again from there.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../../../test/fake/host";
import { avSqlLog } from "../../../../test/fake/log";
import { fakePlaces, steeredLog } from "../../../../test/fake/steer";
import type { RunChange, RunEvent } from "../../../host/bindings";
import { setHost } from "../../../host/host";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { nodeById } from "../model/model";
import { NodeDetail } from "./NodeDetail";

const BEFORE = avSqlLog("r", "duckdb:/x", "2026-11-21T10:00:00Z");
const onRun = vi.fn(async (_: RunChange[]) => true);
const onEarlier = vi.fn();
beforeEach(() => {
  setHost(fakeHost());
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

it("an edit is given up with Cancel or Escape, and nothing runs", async () => {
  open("planner");
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await userEvent.click(screen.getByRole("button", { name: "Edit the plan" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Plan" }), "x{Escape}");
  expect(screen.queryByRole("form")).toBeNull();
  expect(onRun).not.toHaveBeenCalled();
});

it("tables are left out by their boxes, and columns by their names", async () => {
  open("selection");
  await userEvent.click(screen.getByRole("button", { name: "Edit tables and columns" }));
  const [first] = screen.getAllByRole("checkbox");
  const name = first!.closest("label")!.textContent!;
  await userEvent.click(first!);
  await userEvent.type(screen.getByRole("textbox", { name: /Also leave out/ }), "customers.email, returns");
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
  expect(screen.getByText("Nothing is written here: change the SQL instead.")).toBeTruthy();
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
