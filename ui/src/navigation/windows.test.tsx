// Several windows over one workspace: one is opened at a page, and what another has changed is read again.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { rememberDrafts, useAsk } from "../features/ask/state";
import { useGridLayouts } from "../features/grid/layoutStore";
import { usePanes } from "../kit/panes";
import { useTheme } from "../kit/theme";
import { useToasts } from "../kit/toast";
import { navigate } from "./route";
import { keepInStep } from "./windows";

let host: FakeHost;
let stop = () => {};
beforeEach(async () => {
  host = await start();
  stop = keepInStep();
});
afterEach(() => stop());

const opened = () => host.calls.filter(([name]) => name === "openWindow").map(([, [page]]) => page);
const comeBack = () => act(async () => void window.dispatchEvent(new Event("focus")));

it("opens at the start page by its keys, from the palette at the page that is shown", async () => {
  await userEvent.keyboard("{Control>}{Shift>}N{/Shift}{/Control}");
  expect(opened()).toEqual(["#/"]);
  act(() => navigate({ page: "tables" }));
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByRole("combobox", { name: /Search commands/ }), "this page in{Enter}");
  expect(opened()).toEqual(["#/", "#/tables"]);
});

it("opens at a run, from its page and from the history", async () => {
  act(() => navigate({ page: "run", runId: "r1", tab: "graph" }));
  const page = within(document.getElementById("page")!);
  await userEvent.click(await page.findByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Open in new window" }));
  const entry = document.querySelector<HTMLElement>('[data-run="r3"]')!;
  act(() => entry.focus());
  await userEvent.keyboard("{ArrowRight}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Open in new window" }));
  expect(opened()).toEqual(["#/run/r1/graph", "#/run/r3"]);
});

it("says why no window opens", async () => {
  Object.assign(host, { openWindow: () => Promise.reject({ code: "usage", message: "16 windows are open." }) });
  await userEvent.keyboard("{Control>}{Shift>}N{/Shift}{/Control}");
  await waitFor(() => expect(useToasts.getState().items.map((t) => t.title)).toEqual(["16 windows are open."]));
});

it("shows the run that another window asked, as it ends", async () => {
  const before = screen.getAllByText(/How many customers/, { selector: "[data-run] span" }).length;
  // Not through this window: only its events arrive here.
  const settings = { strategy: "direct", model: null } as never;
  const request = {
    warehouse: "x",
    question: "How many customers are new?",
    knowledge: null,
    settings,
    follows: null,
  };
  await act(() => host.ask(request as never));
  await waitFor(() =>
    expect(screen.getAllByText(/How many customers/, { selector: "[data-run] span" }).length).toBeGreaterThan(before),
  );
});

it("has what another window changed once it gets the focus", async () => {
  await userEvent.type(screen.getByLabelText("Question"), "Half a question");
  act(() => rememberDrafts());
  await host.nameRun("r3", "Customers of the year");
  await host.setPreference("theme", "dark");
  await host.setPreference("ask.drafts", JSON.stringify({ "run:r1": { text: "And in Spain?", knowledge: "" } }));
  await comeBack();
  await screen.findByText("Customers of the year", { selector: "[data-run] span" });
  expect(useTheme.getState().dark).toBe(true);
  await waitFor(() => expect(useAsk.getState().drafts["run:r1"]?.text).toBe("And in Spain?"));
  expect(useAsk.getState().text).toBe("Half a question");
  expect(Object.values(useAsk.getState().drafts).map((draft) => draft.text)).toContain("Half a question");
});

it("is called by what is on its page", async () => {
  expect(document.title).toBe("Vitrine");
  act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
  await waitFor(() => expect(document.title).toBe("How many customers ordered something in 2025? - Vitrine"));
  act(() => navigate({ page: "settings", tab: "models" }));
  expect(document.title).toBe("Settings - Vitrine");
});

it("takes over how panes and grids were arranged in another window", async () => {
  const signature = JSON.stringify(["r1", ["city", "text"], ["year", "integer"]]);
  await host.setPreference("panes", '{"detail":444}');
  await host.setPreference("grid.looks", JSON.stringify({ [signature]: { frozen: 1 } }));
  await comeBack();
  await waitFor(() => expect(usePanes.getState().sizes).toEqual({ detail: 444 }));
  expect(useGridLayouts.getState().kept).toEqual({ [signature]: { frozen: 1 } });
});
