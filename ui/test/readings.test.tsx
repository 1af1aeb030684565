// A question that can be read in several ways: the run waits, says so everywhere, and remembers what was chosen.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { go, useRoute } from "../src/app/route";
import { watchWaiting } from "../src/app/waiting";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

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
      screen.getByRole("button", { name: /^2.*Gives count\(DISTINCT cust_id\), uses orders.*18,462/ }),
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
    expect(told.textContent).toContain("Read as: Gives count(DISTINCT cust_id), uses orders, only order_dt");
    expect(told.textContent).toContain("You chose this interpretation.");
    expect(within(told).getByRole("button", { name: /uses customers.*21,350/ })).toBeTruthy();
    expect(within(told).getByRole("button", { name: /24 rows/ })).toBeTruthy();
    expect(within(told).getAllByRole("button")).toHaveLength(3);
  });

  it("can be changed: the question is asked again, with the other meaning among its definitions", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    await userEvent.click(within(await reading()).getByRole("button", { name: "Change" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Ask again: Uses customers" }));
    const requests = () => host.calls.filter(([name]) => name === "ask").map(([, [request]]) => request);
    await waitFor(() => expect(requests()).toHaveLength(2));
    const [first, again] = requests() as { question: string; knowledge: string | null }[];
    expect(again!.question).toBe(first!.question);
    expect(first!.knowledge).toBeNull();
    expect(again!.knowledge).toContain("What the question means: Uses customers. Not meant: Gives count(");
  });

  it("is Vitrine's where the choice was handed back", async () => {
    await asked();
    await userEvent.click(screen.getByRole("button", { name: "Let Vitrine choose" }));
    expect((await reading()).textContent).toMatch(/Read as: Uses customers.*You let Vitrine choose/);
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
    expect(history.getByRole("button", { name: /Needs you/ })).toBeTruthy();
    expect(screen.queryByText("Vitrine is waiting for your choice.")).toBeNull();
    act(() => go({ page: "tables" }));
    expect(await screen.findByText("Vitrine is waiting for your choice.")).toBeTruthy();
    await act(() => host.chooseReading(route.runId, 1));
    await waitFor(() => expect(screen.queryByText("Vitrine is waiting for your choice.")).toBeNull());
    expect(history.queryByRole("button", { name: /Needs you/ })).toBeNull();
    stop();
  });

  it("is known again after a reload", async () => {
    await asked();
    const { useRuns, loadRuns } = await import("../src/features/runs/state");
    act(() => go({ page: "tables" }));
    act(() => useRuns.setState({ logs: {} }));
    await act(() => loadRuns(""));
    const history = within(screen.getByRole("region", { name: "History" }));
    expect(await history.findByRole("button", { name: /Needs you/ })).toBeTruthy();
  });
});
