// What is being opened can be stopped, wherever that was begun: in the dialog, on the page of connections, by a question.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SHOP } from "../../../test/fake/connections";
import { SAMPLE } from "../../../test/fake/data";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";
import { openWarehouse, useConnections } from "./state";

const NOWHERE = "sqlite:/nowhere.db";
const SILENT = "postgresql://ann@db.silent/shop";

test("the dialog stops by its button and by Escape, and stays", async () => {
  const user = userEvent.setup();
  const host = await start({ silent: [SILENT] });
  const stops = () => host.calls.filter(([name, [uri]]) => name === "stopOpening" && uri === SILENT).length;
  useConnections.setState({ dialog: true });
  const dialog = within(await screen.findByRole("dialog", { name: "Open warehouse" }));
  await user.type(dialog.getByLabelText("Path"), `${SILENT}{Enter}`);
  expect((await dialog.findByRole("status")).textContent).toBe(`Opening ${SILENT}. Waiting for the server.`);
  await user.click(dialog.getByRole("button", { name: "Stop" }));
  expect(stops()).toBe(1);
  expect(dialog.queryByRole("status")).toBeNull();
  expect(dialog.getByLabelText<HTMLInputElement>("Path").value).toBe(SILENT);
  expect(dialog.queryByRole("alert")).toBeNull();

  await user.click(dialog.getByRole("button", { name: "Open" }));
  await dialog.findByRole("button", { name: "Stop" });
  await user.keyboard("{Escape}");
  expect(stops()).toBe(2);
  expect(screen.getByRole("dialog", { name: "Open warehouse" })).toBeDefined();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(useConnections.getState().current?.uri).toBe(SAMPLE);
  expect(useConnections.getState().failure).toBeNull();
});

test("on the page of connections the button that opens stops", async () => {
  const user = userEvent.setup();
  const host = await start({ silent: [SHOP.address] });
  navigate({ page: "connections", uri: null });
  const list = within(await screen.findByRole("list", { name: "Connections" }));
  await user.click(within(list.getByText("Shop").closest("li")!).getByRole("button", { name: "Open" }));
  await user.click(await list.findByRole("button", { name: "Stop" }));
  expect(list.queryByRole("button", { name: "Stop" })).toBeNull();
  // Without the mouse.
  await user.click(within(list.getByText("Shop").closest("li")!).getByRole("button", { name: "Open" }));
  await list.findByRole("button", { name: "Stop" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(list.queryByRole("button", { name: "Stop" })).toBeNull());
  expect(host.calls.filter(([name]) => name === "stopOpening")).toEqual([
    ["stopOpening", [SHOP.address]],
    ["stopOpening", [SHOP.address]],
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a question that waits is stopped with the opening, stays in its box and goes to no other data", async () => {
  const user = userEvent.setup();
  const host = await start({ silent: [SILENT] });
  void openWarehouse(SILENT);
  await user.type(await screen.findByLabelText("Question"), "How many orders?{Enter}");
  expect(await screen.findByText(/The question starts when it is open/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.queryByText(/The question starts when it is open/)).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>("Question").value).toBe("How many orders?");
  expect(host.calls.some(([name]) => name === "ask")).toBe(false);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a question that waits for what does not open stays in its box with the reason and goes to no other data", async () => {
  const user = userEvent.setup();
  const host = await start();
  expect(useConnections.getState().current?.uri).toBe(SAMPLE);
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const { openWarehouse: open } = host;
  host.openWarehouse = async (uri) => {
    if (uri === NOWHERE) await refused;
    return open(uri);
  };
  void openWarehouse(NOWHERE);
  await user.type(await screen.findByLabelText("Question"), "How many orders?{Enter}");
  expect(await screen.findByText(/The question starts when it is open/)).toBeDefined();
  refuse();
  expect(await screen.findByText(/Your question was not asked/)).toBeDefined();
  expect((await screen.findByRole("alert")).textContent).toContain("/nowhere.db");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Question").value).toBe("How many orders?");
  expect(host.calls.some(([name]) => name === "ask")).toBe(false);
  // The reason goes once something opens, and the question can be asked then.
  await openWarehouse(SAMPLE);
  await waitFor(() => expect(screen.queryByText(/Your question was not asked/)).toBeNull());
  await user.type(screen.getByLabelText("Question"), "{Enter}");
  await waitFor(() => expect(host.calls.filter(([name]) => name === "ask")).toHaveLength(1));
});

test("opening something else gives up what was being opened", async () => {
  const host = await start({ silent: [SILENT] });
  const first = openWarehouse(SILENT);
  expect(await openWarehouse(SAMPLE)).toBe(true);
  expect(await first).toBe(false);
  expect(host.calls).toContainEqual(["stopOpening", [SILENT]]);
  expect(useConnections.getState()).toMatchObject({ opening: null, failure: null });
});

test("what is opened is called by its name, the sample also where it has none yet", async () => {
  const host = await start();
  host.openWarehouse = () => new Promise(() => {});
  act(() => useConnections.setState({ entries: [], current: null }));
  act(() => void openWarehouse(SAMPLE));
  expect(await screen.findByText("Sample warehouse", { selector: "[role=status] *" })).toBeTruthy();
});
