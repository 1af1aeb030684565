// The palette: everything that the window can do, by name.

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { loadRuns, renameRun, showRunsOf } from "../features/runs/state";
import { useSaved } from "../features/saved/state";
import { SETTINGS_PAGES } from "../features/settings/SettingsPage";
import { navigate, useRoute } from "../navigation/route";
import { useUi } from "../navigation/uiState";
import { filterItems, paletteItems } from "./commands";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

async function open(typed = "") {
  await userEvent.keyboard("{Control>}k{/Control}");
  const box = await screen.findByRole("combobox", { name: /Search commands/ });
  if (typed !== "") await userEvent.type(box, typed);
}
async function pick(typed: string, name: RegExp | string) {
  await open(typed);
  await userEvent.click(await screen.findByRole("option", { name }));
}
const route = () => useRoute.getState().route;
const called = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);

describe("the settings", () => {
  it("open at the same page by the palette, the keys and the sidebar", async () => {
    const first = { page: "settings", tab: "models" };
    await pick("settings", /^Settings ?Ctrl/);
    expect(route()).toEqual(first);
    act(() => navigate({ page: "ask" }));
    await userEvent.keyboard("{Control>},{/Control}");
    expect(route()).toEqual(first);
    act(() => navigate({ page: "ask" }));
    await userEvent.click(screen.getByRole("button", { name: "Settings" }));
    expect(route()).toEqual(first);
  });

  it("are found page by page, and do not fill the list before anything is typed", async () => {
    expect(paletteItems().filter((item) => item.sought).length).toBe(SETTINGS_PAGES.length);
    await open();
    expect(screen.queryByRole("option", { name: /^Settings:/ })).toBeNull();
    await userEvent.keyboard("{Escape}");
    await pick("costs", "Settings: Costs");
    expect(route()).toEqual({ page: "settings", tab: "costs" });
  });
});

describe("questions", () => {
  it("are found by the names that they were given, and where the sidebar shows others", async () => {
    const { runId } = (await host.history("basket", null, 1, 0))[0]!;
    await act(() => renameRun(runId, "For the board"));
    await act(() => showRunsOf("sqlite:/nowhere"));
    await act(() => loadRuns("something else"));
    await pick("the board", /^For the board/);
    expect(route()).toMatchObject({ page: "run", runId });
    await act(() => showRunsOf(null));
  });

  it("of the whole history stand below the actions before anything is typed", async () => {
    await act(() => loadRuns("something else"));
    await open();
    expect((await screen.findAllByRole("option", { name: /customers|products|basket/i })).length).toBeGreaterThan(0);
  });
});

describe("the run on the page", () => {
  const atRun = async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await screen.findByRole("grid", { name: "Answer" });
  };

  it("has every command of its page", async () => {
    expect(paletteItems().some((item) => item.group === "Run")).toBe(false);
    await atRun();
    const labels = paletteItems().flatMap((item) => (item.group === "Run" ? [item.label] : []));
    expect(labels).toEqual([
      "Show answer",
      "Show data flow",
      "Show run",
      "Show SQL",
      "Show what was sent",
      "Edit question",
      "Start over",
      "Ask a follow-up",
      "Save question",
      "Export rows as CSV",
      "Export rows as Excel",
      "Export rows as Parquet",
      "Export rows as JSON",
      "Evidence bundle…",
      "Export run as JSON",
      "Compare with another run",
      "Replay",
      "Rename",
      "Pin",
      "Delete",
    ]);
  });

  it("is edited in its box, which has the focus", async () => {
    await atRun();
    await pick("edit question", /^Edit question/);
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Question"));
  });

  it("is saved, exported, compared, replayed, renamed, pinned and deleted", async () => {
    await atRun();
    await pick("save question", /^Save question/);
    expect(useSaved.getState().draft?.runId).toBe("r1");
    act(() => useSaved.setState({ draft: null }));
    await pick("rows as excel", "Export rows as Excel");
    await waitFor(() => expect(called("pickSaveFile")[0]?.[0]).toMatch(/\.xlsx$/));
    await pick("sql", /^Show SQL/);
    expect(route()).toMatchObject({ page: "run", tab: "sql" });
    await pick("replay", "Replay");
    expect(await screen.findByRole("button", { name: "End replay" })).toBeTruthy();
    expect(useUi.getState().replay).toBeNull();
    await pick("pin", "Pin");
    await waitFor(() => expect(called("pinRun")).toEqual([["r1", true]]));
    act(() => useUi.setState({ collapsed: true }));
    await pick("rename", "Rename");
    expect(await screen.findByRole("dialog", { name: "Rename question" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await pick("compare", "Compare with another run");
    expect(route()).toEqual({ page: "compare", left: "r1", right: null });
    await atRun();
    await pick("delete", "Delete");
    expect(route()).toEqual({ page: "ask" });
    expect(await screen.findByText("Question deleted.")).toBeTruthy();
  });
});

it("puts what begins with the text first", () => {
  expect(filterItems([{ label: "Browse open tables" }, { label: "Open data" }], "open").map((i) => i.label)).toEqual([
    "Open data",
    "Browse open tables",
  ]);
});
