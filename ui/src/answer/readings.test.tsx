// A question that can be read in several ways: the run waits, says so everywhere, and remembers what was chosen.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { navigate, useRoute } from "../navigation/route";
import { watchWaiting } from "../run/waitingNotice";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

async function asked() {
  await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
  await screen.findByRole("heading", { name: "Which do you mean?" });
  const { route } = useRoute.getState();
  if (route.page !== "run") throw new Error("not on the question");
  return route;
}
const tab = (name: RegExp) => userEvent.click(screen.getByRole("tab", { name }));
const reading = () => screen.findByRole("region", { name: "Interpretation of the question" });

describe("each choice", () => {
  it("is headed by what it means; the result is second, the SQL one click further", async () => {
    await asked();
    expect(
      screen.getByRole("button", { name: /^2.*Number of different customers, from orders.*18,462/ }),
    ).toBeTruthy();
    expect(screen.queryByText(/COUNT/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "SQL of choice 2" }));
    expect(screen.getByText("COUNT")).toBeTruthy();
  });
});

describe("the reading that was taken", () => {
  it("is told at the answer, with who chose it and what the others were", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    const told = await reading();
    expect(told.textContent).toContain(
      "Interpreted as: Number of different customers, from orders, only where order dt",
    );
    expect(told.textContent).toContain("You chose this interpretation.");
    expect(within(told).getByRole("button", { name: /rows of customers.*21,350/ })).toBeTruthy();
    expect(within(told).getByRole("button", { name: /24 rows/ })).toBeTruthy();
    expect(within(within(told).getByRole("list")).getAllByRole("button")).toHaveLength(2);
  });

  it("can be changed: the other one is answered by its recorded query", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    const region = await reading();
    await userEvent.click(await within(region).findByRole("button", { name: "Change" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Number of rows of customers" }));
    const reruns = () => host.calls.filter(([name]) => name === "rerun").map(([, args]) => args);
    await waitFor(() => expect(reruns()).toHaveLength(1));
    expect(reruns()[0]![1]).toEqual([{ kind: "reading", candidate: 1 }]);
    await waitFor(async () =>
      expect((await reading()).textContent).toContain("Interpreted as: Number of rows of customers"),
    );
    expect(
      await within(screen.getByRole("main")).findByText("Changed: the interpretation of the question"),
    ).toBeTruthy();
    expect(host.calls.filter(([name]) => name === "ask")).toHaveLength(1);
  });

  it("is remembered: asked again, the question is read so and says when that was chosen, until it is forgotten", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    expect(await within(await reading()).findByText(/Saved for this question/)).toBeTruthy();
    act(() => navigate({ page: "ask" }));
    await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
    await waitFor(async () =>
      expect((await reading()).textContent).toContain("You chose this for this question on 20 Nov 2026"),
    );
    expect(screen.queryByRole("heading", { name: "Which do you mean?" })).toBeNull();
    await userEvent.click(await within(await reading()).findByRole("button", { name: "Forget" }));
    expect(await screen.findByText("Interpretation forgotten")).toBeTruthy();
    await waitFor(async () => expect(within(await reading()).queryByRole("button", { name: "Forget" })).toBeNull());
    expect(document.activeElement).not.toBe(document.body);
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(await within(await reading()).findByRole("button", { name: "Forget" })).toBeTruthy();
  });

  it("is Vitrine's where the choice was handed back", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: "Let Vitrine choose" }));
    expect((await reading()).textContent).toMatch(
      /Interpreted as: Number of rows of customers.*Vitrine chose this interpretation for you/,
    );
  });

  it("is told in the steps and at its node", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    await reading();
    await tab(/Graph/);
    await userEvent.click(await screen.findByRole("radio", { name: "Run" }));
    await userEvent.click(screen.getByRole("radio", { name: "Outline" }));
    const step = await screen.findByRole("treeitem", { name: /You chose interpretation 2 of 3/ });
    await userEvent.click(step);
    const detail = screen.getByRole("heading", { name: "Interpretations" }).closest("section")!;
    expect(detail.textContent).toContain("You chose this interpretation.");
    const items = within(detail).getAllByRole("listitem");
    expect(items).toHaveLength(3);
    expect(items.filter((item) => item.textContent!.includes("your choice"))).toEqual([items[1]]);
  });
});

describe("a run that waits for a choice", () => {
  it("says so on the other tabs, and leads back", async () => {
    await asked();
    await tab(/Graph/);
    expect(screen.getByRole("tab", { name: /Waiting for your choice/ })).toBeTruthy();
    expect(await screen.findByText(/is waiting for your choice: the question has 3 interpretations/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Choose" }));
    expect(await screen.findByRole("heading", { name: "Which do you mean?" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Choose" })).toBeNull();
  });

  it("says so in the history and on other pages, until it goes on", async () => {
    const stop = watchWaiting();
    const route = await asked();
    const history = within(screen.getByRole("region", { name: "History" }));
    expect(history.getByRole("button", { name: /Waiting for you/ })).toBeTruthy();
    expect(screen.queryByText("Vitrine is waiting for your choice.")).toBeNull();
    act(() => navigate({ page: "tables" }));
    expect(await screen.findByText("Vitrine is waiting for your choice.")).toBeTruthy();
    await act(() => host.chooseReading(route.runId, 1));
    await waitFor(() => expect(screen.queryByText("Vitrine is waiting for your choice.")).toBeNull());
    expect(history.queryByRole("button", { name: /Waiting for you/ })).toBeNull();
    stop();
  });

  it("is known again after a reload", async () => {
    await asked();
    const { useRuns, loadRuns } = await import("../features/runs/state");
    act(() => navigate({ page: "tables" }));
    act(() => useRuns.setState({ logs: {} }));
    await act(() => loadRuns(""));
    const history = within(screen.getByRole("region", { name: "History" }));
    expect(await history.findByRole("button", { name: /Waiting for you/ })).toBeTruthy();
  });
});
