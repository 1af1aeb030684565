// A question that was begun is there again wherever the person comes back to it.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { SAMPLE } from "../../test/fake/data";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { rememberDrafts } from "../features/ask/state";
import { openWarehouse, useConnections } from "../features/connections/state";
import { navigate } from "../navigation/route";

const CRM = "sqlite:/data/crm/customers.sqlite";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

const edit = () => userEvent.click(screen.getByRole("button", { name: "Edit question" }));
const heading = () => screen.getByRole("heading", { level: 1 }).textContent;
const box = () => screen.getByLabelText<HTMLTextAreaElement>("Question");
const knowledge = () => screen.getByLabelText<HTMLTextAreaElement>("Definitions", { selector: "textarea" });
const page = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const asked = () => host.calls.filter(([name]) => name === "ask").map(([, [request]]) => request);

describe("a new question that was begun", () => {
  it("is there again after other pages, its definitions too", async () => {
    await userEvent.type(box(), "Which stores");
    await page("Definitions");
    await userEvent.type(knowledge(), "a store is open");
    await page("Tables");
    await page("New question");
    expect(box().value).toBe("Which stores");
    expect(knowledge().value).toBe("a store is open");
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await screen.findByRole("grid", { name: "Answer" });
    expect(heading()).toContain("ten best-selling products");
    await page("New question");
    expect(box().value).toBe("Which stores");
  });

  it("belongs to the data that it is about", async () => {
    await userEvent.type(box(), "Which stores");
    await act(() => openWarehouse(CRM));
    expect(box().value).toBe("");
    await userEvent.type(box(), "Which leads");
    await act(() => openWarehouse(SAMPLE));
    expect(box().value).toBe("Which stores");
    await act(() => openWarehouse(CRM));
    expect(box().value).toBe("Which leads");
  });

  it("is there again after the window was closed", async () => {
    await userEvent.type(box(), "Which stores");
    act(() => rememberDrafts());
    cleanup();
    await start({}, host);
    expect(box().value).toBe("Which stores");
  });

  it("goes once it is sent, and not before", async () => {
    await userEvent.type(box(), "How many stores?{Enter}");
    expect(await screen.findByText("18,462")).toBeTruthy();
    await page("New question");
    expect(box().value).toBe("");
  });

  it("stays where the question could not be asked", async () => {
    host.ask = async () => {
      throw new Error("no");
    };
    await userEvent.type(box(), "How many stores?{Enter}");
    await screen.findByText("Something went wrong in Vitrine itself.");
    await page("Tables");
    await page("New question");
    expect(box().value).toBe("How many stores?");
  });

  it("goes when the person clears it", async () => {
    await userEvent.type(box(), "Which stores");
    await userEvent.clear(box());
    await page("Tables");
    await page("New question");
    expect(box().value).toBe("");
  });

  it("outlives a sample question that is asked instead", async () => {
    await userEvent.type(box(), "Which stores");
    const samples = within(screen.getByRole("region", { name: "Sample questions" }));
    await userEvent.click(samples.getByRole("button", { name: /How many/ }));
    await screen.findByText("18,462");
    expect(asked()).toMatchObject([{ question: expect.stringMatching(/^How many/) }]);
    await page("New question");
    expect(box().value).toBe("Which stores");
  });

  it("outlives an earlier question that is brought back and asked instead", async () => {
    await userEvent.type(box(), "Which stores");
    box().setSelectionRange(0, 0);
    await userEvent.keyboard("{ArrowUp}");
    expect(box().value).toContain("ten best-selling products");
    await page("Tables");
    await page("New question");
    expect(box().value).toBe("Which stores");
    box().setSelectionRange(0, 0);
    await userEvent.keyboard("{ArrowUp}{Enter}");
    await screen.findByRole("grid", { name: "Answer" });
    await page("New question");
    expect(box().value).toBe("Which stores");
  });

  it("can be had back where a question about a table takes its place", async () => {
    await userEvent.type(box(), "Which stores");
    await page("Tables");
    await userEvent.click(await screen.findByRole("button", { name: "Ask about this table" }));
    expect(box().value).toMatch(/^How many rows are in/);
    await userEvent.click(await screen.findByRole("button", { name: "Restore" }));
    expect(box().value).toBe("Which stores");
  });
});

describe("what is typed before any data is open", () => {
  it("is about the data that opens", async () => {
    act(() => useConnections.setState({ current: null }));
    await userEvent.type(box(), "Which stores");
    await act(() => openWarehouse(SAMPLE));
    expect(box().value).toBe("Which stores");
    await page("Tables");
    await page("New question");
    expect(box().value).toBe("Which stores");
  });
});

describe("what is asked before any data is open", () => {
  it("waits for it, and is no draft once it was asked", async () => {
    act(() => useConnections.setState({ current: null, starting: true }));
    await userEvent.type(box(), "Best products?{Enter}");
    expect(asked()).toHaveLength(0);
    await act(() => openWarehouse(SAMPLE));
    await screen.findByRole("grid", { name: "Answer" });
    expect(asked()).toMatchObject([{ question: "Best products?" }]);
    await page("New question");
    expect(box().value).toBe("");
  });
});

describe("a follow-up that was begun", () => {
  it("is there again on its run and nowhere else", async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await screen.findByRole("grid", { name: "Answer" });
    await edit();
    await userEvent.clear(box());
    await userEvent.type(box(), "And in 2023?");
    await page("Tables");
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    expect(await screen.findByText("18,462")).toBeTruthy();
    expect(heading()).toBe("How many customers ordered something in 2025?");
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await waitFor(() => expect(box().value).toBe("And in 2023?"));
  });

  it("gives way to the question itself once it is sent", async () => {
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await screen.findByText("18,462");
    await edit();
    await userEvent.clear(box());
    await userEvent.type(box(), "Best products in 2024?{Enter}");
    await screen.findByRole("grid", { name: "Answer" });
    expect(asked()).toMatchObject([{ question: "Best products in 2024?" }]);
    expect(heading()).toBe("Best products in 2024?");
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await waitFor(() => expect(heading()).toBe("How many customers ordered something in 2025?"));
    expect(screen.queryByLabelText("Question")).toBeNull();
  });
});

describe("definitions typed for one question", () => {
  it("can be kept for every question of the database, and taken back from there", async () => {
    const before = await host.definitions(SAMPLE);
    await userEvent.type(box(), "Which stores");
    await page("Definitions");
    expect(screen.queryByRole("button", { name: "Use for every question" })).toBeNull();
    await userEvent.type(knowledge(), "a store is open");
    await page("Use for every question");
    await waitFor(async () => expect((await host.definitions(SAMPLE)).text).toContain("a store is open"));
    expect((await host.definitions(SAMPLE)).text.startsWith(before.text)).toBe(true);
    expect(screen.queryByLabelText("Definitions", { selector: "textarea" })).toBeNull();
    expect(box().value).toBe("Which stores");

    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(async () => expect((await host.definitions(SAMPLE)).text).toBe(before.text));
    await waitFor(() => expect(knowledge().value).toBe("a store is open"));
  });
});
