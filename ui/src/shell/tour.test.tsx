// The tour of the first start: three cards over the real window, which end as soon as the person works.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { navigate, useRoute } from "../navigation/route";

let host: FakeHost;

const card = (name: RegExp) => screen.findByRole("dialog", { name });
const none = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const asked = () =>
  host.calls.filter(([name]) => name === "ask").map(([, [request]]) => request) as { question: string }[];

describe("on the first start", () => {
  beforeEach(async () => {
    host = await start({ fresh: true });
  });

  it("leads from the question over the answer to what is behind it", async () => {
    const first = await card(/Ask in your own words/);
    expect(within(first).getByRole("img", { name: "Step 1 of 3" })).toBeTruthy();
    const next = within(first).getByRole("button", { name: "Next" });
    await waitFor(() => expect(document.activeElement).toBe(next));
    await userEvent.keyboard("{Enter}");
    await card(/how certain it is/);
    expect(asked().map((request) => request.question)).toEqual(["How many customers ordered something in 2025?"]);
    expect(useRoute.getState().route.page).toBe("run");
    await screen.findByText("18,462");
    await userEvent.click(screen.getByRole("button", { name: "Next" }));
    await card(/Explore and save it/);
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    await none();
  });

  it("ends when the person just types, and what was typed stands in the box", async () => {
    await card(/Ask in your own words/);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Next"));
    await userEvent.keyboard("Which stores");
    await none();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Question").value).toBe("Which stores");
  });

  it("ends with Escape, and is not shown again", async () => {
    await card(/Ask in your own words/);
    await userEvent.keyboard("{Escape}");
    await none();
    await act(() => start({}, host));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("ends where the person goes to another page, and where a dialog opens", async () => {
    await card(/Ask in your own words/);
    act(() => navigate({ page: "tables" }));
    await none();
    act(() => navigate({ page: "ask" }));
    await none();
  });

  it("ends where the person works with another part of the page, and stays while its own part is used", async () => {
    await card(/Ask in your own words/);
    await userEvent.keyboard("{Enter}");
    await card(/how certain it is/);
    await userEvent.click(await screen.findByRole("button", { name: "Hide reasons" }));
    expect(screen.getByRole("dialog")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
    await none();
  });

  it("leaves the shortcuts as they are", async () => {
    await card(/Ask in your own words/);
    await userEvent.keyboard("{Control>},{/Control}");
    expect(useRoute.getState().route.page).toBe("settings");
    await none();
  });
});

describe("later", () => {
  beforeEach(async () => {
    host = await start();
  });

  it("is not offered to somebody who has asked before", async () => {
    await screen.findByRole("heading", { name: "What would you like to know?" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("begins from the palette, and shows an answer that is there", async () => {
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByRole("combobox", { name: /Search commands/ }), "tour{Enter}");
    const first = await card(/Ask in your own words/);
    await userEvent.click(within(first).getByRole("button", { name: "Next" }));
    await card(/how certain it is/);
    expect(asked()).toEqual([]);
  });

  it("begins from Help", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Help" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Take the tour" }));
    await card(/Ask in your own words/);
  });
});
