// Content shown in place of the answer; Export and Save use the content that is shown.

import { EditorView } from "@codemirror/view";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { FINAL } from "../../test/fake/log";
import { BOTH_SPELLINGS, NOT_CANCELLED, RAN, RULES, WRITTEN } from "../../test/fake/rules";
import { start } from "../../test/start";
import { useDrafts } from "../features/editor/state";
import { useRules } from "../features/settings/rules";
import type { Definitions } from "../host/bindings";
import { navigate, type RunTab } from "../navigation/route";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

const show = (runId: string, tab: RunTab = "answer") => act(() => navigate({ page: "run", runId, tab }));
const exports = () => screen.getAllByRole("button", { name: /^Export CSV/ });
const called = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);
const exportNow = async () => {
  const before = called("exportResult").length;
  await userEvent.click(exports()[0]!);
  await waitFor(() => expect(called("exportResult")).toHaveLength(before + 1));
  return { sql: called("exportResult").at(-1)![1] as string };
};
const notes = async () => within(await screen.findByRole("region", { name: "About the query" }));
const editor = async () => EditorView.findFromDOM(await screen.findByRole("textbox", { name: "SQL" }))!;
/** Writes into the current editor, which can be replaced while a run is read from its log. */
const write = (text: string) =>
  waitFor(() => {
    const view = EditorView.findFromDOM(screen.getByRole("textbox", { name: "SQL" }))!;
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    if (view.state.doc.toString() !== text) view.dispatch({ changes });
    expect(Object.values(useDrafts.getState().drafts)).toContain(text);
  });

describe("an edited query", () => {
  it("is what the one Export writes once it was run, and the answer before", async () => {
    show("r1", "sql");
    const edited = `${FINAL} -- mine`;
    await write(edited);
    expect(exports().map((b) => b.textContent)).toEqual(["Export CSV"]);
    expect((await exportNow()).sql).toBe(FINAL);
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByRole("grid", { name: "Result of the edited SQL" })).toBeTruthy();
    expect(exports().map((b) => b.textContent)).toEqual(["Export CSV (edited query)"]);
    expect((await exportNow()).sql).toBe(edited);
    await userEvent.click(screen.getByRole("tab", { name: "Answer" }));
    expect(exports().map((b) => b.textContent)).toEqual(["Export CSV"]);
    expect((await exportNow()).sql).toBe(FINAL);
  });

  it("is exported as the answer while it is the answer's own", async () => {
    show("r1", "sql");
    await userEvent.click(await screen.findByRole("button", { name: "Run" }));
    await screen.findByRole("grid", { name: "Result of the edited SQL" });
    expect(exports().map((b) => b.textContent)).toEqual(["Export CSV"]);
  });
});

describe("a part of a query", () => {
  const rows = "SELECT prod_id, SUM(revenue) AS revenue";
  it("runs alone by keys, from its place in the query, and its rows say whose they are", async () => {
    show("r1", "sql");
    const view = await editor();
    view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(rows) } });
    view.focus();
    await userEvent.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(await screen.findByRole("grid", { name: "Rows of revenue_by_product" })).toBeTruthy();
    const ran = called("openResult").at(-1)![1] as string;
    expect(ran.startsWith("WITH sold_lines_2024 AS (")).toBe(true);
    expect(ran.endsWith(")\nSELECT * FROM revenue_by_product")).toBe(true);
    expect(screen.getByText("revenue_by_product")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByRole("grid", { name: "Result of the edited SQL" })).toBeTruthy();
  });

  it("runs by the sign beside its first line", async () => {
    show("r1", "sql");
    await editor();
    await userEvent.click(await screen.findByTitle("Run product_names alone (Ctrl+Shift+Enter)"));
    expect(await screen.findByRole("grid", { name: "Rows of product_names" })).toBeTruthy();
  });
});

