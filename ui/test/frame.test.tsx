// The frame of the window: the heading of a run, where the focus goes, what is told to those who hear the page.

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { useAsk } from "../src/features/ask/state";
import { useConnections } from "../src/features/connections/state";
import { navigate } from "../src/navigation/route";
import { setWidth, startUi, useUi } from "../src/navigation/uiState";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

/** The window of the test has this width. */
const widen = (width: number) =>
  act(() =>
    (window as unknown as { happyDOM: { setViewport(to: object): void } }).happyDOM.setViewport({
      width,
      height: 800,
    }),
  );

const asked = () =>
  host.calls.filter(([name]) => name === "ask").map(([, [request]]) => request) as {
    settings: { strategy: string };
  }[];

describe("the question of a run", () => {
  it("is the heading, and is asked again with the run's own method unless another is chosen", async () => {
    act(() => useAsk.setState({ strategy: "dsr-sql" }));
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await screen.findByText("18,462");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "How many customers ordered something in 2025?",
    );
    expect(screen.getByTitle(/^Fast/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
    expect(screen.getByRole("combobox", { name: /Method/ }).textContent).toContain("Fast");
    await userEvent.type(screen.getByLabelText("Question"), " Please.{Enter}");
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(asked()[0]!.settings.strategy).toBe("direct");
    await userEvent.click(screen.getByRole("button", { name: /New question/ }));
    expect(screen.getByRole("combobox", { name: /Method/ }).textContent).toContain("DSR-SQL");
  });

  it("goes into the box by the slash key", async () => {
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await screen.findByText("18,462");
    await userEvent.keyboard("/");
    expect(document.activeElement).toBe(await screen.findByLabelText("Question"));
  });
});

it("puts the focus on the question once it is asked", async () => {
  await userEvent.type(screen.getByLabelText("Question"), "How many customers?{Enter}");
  await screen.findByText("18,462");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
});

it("tells the answer, and nothing of a run that had ended before", async () => {
  const told = () => screen.getByRole("status", { name: "Question progress" }).textContent;
  act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
  await screen.findByRole("grid", { name: "Answer" });
  expect(told()).toBe("");
  act(() => navigate({ page: "ask" }));
  await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
  await waitFor(() => expect(told()).toMatch(/^Answer: Harbour Sofa, 3 seats has the highest revenue: 184,230.40/));
});

it("has a heading of the first level where there is nothing to show, too", async () => {
  const one = () => expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
  act(() => navigate({ page: "saved", id: "none" }));
  await screen.findByText("This saved question no longer exists");
  one();
  act(() => useConnections.setState({ current: null }));
  act(() => navigate({ page: "tables" }));
  await screen.findByText("No warehouse is open");
  one();
});

it("remembers the width of the sidebar, within its limits", async () => {
  const width = () => screen.getByRole("separator", { name: "Sidebar width" }).getAttribute("aria-valuenow");
  act(() => setWidth(300));
  expect(width()).toBe("300");
  await waitFor(() =>
    expect(host.calls.some(([name, given]) => name === "setPreference" && given[0] === "sidebar.width")).toBe(true),
  );
  act(() => useUi.setState(useUi.getInitialState()));
  expect(width()).toBe("248");
  widen(1280);
  await act(() => startUi());
  expect(width()).toBe("300");
  act(() => setWidth(5000));
  expect(width()).toBe("440");
});

it("the sidebar gives its room to the page below 1100 pixels, unless the user wants it there, too", async () => {
  const isOpen = () => screen.queryByRole("separator", { name: "Sidebar width" }) !== null;
  widen(1100);
  await act(() => startUi());
  expect(isOpen()).toBe(true);
  widen(1099);
  await waitFor(() => expect(isOpen()).toBe(false));
  await userEvent.keyboard("{Control>}b{/Control}");
  expect(isOpen()).toBe(true);
  // What was wanted of a narrow window holds after a start, and says nothing of a wide one.
  act(() => useUi.setState(useUi.getInitialState()));
  await act(() => startUi());
  await waitFor(() => expect(isOpen()).toBe(true));
  await userEvent.keyboard("{Control>}b{/Control}");
  widen(1280);
  await waitFor(() => expect(isOpen()).toBe(true));
});

it("the question box calls the program's own model by where it works, and has a border that can be seen", async () => {
  const model = screen.getByRole("combobox", { name: "Model" });
  expect(model.textContent).toBe("Local model");
  await userEvent.click(model);
  expect(await screen.findByRole("option", { name: /^Local model ?Qwen.*\. Default/ })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByLabelText("Question").closest(".border-edge")).toBeTruthy();
});
