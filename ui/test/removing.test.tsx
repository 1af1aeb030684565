// What is removed can be taken back, and is gone only when that is over.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showOpenDialog, takeOffList, useConnections } from "../src/features/connections/state";
import { deleteRemote, removeModel, removePython, useSettings } from "../src/features/settings/state";
import { AppFailure } from "../src/host/host";
import { navigate } from "../src/navigation/route";
import { SERVER } from "./fake/host";
import { start } from "./start";

afterEach(() => vi.useRealTimers());

const UNDO_IS_OVER = 3_600_000;

async function recent() {
  const host = await start();
  const known = await host.warehouses();
  const shop = known.find((entry) => entry.uri === SERVER.uri)!;
  const file = { ...shop, uri: "duckdb:/data/stock.duckdb", title: "stock", kind: "duckdb" as const };
  act(() => useConnections.setState({ entries: [...known, file] }));
  act(() => showOpenDialog(true));
  const dialog = within(await screen.findByRole("dialog"));
  const row = (title: string) =>
    within(dialog.getAllByRole("listitem").find((item) => item.textContent?.includes(title))!);
  const forgotten = () => host.calls.filter(([name]) => name === "forgetWarehouse").map(([, [uri]]) => uri);
  return { host, dialog, row, forgotten };
}

test("a warehouse off the list is forgotten when the dialog is closed, and kept where that is taken back", async () => {
  const user = userEvent.setup();
  const { dialog, row, forgotten } = await recent();
  await user.click(row("Shop").getByRole("button", { name: "Remove from list" }));
  await user.click(row("stock").getByRole("button", { name: "Remove from list" }));
  expect(row("Shop").getByText(/saved password/)).toBeTruthy();
  expect(row("stock").queryByText(/saved password/)).toBeNull();
  const undo = row("stock").getByRole("button", { name: "Keep stock" });
  await waitFor(() => expect(document.activeElement).toBe(undo));
  expect(forgotten()).toEqual([]);

  await user.click(undo);
  expect(row("stock").getByRole("button", { name: "Remove from list" })).toBe(document.activeElement);
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(forgotten()).toEqual([SERVER.uri]));
  expect(useConnections.getState().leaving).toEqual([]);
});

test("a warehouse that could not be forgotten is open as before", async () => {
  const user = userEvent.setup();
  const { host, dialog } = await recent();
  const { current } = useConnections.getState();
  host.forgetWarehouse = async () => {
    throw new AppFailure({ code: "internal", message: "The disk is full.", hint: null, detail: null });
  };
  act(() => takeOffList(current!.uri));
  await user.click(dialog.getByRole("button", { name: "Close" }));
  expect(await screen.findByText(/The disk is full/)).toBeTruthy();
  expect(useConnections.getState().current).toEqual(current);
});

test("a model or Python being removed says so, stays when that is undone, and goes when the undo is over", async () => {
  const host = await start();
  const called = (name: string) => host.calls.filter(([other]) => other === name).map(([, args]) => args);
  await act(async () => {
    await host.setRemoteModel({ ...REMOTE }, "key");
    useSettings.setState({ remotes: await host.remoteModels() });
  });
  act(() => navigate({ page: "settings", tab: "models" }));
  const row = async () => (await screen.findByText("gpt for tests")).closest("li")!;
  const user = userEvent.setup();
  await user.click(within(await row()).getByRole("button", { name: "More for gpt for tests" }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
  const marked = within(await row()).getByText("Being removed");
  await waitFor(() => expect(document.activeElement).toBe(marked));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(within(await row()).getByRole("button", { name: "More for gpt for tests" })).toBeTruthy();
  expect(called("deleteRemoteModel")).toEqual([]);

  vi.useFakeTimers();
  act(() => {
    deleteRemote(REMOTE);
    removeModel({ id: "qwen2.5-coder-1.5b", title: "Qwen" });
    removeModel({ id: "qwen2.5-coder-1.5b", title: "Qwen" });
    removePython();
  });
  await act(() => vi.advanceTimersByTimeAsync(UNDO_IS_OVER));
  expect(called("deleteRemoteModel")).toEqual([[REMOTE.id]]);
  expect(called("removeModel")).toEqual([["qwen2.5-coder-1.5b"]]);
  expect(called("removePython")).toHaveLength(1);
  expect(useSettings.getState().removing).toEqual([]);
});

const REMOTE = {
  id: "openai:gpt-for-tests",
  title: "gpt for tests",
  provider: "openai" as const,
  baseUrl: "https://api.openai.com/v1",
  model: "gpt-for-tests",
  contextTokens: 0,
  hasKey: false,
};