it("shows what was edited beside what was generated, for as long as they differ", async () => {
  show("r1", "sql");
  await editor();
  expect(screen.queryByRole("button", { name: "Changes" })).toBeNull();
  await write(FINAL.replace("LIMIT 10", "LIMIT 20"));
  await userEvent.click(await screen.findByRole("button", { name: "Changes" }));
  const changes = within(screen.getByRole("region", { name: "Changes" }));
  expect(changes.getByText("The answer's SQL")).toBeTruthy();
  expect(changes.getByText(/unchanged lines/)).toBeTruthy();
  expect(changes.getByText("20")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Reset" }));
  expect(screen.queryByRole("region", { name: "Changes" })).toBeNull();
});

describe("what rules did to the query of an answer", () => {
  it("is told at the answer: changes, variants and findings", async () => {
    show("rules");
    const told = await notes();
    expect(told.getByText("Vitrine changed the query in 2 places.")).toBeTruthy();
    expect(told.getByText(/s\.store_name was read as s\.store_nm/)).toBeTruthy();
    expect(told.getByText(/status is also written as 'Shipped'/).textContent).toMatch(
      /^Variant:.*Returns 7 rows, one per [\w ]+, starting with Leeds Trinity, 455,120\.90\./,
    );
    expect(told.getByText(/The question does not say 'shipped'/).textContent).toMatch(/^Finding:/);
  });

  it("is wanted always with one click, which can be undone", async () => {
    show("rules");
    const told = await notes();
    await userEvent.click(told.getByRole("button", { name: "Always apply: orders: status <> 'cancelled'" }));
    await waitFor(() => expect(called("setDefinitions")).toHaveLength(1));
    const kept = (at: number) => (called("setDefinitions")[at]![1] as Definitions).entries;
    expect(kept(0)[0]).toEqual(NOT_CANCELLED);
    expect(told.queryByRole("button", { name: /^Always apply/ })).toBeNull();
    expect(await screen.findByText(/about this database from now on/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Ask again" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(called("setDefinitions")).toHaveLength(2));
    // What was known before stays as it was.
    expect(kept(1)).toEqual(kept(0).slice(1));
    expect(told.getByRole("button", { name: /^Always apply/ })).toBeTruthy();
  });

  it("is shown before and after", async () => {
    show("rules");
    const told = await notes();
    await userEvent.click(told.getAllByRole("button", { name: "Show diff" })[0]!);
    expect(told.getByText("Original query")).toBeTruthy();
    expect(told.getByText("Executed query")).toBeTruthy();
    await userEvent.click(told.getByRole("button", { name: "Hide diff" }));
    expect(told.queryByText("Executed query")).toBeNull();
  });

  it("is not undone where the query could not run without it", async () => {
    show("rules");
    const told = await notes();
    expect(told.getAllByRole("button", { name: "Show diff" }).length).toBeGreaterThan(0);
    expect(told.queryByRole("button", { name: /^Undo/ })).toBeNull();
  });

  it("is undone: the query runs as the model wrote it, is marked, and there is a way back", async () => {
    show("rules");
    const list = RULES.map((rule) => ({ ...rule, applicability: "defined" as const }));
    act(() => useRules.setState({ list }));
    await userEvent.click((await notes()).getByRole("button", { name: "Undo all" }));
    const written = within(await screen.findByRole("region", { name: "Original query" }));
    expect(called("openResult").at(-1)![1]).toBe(WRITTEN);
    expect(await written.findByText("This query does not run.")).toBeTruthy();
    expect(written.getByText(/no table or alias named "s"/)).toBeTruthy();
    expect(screen.queryByRole("grid", { name: "Answer" })).toBeNull();
    await userEvent.click(written.getByRole("button", { name: "Back to the answer" }));
    expect(await screen.findByRole("grid", { name: "Answer" })).toBeTruthy();
  });

  it("leaves another query a click away, whose rows are then exported and saved", async () => {
    show("rules");
    await userEvent.click((await notes()).getAllByRole("button", { name: "Run" })[0]!);
    expect(await screen.findByRole("grid", { name: "Variant" })).toBeTruthy();
    expect(exports().map((b) => b.textContent)).toEqual(["Export CSV (variant)"]);
    expect((await exportNow()).sql).toBe(BOTH_SPELLINGS);
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Save question" }));
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(called("saveQuestion")).toHaveLength(1));
    expect(called("saveQuestion")[0]![0]).toMatchObject({ sql: BOTH_SPELLINGS });
    // A user who comes back finds that it is not the answer.
    show("r1");
    await screen.findByRole("heading", { name: /10 rows/ });
    show("rules");
    expect((await exportNow()).sql).toBe(RAN);
  });

  it("can be edited, and gives back what was edited before", async () => {
    show("rules", "sql");
    await write("SELECT 1 AS mine");
    await userEvent.click(screen.getByRole("tab", { name: "Answer" }));
    await userEvent.click((await notes()).getAllByRole("button", { name: "Run" })[0]!);
    await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
    await waitFor(async () => expect((await editor()).state.doc.toString()).toBe(BOTH_SPELLINGS));
    await userEvent.click(await screen.findByRole("button", { name: "Restore" }));
    await waitFor(async () => expect((await editor()).state.doc.toString()).toBe("SELECT 1 AS mine"));
  });

  it("is beside the editor, where the query as written can be run", async () => {
    show("rules", "sql");
    await userEvent.click(await screen.findByRole("button", { name: "Rules" }));
    const panel = within(screen.getByRole("region", { name: "Changed by rules" }));
    expect(panel.getByText(/stores was joined along/)).toBeTruthy();
    await userEvent.click(panel.getByRole("button", { name: "Run original query" }));
    expect((await editor()).state.doc.toString()).toBe(WRITTEN);
    expect(called("openResult").at(-1)![1]).toBe(WRITTEN);
    await userEvent.click(screen.getByRole("button", { name: "Reset" }));
    expect((await editor()).state.doc.toString()).toBe(RAN);
  });
});

describe("another reading", () => {
  it("is shown in place of the answer, with its value", async () => {
    await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
    await screen.findByRole("heading", { name: "Which do you mean?" });
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    const told = within(await screen.findByRole("region", { name: "Interpretation of the question" }));
    await userEvent.click(told.getByRole("button", { name: /21,350/ }));
    const other = within(await screen.findByRole("region", { name: "Other interpretation" }));
    expect(await other.findByText("21,350")).toBeTruthy();
    expect(screen.getByRole("button", { name: /21,350/, pressed: true })).toBeTruthy();
    await userEvent.click(other.getByRole("button", { name: "Back to the answer" }));
    expect(await screen.findByText("18,462", { selector: "div" })).toBeTruthy();
  });
});
