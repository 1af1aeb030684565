// Going on from a run: an edit in the graph begins another run, which says what was changed and is compared with the first.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { navigate, useRoute } from "../navigation/route";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

it("an edited plan begins a run that says so, stands in the history with a sign, and is compared with the earlier one", async () => {
  navigate({ page: "run", runId: "r1", tab: "graph", face: "work", form: "outline" });
  await userEvent.click(await screen.findByRole("treeitem", { name: /^Plan/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Edit the plan" }));
  const box = screen.getByRole("textbox", { name: "Plan" });
  // Steps are called as in the graph.
  expect(
    screen.getByText(/^Runs again: SQL, Final check, Result\..* Kept: Schema, Question,.* Chosen tables\.$/),
  ).toBeTruthy();
  await userEvent.clear(box);
  await userEvent.type(box, "Read orders");
  await userEvent.click(screen.getByRole("button", { name: "Run from here" }));
  expect(await within(screen.getByRole("main")).findByText("Changed: the plan")).toBeTruthy();
  const { route } = useRoute.getState();
  const next = route.page === "run" ? route.runId : null;
  expect(next).not.toBe("r1");
  await waitFor(() => expect(screen.getByRole("img", { name: "Changed from an earlier run" })).toBeTruthy());
  // Both runs have one question: what was changed tells them apart.
  const entry = document.querySelector<HTMLElement>(`[data-run="${next}"]`)!;
  expect(within(entry).getByText("Changed: the plan")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Compare with the earlier run" }));
  const facts = await screen.findByRole("table", { name: "How they ran" });
  expect(within(facts).getByRole("row", { name: /^Model calls/ })).toBeTruthy();
  expect(screen.getByText(/The results are the same/)).toBeTruthy();

  // The earlier run says what came of it.
  navigate({ page: "run", runId: "r1", tab: "answer" });
  const branches = within(await screen.findByRole("region", { name: "Runs that continue this one" }));
  await userEvent.click(await branches.findByRole("button", { name: "the plan" }));
  expect(useRoute.getState().route).toMatchObject({ page: "run", runId: next });
});

it("a run that has ended is replayed, and nothing is edited meanwhile", async () => {
  navigate({ page: "run", runId: "r1", tab: "graph", face: "work", form: "outline" });
  await screen.findByRole("treeitem", { name: /^Plan/ });
  await userEvent.click(await screen.findByRole("button", { name: "Replay" }));
  expect(screen.queryByRole("treeitem", { name: /^Plan/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Next stage" }));
  expect(screen.getAllByRole("treeitem")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /^Edit (?!question)/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "End replay" }));
  expect(await screen.findByRole("treeitem", { name: /^Plan/ })).toBeTruthy();
});

it("two runs of the history are chosen and put side by side", async () => {
  navigate({ page: "compare", left: "r1", right: null });
  expect(await screen.findByText("Choose the second run.")).toBeTruthy();
  // Another first run waits for the second one, too.
  await userEvent.click(screen.getByRole("combobox", { name: "First run" }));
  await userEvent.click((await screen.findAllByRole("option"))[1]!);
  await waitFor(() => expect(useRoute.getState().route).toMatchObject({ page: "compare", right: null }));
  expect(screen.getByText("Choose the second run.")).toBeTruthy();
  expect(host.calls.filter(([name]) => name === "compareRuns")).toEqual([]);
  navigate({ page: "compare", left: "r1", right: "r3" });
  expect(await screen.findByText(/^Rows compared by/)).toBeTruthy();
  expect(screen.getByText("48120.50")).toBeTruthy();
});
