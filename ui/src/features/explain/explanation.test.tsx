// How an answer came about, in words and as a picture.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { EXPLAINED } from "../../../test/fake/explained";
import type { FakeHost } from "../../../test/fake/host";
import { start } from "../../../test/start";
import { type Form, navigate } from "../../navigation/route";
import { startUi } from "../../navigation/uiState";
import { setDraft } from "../editor/state";
import { useExplanations } from "./state";

let host: FakeHost;
beforeEach(async () => {
  useExplanations.setState({ entries: {} });
  host = await start();
});

const show = (form: Form, runId = "r1") =>
  act(() => navigate({ page: "run", runId, tab: "graph", face: "data", form }));
const section = async (name: string) => within(await screen.findByRole("region", { name }));
const asked = () => host.calls.filter(([name]) => name === "explain").map(([, args]) => args);

describe("the outline of an answer", () => {
  it("says what was asked of the data, step by step, with rows and what is worth asking", async () => {
    show("outline");
    expect((await section("What the query does")).getByText("Keeps the first 10 rows")).toBeTruthy();
    const steps = await section("Steps");
    expect(steps.getAllByRole("listitem").length).toBeGreaterThanOrEqual(EXPLAINED.steps.length);
    expect(steps.getByText("59,118 rows")).toBeTruthy();
    expect(steps.getByText("Grain: one row of order items")).toBeTruthy();
    expect(steps.getByText("Steps reproduce the result")).toBeTruthy();
    expect((await section("Worth checking")).getByText(/have no partner in order items/)).toBeTruthy();
    expect(steps.getByText("Shows 10 of 409 rows.")).toBeTruthy();
    const tables = await section("Tables and columns");
    expect(tables.getAllByText("filtered by")).toHaveLength(2);
    expect(tables.getByText("61,204 rows")).toBeTruthy();
  });

  it("shows the question, what answers to its words, and what the query leaves out and adds", async () => {
    show("outline");
    const question = await section("Question and query");
    expect(question.getByRole("button", { name: /returned.*orders\.status/ })).toBeTruthy();
    expect(question.getByText(/not as the most pieces sold/)).toBeTruthy();
    const adds = within(question.getByRole("region", { name: "Also in the query" }));
    expect(adds.getByText(/lowered by the discount/)).toBeTruthy();
    const rewritten = within(question.getByRole("region", { name: "As rewritten by the method" }));
    expect(rewritten.getByText(/ten products with the highest revenue/)).toBeTruthy();
  });

  it("shows a step's first rows on request", async () => {
    show("outline");
    const steps = await section("Steps");
    expect(steps.queryByText("184230.40")).toBeNull();
    await userEvent.click(steps.getAllByRole("button", { name: "First rows" })[2]!);
    expect(steps.getByText("184,230.40")).toBeTruthy();
  });

  it("is what the run has told; of older runs it is asked once, with the question", async () => {
    show("outline");
    await section("Steps");
    expect(asked()).toEqual([]);
    show("outline", "r9");
    await section("Steps");
    act(() => navigate({ page: "run", runId: "r9", tab: "answer" }));
    show("outline", "r9");
    await section("Steps");
    expect(asked()).toHaveLength(1);
    expect(asked()[0]![2]).toMatch(/share of orders on the web/);
  });

  it("opens the rows of a step in the editor", async () => {
    show("outline");
    const steps = await section("Steps");
    await userEvent.click(steps.getAllByRole("button", { name: "Show rows" })[1]!);
    await waitFor(() => expect(screen.getByRole("tab", { name: "SQL" }).getAttribute("aria-selected")).toBe("true"));
    expect((await screen.findByRole("textbox", { name: "SQL" })).textContent).toContain("JOIN order_items AS i");
  });

  it("says what is wrong and asks again on request", async () => {
    const explain = host.explain;
    host.explain = () => Promise.reject({ code: "query", message: "The database is gone", hint: null, detail: null });
    show("outline", "r9");
    expect(await screen.findByText("The database is gone")).toBeTruthy();
    host.explain = explain;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await section("Steps")).toBeTruthy();
  });
});

