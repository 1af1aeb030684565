// Shortcuts are listed in one place, changed by pressing new keys, and shown as they are now.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { navigate, useRoute } from "../navigation/route";
import { useUi } from "../navigation/uiState";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
  act(() => navigate({ page: "settings", tab: "keyboard" }));
});

const row = (title: string) => screen.getByRole("button", { name: new RegExp(`^Change “${title}”`) });
/** The keys that stand there. */
const shown = (title: string) => row(title).textContent!.replace(/^.*: /, "");

it("takes the keys that are pressed, and everything shows them", async () => {
  await userEvent.click(row("Commands"));
  expect(row("Commands").getAttribute("aria-pressed")).toBe("true");
  await userEvent.keyboard("{Control>}p{/Control}");
  expect(shown("Commands")).toBe("Ctrl+P");
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(useUi.getState().palette).toBe(false);
  expect(within(screen.getByRole("button", { name: "Search" })).getByText("P")).toBeTruthy();
  await userEvent.keyboard("{Control>}p{/Control}");
  expect(await screen.findByRole("combobox", { name: /Search commands/ })).toBeTruthy();
});

it("does not run a shortcut while its keys are pressed here, and Escape keeps what was there", async () => {
  await userEvent.click(row("New question"));
  await userEvent.keyboard("{Control>},{/Control}");
  expect(await screen.findByText(/already used for “Settings”/)).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(shown("New question")).toBe("Ctrl+N");
  expect(document.activeElement).toBe(row("New question"));
  expect(useRoute.getState().route).toEqual({ page: "settings", tab: "keyboard" });
});

it("says a conflict, takes the keys over if told to, and gives everything back", async () => {
  await userEvent.click(row("Save question"));
  await userEvent.keyboard("{Control>}b{/Control}");
  expect(screen.getByText("Ctrl+B is already used for “Show or hide sidebar”.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Use it here instead" }));
  expect(shown("Save question")).toBe("Ctrl+B");
  expect(shown("Show or hide sidebar")).toBe("None");
  await userEvent.click(screen.getByRole("button", { name: "Reset “Show or hide sidebar” to Ctrl+B" }));
  expect(shown("Save question")).toBe("None");
  await userEvent.click(screen.getByRole("button", { name: "Reset all" }));
  expect(shown("Save question")).toBe("Ctrl+S");
  expect(screen.queryByRole("button", { name: "Reset all" })).toBeNull();
});

it("refuses keys that text needs, and takes keys away", async () => {
  await userEvent.click(row("Open warehouse"));
  await userEvent.keyboard("{Control>}v{/Control}");
  expect(screen.getByText("Ctrl+V: These keys edit text.")).toBeTruthy();
  await userEvent.keyboard("{Backspace}");
  expect(shown("Open warehouse")).toBe("None");
});

it("types a plain key into a field, and takes it as a shortcut elsewhere", async () => {
  await userEvent.click(row("Show or hide sidebar"));
  await userEvent.keyboard("h");
  expect(shown("Show or hide sidebar")).toBe("H");
  const field = screen.getByRole("textbox", { name: "Search history" });
  await userEvent.type(field, "h");
  expect([(field as HTMLInputElement).value, useUi.getState().collapsed]).toEqual(["h", false]);
  act(() => document.getElementById("page")!.focus());
  await userEvent.keyboard("h");
  expect(useUi.getState().collapsed).toBe(true);
});

it("remembers the keys, and the list of shortcuts leads here", async () => {
  await userEvent.click(row("Settings"));
  await userEvent.keyboard("{Control>}j{/Control}");
  cleanup();
  await start({}, host);
  act(() => document.getElementById("page")!.focus());
  await userEvent.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  expect(within(dialog).getByText("J")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Change keys…" }));
  await waitFor(() => expect(useRoute.getState().route).toEqual({ page: "settings", tab: "keyboard" }));
});
