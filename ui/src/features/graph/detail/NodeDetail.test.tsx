// What is shown when a node of a published method is opened.

import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { chaseLog } from "../../../../test/fake/chase";
import { dsrLog } from "../../../../test/fake/dsr";
import { fakeHost } from "../../../../test/fake/host";
import { avSqlLog } from "../../../../test/fake/log";
import { prospyLog } from "../../../../test/fake/prospy";
import { reforceLog } from "../../../../test/fake/reforce";
import type { RunEvent } from "../../../host/bindings";
import { setHost } from "../../../host/host";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { nodeById } from "../model/model";
import { NodeDetail } from "./NodeDetail";

const onSelect = vi.fn();
beforeEach(() => {
  setHost(fakeHost());
  onSelect.mockClear();
});

function open(log: (runId: string, warehouse: string, startedAt: string) => RunEvent[], node: string) {
  const run = foldRun(log("r", "duckdb:/x", "2026-11-21T10:00:00Z"));
  render(
    <HintProvider>
      <NodeDetail node={nodeById(run, node)!} run={run} onSelect={onSelect} />
    </HintProvider>,
  );
}

it("a step says its move, its aim, why it failed, and its place on the path", async () => {
  open(dsrLog, "step-4");
  expect(screen.getByRole("heading", { name: "Step 4: Add" })).toBeTruthy();
  expect(screen.getByText("Join the targets, twelve months added up")).toBeTruthy();
  expect(screen.getByText(/does not have a column named "id"/, { selector: "p" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "2 Check the data" }));
  expect(onSelect).toHaveBeenCalledWith("step-2");
});

it("a stage is called as on its card, in its panel and where a view names who wrote it", async () => {
  open(avSqlLog, "generator");
  expect(screen.getByRole("heading", { level: 2, name: "SQL" })).toBeTruthy();
  expect(screen.queryByText("Write the SQL")).toBeNull();
  cleanup();
  open(reforceLog, "generator-2");
  expect(screen.getByRole("heading", { level: 2, name: "SQL, second try" })).toBeTruthy();
});

it("a probe opens to its SQL and its rows, and says what was carried over", async () => {
  open(reforceLog, "exploration");
  expect(screen.getByText("5 of 6 ran")).toBeTruthy();
  expect(screen.getByText(/correction reused from query 3/i)).toBeTruthy();
  expect(screen.queryByText("United Kingdom")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /In which writings countries occur/ }));
  expect(screen.getByText("United Kingdom")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy SQL" })).toBeTruthy();
});

it("a vote says how sure it is, and why a result is suspicious", async () => {
  open(reforceLog, "vote-1");
  expect(screen.getByText("Low confidence")).toBeTruthy();
  expect(screen.getByText("Suspicious: first_year_part is 0 in every row")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /Attempts 2, 5, 8/ }));
  await userEvent.click(screen.getByRole("button", { name: /Attempt 5.*2 corrections/ }));
  expect(screen.getAllByText("failed").length).toBeGreaterThan(0);
});

it("the comparison is a table with the results as rows and columns", () => {
  open(chaseLog, "choice");
  const table = screen.getByRole("table", { name: /Wins of the row/ });
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map((h) => h.textContent),
  ).toEqual(["Wins", "A", "B", "C", "D", "E", "F", "Points"]);
  const first = within(table).getByRole("row", { name: /^A/ });
  expect(
    within(first)
      .getAllByRole("cell")
      .map((c) => c.textContent),
  ).toEqual(["–", "1", "2", "2", "2", "2", "24"]);
  expect(screen.getByText("1 failed")).toBeTruthy();
});

it("examples open to their query, and what was dropped is said", async () => {
  open(chaseLog, "examples");
  expect(screen.getByText(/2 examples dropped/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /How many stores are there per region/ }));
  expect(screen.getByRole("button", { name: "Copy SQL" })).toBeTruthy();
});

it("the funnel says what was left out and what came back", async () => {
  open(prospyLog, "linking");
  expect(screen.getByText("15 tables, 112 columns")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /Added back/ }));
  expect(screen.getByText(/stores.region/)).toBeTruthy();
});

it("a fetched view says what its columns come from, and folds away what failed before", async () => {
  open(prospyLog, "fetch");
  expect(screen.getByText("1,196 rows · 18 kB stored")).toBeTruthy();
  expect(screen.getByText("the sum of order_items.qty * order_items.unit_price")).toBeTruthy();
  expect(screen.queryByText(/region is not a column/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /1 earlier attempt failed/ }));
  expect(screen.getByText(/region is not a column/)).toBeTruthy();
});

it("an analysis shows its code, what it printed, and why the code before gave no table", async () => {
  open(prospyLog, "analysis");
  expect(screen.getByText(/152 pairs of category and region/)).toBeTruthy();
  expect(screen.getByText("KeyError: 'cat_nm' (line 1)")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Copy code" })).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: /Execution 1/ }));
  expect(screen.getAllByRole("button", { name: "Copy code" })).toHaveLength(2);
});

it("the attempts at a view are tabs that the arrow keys, Home and End open", async () => {
  open(avSqlLog, "view:sold_lines_2024");
  const [first, second] = screen.getAllByRole("tab");
  // The attempt that holds is open, not the one that failed.
  expect(second!.getAttribute("aria-selected")).toBe("true");
  expect(screen.queryByText(/orders has no column prod_id/)).toBeNull();
  await userEvent.click(first!);
  expect(screen.getByRole("tabpanel").textContent).toContain("orders has no column prod_id");
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(second);
  expect(second!.getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("tabpanel").textContent).not.toContain("orders has no column prod_id");
  expect([first!.tabIndex, second!.tabIndex]).toEqual([-1, 0]);
  await userEvent.keyboard("{Home}");
  expect(first!.getAttribute("aria-selected")).toBe("true");
  await userEvent.keyboard("{End}");
  expect(second!.getAttribute("aria-selected")).toBe("true");
});

it("the reasons of planner and judge are shown with the attempts that were compared", () => {
  const reasoned: typeof avSqlLog = (runId, warehouse, startedAt) => {
    const events = avSqlLog(runId, warehouse, startedAt);
    const last = events.findLastIndex((e) => e.body.type === "planned");
    const given = { agent: "judge" as const, candidates: [5, 3], preferred: 3, reason: "Only 3 counts\nreaders" };
    const plan = { agent: "planner" as const, candidates: [], preferred: null, reason: "One row for each product" };
    const bodies = [plan, given].map((reason) => ({ type: "reasonGiven" as const, node: "planner", ...reason }));
    const added = bodies.map((body) => ({ ...events[last]!, body }));
    return [...events.slice(0, last), ...added, ...events.slice(last)].map((e, i) => ({ ...e, seq: i + 1 }));
  };
  open(reasoned, "planner");
  expect(screen.getByText("Reasons of the model")).toBeTruthy();
  expect(screen.getByText("One row for each product")).toBeTruthy();
  expect(screen.getByText("Attempt 3 rather than 5")).toBeTruthy();
  expect(screen.getByText(/Only 3 counts/)).toBeTruthy();
  cleanup();
  open(avSqlLog, "planner");
  expect(screen.queryByText("Reasons of the model")).toBeNull();
});
