// The page of the rules, and that a question is asked with what is switched off there.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../../test/fake/host";
import { RULES } from "../../../test/fake/rules";
import { start } from "../../../test/start";
import type { AskRequest } from "../../host/bindings";
import { AppFailure } from "../../host/host";
import { navigate, useRoute } from "../../navigation/route";
import { loadRules } from "./rules";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

const open = () => act(() => navigate({ page: "settings", tab: "rules" }));
const group = async (name: string) => within(await screen.findByRole("region", { name }));
const settingsAsked = async () => {
  act(() => navigate({ page: "ask" }));
  await userEvent.type(screen.getByLabelText("Question"), "How many stores?{Enter}");
  await waitFor(() => expect(host.calls.some(([name]) => name === "ask")).toBe(true));
  return (host.calls.findLast(([name]) => name === "ask")![1][0] as AskRequest).settings;
};

describe("the rules", () => {
  it("are all there, by how far they go, each with its example and what it has to know", async () => {
    open();
    const repairs = await group("Repairs");
    expect(repairs.getByText(/Change a query only if it could not run/)).toBeTruthy();
    expect(repairs.getByText("join-path")).toBeTruthy();
    expect(repairs.getByText("N104")).toBeTruthy();
    expect(repairs.getByRole("listitem").textContent).toContain("JOIN stores AS s ON s.store_id = o.store_id");
    expect((await group("Variants")).getByText("Uses query and catalog, question")).toBeTruthy();
    expect((await group("Findings")).getByText("The question does not say 'shipped'.")).toBeTruthy();
    expect(screen.getAllByRole("listitem").filter((item) => item.id.startsWith("rule-"))).toHaveLength(RULES.length);
  });

  it("are switched off one by one and by group, for the questions that follow and after a restart", async () => {
    expect(await settingsAsked()).toMatchObject({ without: [], withoutRules: [] });
    open();
    await userEvent.click((await group("Repairs")).getByRole("switch", { name: "join-path" }));
    await userEvent.click((await group("Findings")).getByRole("switch", { name: "Findings" }));
    const finding = (await group("Findings")).getByRole("switch", { name: "unmentioned-literal" });
    expect(finding.hasAttribute("data-disabled")).toBe(true);
    cleanup();
    await start({}, host);
    expect(await settingsAsked()).toMatchObject({ without: ["findings"], withoutRules: ["N104"] });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Enable all" }));
    expect(await settingsAsked()).toMatchObject({ without: [], withoutRules: [] });
  });

  it("say why they cannot be shown, and can be tried again", async () => {
    const rules = host.rules;
    host.rules = async () => {
      throw new AppFailure({ code: "internal", message: "No such command.", hint: null, detail: null });
    };
    await act(() => loadRules());
    open();
    expect(await screen.findByText("No such command.")).toBeTruthy();
    host.rules = rules;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("join-path")).toBeTruthy();
  });

  it("are reached by experts from their code at an answer", async () => {
    act(() => navigate({ page: "run", runId: "rules", tab: "answer" }));
    const notes = within(await screen.findByRole("region", { name: "About the query" }));
    expect(notes.queryByRole("button", { name: /^Rule N104/ })).toBeNull();
    act(() => navigate({ page: "settings", tab: "appearance" }));
    await userEvent.click(await screen.findByRole("switch", { name: "Details for experts" }));
    expect(await host.preference("experts.details")).toBe("yes");
    act(() => navigate({ page: "run", runId: "rules", tab: "answer" }));
    const told = within(await screen.findByRole("region", { name: "About the query" }));
    await userEvent.click(told.getByRole("button", { name: "Rule N104, join-path" }));
    expect(useRoute.getState().route).toEqual({ page: "settings", tab: "rules" });
    expect(await screen.findByText("join-path")).toBeTruthy();
  });
});