describe("the picture of an answer", () => {
  const card = (name: RegExp) => screen.findByRole("button", { name });

  it("has a card for every table, step and the result, each with its sentence and rows", async () => {
    show("picture");
    expect(await card(/^2\. Matches order items to orders.*59,118 rows, 1 worth checking$/)).toBeTruthy();
    expect(await card(/^Table order_items, 183,377 rows$/)).toBeTruthy();
    expect(await card(/^1\. .*Largest change in the number of rows: 61,204 → 19,740, 19,740 rows$/)).toBeTruthy();
    expect(await card(/^Result, 10 rows$/)).toBeTruthy();
    expect(screen.getAllByRole("button", { name: /^Table / })).toHaveLength(4);
  });

  it("tells all about a card beside the picture, and lets go of it with Escape", async () => {
    show("picture");
    // Not by the pointer: dragging the picture begins with it, which the test document cannot do.
    fireEvent.click(await card(/^3\. For each prod id/));
    const detail = await section("Details of 3. For each prod id: sum of revenue.");
    expect(detail.getByText("one row for each prod id")).toBeTruthy();
    expect(detail.getByText("184,230.40")).toBeTruthy();
    expect(detail.getByRole("button", { name: /Matches order items/ })).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: /^Details of/ })).toBeNull();
  });

  it("leads to the method's view that a step stands for", async () => {
    show("picture");
    fireEvent.click(await card(/^3\. For each prod id/));
    await userEvent.click(await screen.findByRole("button", { name: "Show view revenue_by_product" }));
    expect(await screen.findByRole("region", { name: "Details of view:revenue_by_product" })).toBeTruthy();
  });

  it("says in words what a column is made of, until it is let go", async () => {
    show("picture");
    await card(/^Result/);
    const revenue = screen.getAllByRole("button", { name: "revenue" }).at(-1)!;
    fireEvent.click(revenue);
    const words = "revenue ← order_items.qty, order_items.unit_price, order_items.disc_pct";
    expect(screen.getByText(words)).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByText(words)).toBeNull();
    fireEvent.click(revenue);
    fireEvent.click(revenue);
    expect(screen.queryByText(words)).toBeNull();
  });

  it("is walked through with the arrow keys", async () => {
    show("picture");
    (await card(/^Result/)).focus();
    await userEvent.keyboard("{ArrowUp}");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^5\. Sorts by revenue/);
    await userEvent.keyboard("{ArrowUp}{ArrowLeft}");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Table /);
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByRole("region", { name: /^Details of/ })).toBeTruthy();
  });

  it("is not there for Python", async () => {
    show("picture", "prospy");
    expect(await screen.findByText("Python code computed this answer")).toBeTruthy();
  });
});

describe("the faces of the graph", () => {
  it("are remembered, as is the form", async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "graph" }));
    expect((await screen.findByRole("radio", { name: "Data flow" })).getAttribute("aria-checked")).toBe("true");
    await userEvent.click(screen.getByRole("radio", { name: "Run" }));
    await userEvent.click(screen.getByRole("radio", { name: "Outline" }));
    expect(await screen.findByRole("tree", { name: "Stages of the run" })).toBeTruthy();
    act(() => navigate({ page: "run", runId: "r3", tab: "graph" }));
    expect(await screen.findByRole("tree", { name: "Stages of the run" })).toBeTruthy();
    await act(() => startUi());
    expect(screen.getByRole("radio", { name: "Run" }).getAttribute("aria-checked")).toBe("true");
  });

  it("show the work while there is no answer", async () => {
    act(() => navigate({ page: "run", runId: "r5", tab: "graph" }));
    expect((await screen.findByRole("radio", { name: "Run" })).getAttribute("aria-checked")).toBe("true");
    await userEvent.click(screen.getByRole("radio", { name: "Data flow" }));
    expect(screen.getByRole("radio", { name: "Run" }).getAttribute("aria-checked")).toBe("true");
  });
});

describe("a run that only explains itself", () => {
  it("counts as answered, and says that it explains until it has", async () => {
    const events = (await host.runEvents("r1", 0)).map((event) => ({ ...event, runId: "new-live" }));
    const at = events.findIndex((e) => e.body.type === "explained");
    act(() => navigate({ page: "run", runId: "new-live", tab: "answer" }));
    act(() => {
      for (const event of events.slice(0, at)) host.emit({ kind: "run", event });
    });
    expect(await screen.findByRole("grid", { name: "Answer" })).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Answer" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Export CSV/ })).toBeTruthy();
    await userEvent.click(screen.getByRole("tab", { name: "Graph" }));
    expect(await screen.findByText("Explaining…")).toBeTruthy();
    expect(asked()).toEqual([]);
    act(() => host.emit({ kind: "run", event: events[at]! }));
    expect(await screen.findByRole("button", { name: /^Result, 10 rows$/ })).toBeTruthy();
  });
});

