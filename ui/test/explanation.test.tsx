// An answer's query, taken apart.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { go } from "../src/app/route";
import { useExplanations } from "../src/features/explain/state";
import { EXPLAINED } from "./fake/explained";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  useExplanations.setState({ entries: {} });
  host = await start();
});

const show = () => act(() => go({ page: "run", runId: "r1", tab: "explanation" }));
const section = async (name: string) => within(await screen.findByRole("region", { name }));

describe("the explanation of an answer", () => {
  it("says what was asked of the data, step by step, with rows and what is worth asking", async () => {
    show();
    expect((await section("What was asked of the data")).getByText("Keeps the first 5 rows")).toBeTruthy();
    const steps = await section("Step by step");
    expect(steps.getAllByRole("listitem").length).toBeGreaterThanOrEqual(EXPLAINED.steps.length);
    expect(steps.getByText("12,874 rows")).toBeTruthy();
    expect(steps.getByText("Run, and the same result")).toBeTruthy();
    expect((await section("Worth asking")).getByText(/have no partner in orders/)).toBeTruthy();
    expect(steps.getByText("Shows 5 of 61 rows.")).toBeTruthy();
    expect((await section("Tables and columns")).getByText("filtered by")).toBeTruthy();
  });

  it("is asked of the host once", async () => {
    show();
    await section("Step by step");
    act(() => go({ page: "run", runId: "r1", tab: "answer" }));
    show();
    await section("Step by step");
    expect(host.calls.filter(([name]) => name === "explain")).toHaveLength(1);
  });

  it("opens the rows of a step in the editor", async () => {
    show();
    const steps = await section("Step by step");
    await userEvent.click(steps.getAllByRole("button", { name: "Show these rows" })[1]!);
    await waitFor(() => expect(screen.getByRole("tab", { name: "SQL" }).getAttribute("aria-selected")).toBe("true"));
    expect((await screen.findByRole("textbox", { name: "SQL" })).textContent).toContain("s1_orders JOIN order_lines");
  });

  it("says what is wrong and asks again on request", async () => {
    const explain = host.explain;
    host.explain = () => Promise.reject({ code: "query", message: "The database is gone", hint: null, detail: null });
    show();
    expect(await screen.findByText("The database is gone")).toBeTruthy();
    host.explain = explain;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await section("Step by step")).toBeTruthy();
  });
});
