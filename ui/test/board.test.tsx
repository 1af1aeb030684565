// The board: saved answers together, which refresh one after another.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { putOnBoard, readIds, useBoard } from "../src/features/saved/board";
import { useSaved } from "../src/features/saved/state";
import { AppFailure } from "../src/host/host";
import { navigate, useRoute } from "../src/navigation/route";
import { paletteItems } from "../src/shell/commands";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});
const called = (name: string) => host.calls.filter(([own]) => own === name).map(([, args]) => args);
const show = (...ids: string[]) => {
  act(() => {
    for (const id of ids) putOnBoard(id, true);
    navigate({ page: "board" });
  });
};
const card = async (title: string) => within((await screen.findByRole("button", { name: title })).closest("li")!);

describe("the board", () => {
  it("is empty at first, and saved answers are added and taken off", async () => {
    show();
    await screen.findByText("Nothing on the board yet");
    await userEvent.click(screen.getByRole("button", { name: "Saved answers" }));
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Top products by revenue, 2024" }));
    await userEvent.keyboard("{Escape}");
    await card("Top products by revenue, 2024");
    expect(await host.preference("board")).toBe('["s1"]');
    await userEvent.click(screen.getByRole("button", { name: "Take Top products by revenue, 2024 off the board" }));
    expect(await screen.findByText("Nothing on the board yet")).toBeTruthy();
    expect(await host.preference("board")).toBe("[]");
  });

  it("shows the sentence, how sure it was and its age, and runs nothing by itself", async () => {
    show("s1", "s2");
    const top = await card("Top products by revenue, 2024");
    expect(await top.findByText(/has the highest revenue/)).toBeTruthy();
    expect(top.getByText(/^As of 20 Nov 2026/)).toBeTruthy();
    expect(top.getByText(/^(From|Where) /)).toBeTruthy();
    expect(await top.findByText("Sure")).toBeTruthy();
    expect((await card("Web share by month")).getByText("No result yet. Refresh it.")).toBeTruthy();
    expect(called("runSaved")).toEqual([]);
  });

  it("refreshes all answers one after another; one that fails keeps its result and stops no other", async () => {
    const run = host.runSaved;
    const order: string[] = [];
    host.runSaved = async (id, values) => {
      order.push(`begin ${id}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`end ${id}`);
      if (id === "s1") {
        throw new AppFailure({ code: "query", message: "no such table", hint: null, detail: null });
      }
      return run(id, values);
    };
    show("s1", "s2");
    await (await card("Top products by revenue, 2024")).findByText(/has the highest revenue/);
    await userEvent.click(screen.getByRole("button", { name: "Refresh all" }));
    await waitFor(() => expect(useBoard.getState().progress).toBeNull());
    expect(order).toEqual(["begin s1", "end s1", "begin s2", "end s2"]);
    const top = await card("Top products by revenue, 2024");
    expect(top.getByText("no such table")).toBeTruthy();
    expect(top.getByText(/has the highest revenue/)).toBeTruthy();
    expect((await card("Web share by month")).queryByText("No result yet. Refresh it.")).toBeNull();
  });

  it("stops refreshing after the one that runs", async () => {
    let go = () => {};
    const run = host.runSaved;
    const begun: string[] = [];
    host.runSaved = async (id, values) => {
      begun.push(id);
      await new Promise<void>((resolve) => (go = resolve));
      return run(id, values);
    };
    show("s1", "s2");
    await userEvent.click(await screen.findByRole("button", { name: "Refresh all" }));
    expect(await screen.findByText("Refreshing 1 of 2")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByText("Stopping after this one")).toBeTruthy();
    await act(async () => go());
    await waitFor(() => expect(useBoard.getState().progress).toBeNull());
    expect(begun).toEqual(["s1"]);
  });

  it("offers no refresh where the database was never opened here", async () => {
    act(() =>
      useSaved.setState(({ list }) => ({ list: list.map((q) => ({ ...q, warehouse: "postgresql://eve@x/y" })) })),
    );
    host.saved = async () => useSaved.getState().list;
    show("s2");
    expect((await card("Web share by month")).getByText("No result yet. Open its database first.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Refresh all" })).toBeNull();
  });

  it("is found in the sidebar and in the palette, and a saved question can be put on it", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Board" }));
    expect(useRoute.getState().route).toEqual({ page: "board" });
    expect(paletteItems().some(({ id }) => id === "board")).toBe(true);
    act(() => navigate({ page: "saved", id: "s1" }));
    await userEvent.click(await screen.findByRole("button", { name: "Add to board" }));
    expect(useBoard.getState().ids).toEqual(["s1"]);
    expect(screen.getByRole("button", { name: "On the board" }).getAttribute("aria-pressed")).toBe("true");
  });
});

it("a stored board is read without what is no id", () => {
  expect(readIds('["a",1,"a",null,"b"]')).toEqual(["a", "b"]);
  expect(readIds("{")).toEqual([]);
  expect(readIds(null)).toEqual([]);
});