describe("the answer", () => {
  const open = async (runId = "r1") => {
    act(() => navigate({ page: "run", runId, tab: "answer" }));
    return await screen.findByText("Show explanation");
  };

  it("says in a line how it came about, and what is worth asking, with the way to the picture", async () => {
    await open();
    expect(screen.getByText(/^Shows product, category and sum of quantity/)).toBeTruthy();
    const asking = await section("Worth checking");
    expect(asking.getByText(/have no partner in order items/)).toBeTruthy();
    expect(asking.queryByText(/Shows 10 of 409/)).toBeNull();
    await userEvent.click(asking.getByRole("button", { name: "Show step" }));
    expect(await screen.findByRole("region", { name: /^Details of 2. Matches order items/ })).toBeTruthy();
  });

  it("asks for no explanation by itself", async () => {
    await open("r9");
    expect(screen.queryByRole("region", { name: "Worth checking" })).toBeNull();
    expect(asked()).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Show explanation" }));
    expect(await screen.findByRole("button", { name: /^Result, 10 rows$/ })).toBeTruthy();
    expect(asked()).toHaveLength(1);
  });
});

describe("why this number", () => {
  const dialog = async () => within(await screen.findByRole("dialog", { name: /^Source rows of/ }));
  const behind = () => host.calls.filter(([name]) => name === "rowsBehind").map(([, args]) => args);
  const cell = async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    const found = within(await screen.findByRole("grid", { name: "Answer" })).getByText("184,230.40");
    fireEvent.mouseDown(found);
    return found;
  };

  it("is answered with the rows behind a cell, tables first, each led to the editor", async () => {
    await cell();
    await userEvent.click(screen.getByTitle("Show source rows (Alt+Enter)"));
    const rows = await dialog();
    const [, , row, column] = behind()[0]!;
    expect([row, column]).toEqual([["Harbour Sofa, 3 seats", "Seating", "184230.40"], 2]);
    const parts = rows.getAllByRole("region").map((part) => part.getAttribute("aria-label"));
    expect(parts).toEqual(["Tables", "Steps"]);
    expect(rows.getByText("140 rows", { selector: "section[aria-label='Tables'] span" })).toBeTruthy();
    await userEvent.click(rows.getAllByRole("button", { name: "Show rows" })[1]!);
    expect((await screen.findByRole("textbox", { name: "SQL" })).textContent).toContain("prod_id = 118");
  });

  it("is asked by keys, and of a whole row from the menu", async () => {
    const found = await cell();
    fireEvent.keyDown(screen.getByRole("grid", { name: "Answer" }), { key: "Enter", altKey: true });
    await dialog();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    fireEvent.contextMenu(found);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Show source rows of this row" }));
    await dialog();
    expect(behind().map((args) => args[3])).toEqual([2, null]);
  });

  it("is asked of a single value", async () => {
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await userEvent.click(await screen.findByRole("button", { name: "Show source rows" }));
    await dialog();
    expect(behind()[0]!.slice(2)).toEqual([["18462"], 0]);
  });

  it("says where it fails, and where there is nothing to tell", async () => {
    host.rowsBehind = () => Promise.reject({ code: "query", message: "Too slow", hint: null, detail: null });
    await cell();
    await userEvent.click(screen.getByTitle("Show source rows (Alt+Enter)"));
    expect(await screen.findByText("Too slow")).toBeTruthy();
    host.rowsBehind = async () => [];
    await userEvent.click((await dialog()).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/cannot be traced to single rows/)).toBeTruthy();
  });

  it("is not asked of code", async () => {
    act(() => navigate({ page: "run", runId: "prospy", tab: "answer" }));
    const grid = within(await screen.findByRole("grid", { name: "Answer" }));
    fireEvent.mouseDown(grid.getAllByRole("gridcell")[0]!);
    expect(screen.queryByRole("button", { name: "Show source rows" })).toBeNull();
    expect(screen.queryByText("Show explanation")).toBeNull();
  });
});

describe("other queries", () => {
  it("are explained below the editor, as they are written", async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "sql" }));
    await screen.findByRole("textbox", { name: "SQL" });
    act(() => setDraft("run:r1", "SELECT 1 AS mine"));
    await userEvent.click(screen.getByRole("button", { name: "Explain" }));
    const pane = await section("Explanation");
    expect(await pane.findByText("Keeps the first 10 rows")).toBeTruthy();
    expect(asked()[0]![1]).toBe("SELECT 1 AS mine");
    await userEvent.click(pane.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("region", { name: "Explanation" })).toBeNull();
  });

  it("that are saved tell how they come about", async () => {
    act(() => navigate({ page: "saved", id: "s1" }));
    await userEvent.click(await screen.findByRole("radio", { name: "Explanation" }));
    const steps = await section("Steps");
    await userEvent.click(steps.getAllByRole("button", { name: "Show rows" })[0]!);
    expect((await screen.findByRole("textbox", { name: "SQL" })).textContent).toContain("strptime");
  });
});
