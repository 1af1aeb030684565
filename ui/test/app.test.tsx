// The whole interface over the fake host, as a person uses it.

import { EditorView } from "@codemirror/view";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { exportName, setAboutFile } from "../src/answer/exports";
import { openWarehouse, useConnections } from "../src/features/connections/state";
import { useSaved } from "../src/features/saved/state";
import { useSettings } from "../src/features/settings/state";
import type { ExportAbout } from "../src/host/bindings";
import { useToasts } from "../src/kit/toast";
import { formatRoute, navigate, parseRoute, useRoute } from "../src/navigation/route";
import { runNow } from "../src/run/runModel";
import { CERTAINTIES } from "./fake/certainty";
import { SAMPLE } from "./fake/data";
import { type FakeHost, FOREIGN, SERVER } from "./fake/host";
import { CODE, VIEWS } from "./fake/prospy";
import { start as open } from "./start";

let host: FakeHost;

async function start(options = {}) {
  host = await open(options);
}

describe("asking", () => {
  beforeEach(() => start());

  it("shows the answer first, and how it was obtained", async () => {
    await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
    const said = "Harbour Sofa, 3 seats has the highest revenue: 184,230.40 (10 rows)";
    expect(await screen.findByRole("heading", { name: said })).toBeTruthy();
    expect(screen.getByRole("grid", { name: "Answer" })).toBeTruthy();
    expect(screen.getByText("Based on 4 tables; checked in 3 steps; corrected once.")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Note" })).toBeTruthy();
  });

  it("shows a single value big", async () => {
    await userEvent.type(screen.getByLabelText("Question"), "How many customers?{Enter}");
    expect(await screen.findByText("18,462")).toBeTruthy();
  });

  it("asks which reading is meant, each with the result it leads to", async () => {
    await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
    expect(await screen.findByRole("heading", { name: "Which do you mean?" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /rows of customers 21,350 3 of 6 attempts/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: /24 rows, one per store id/ })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /18,462/ }));
    expect(await screen.findByText("18,462", { selector: "div" })).toBeTruthy();
  });

  it("takes a reading by its number, on the answer's tab and nowhere else", async () => {
    await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
    await screen.findByRole("heading", { name: "Which do you mean?" });
    const chosen = () =>
      host.calls.filter(([name]) => name === "chooseReading").map(([, [, candidate]]) => candidate);
    // A digit typed into the question is a digit.
    await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
    await userEvent.type(screen.getByLabelText("Question"), "2");
    expect(chosen()).toEqual([]);
    await userEvent.keyboard("{Escape}");
    const { route } = useRoute.getState();
    if (route.page !== "run") throw new Error("not on the question");
    act(() => navigate({ ...route, tab: "graph" }));
    await userEvent.keyboard("2");
    expect(chosen()).toEqual([]);
    act(() => navigate({ ...route, tab: "answer" }));
    await userEvent.keyboard("9");
    await userEvent.keyboard("{Control>}2{/Control}");
    expect(chosen()).toEqual([]);
    act(() => navigate({ ...route, tab: "answer" }));
    await userEvent.keyboard("2");
    expect(chosen()).toEqual([4]);
  });

  it("has the schema read as soon as data is opened that nobody asked before", async () => {
    const warmed = () => host.calls.filter(([name]) => name === "warm").map(([, [uri]]) => uri);
    expect(warmed()).toEqual([]);
    await act(() => openWarehouse("sqlite:/data/crm/customers.sqlite"));
    expect(warmed()).toEqual(["sqlite:/data/crm/customers.sqlite"]);
  });

  it("starts from a sample question", async () => {
    await userEvent.click(
      within(screen.getByRole("region", { name: "Sample questions" })).getByRole("button", { name: /How many/ }),
    );
    expect(await screen.findByText("18,462")).toBeTruthy();
  });

  it("shows every step as a tree with the detail beside it", async () => {
    navigate({ page: "run", runId: "r1", tab: "graph", face: "work", form: "outline" });
    const tree = await screen.findByRole("tree");
    expect(within(tree).getAllByRole("treeitem")).toHaveLength(13);
    await userEvent.click(within(tree).getByText("sold_lines_2024"));
    expect(screen.getByText("Sample rows")).toBeTruthy();
    await userEvent.click(screen.getByRole("tab", { name: /Failed/ }));
    expect(screen.getByText(/orders has no column prod_id/)).toBeTruthy();
    within(tree).getByRole("treeitem", { selected: true }).focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(within(tree).getByRole("treeitem", { selected: true }).textContent).toContain("product_names");
  });
});

describe("a run of somebody else", () => {
  const opened = () => host.calls.filter(([name]) => name === "openWarehouse").map(([, [uri]]) => uri);

  it("is looked at without connecting to its data, until the person says so", async () => {
    await start({ imported: true });
    act(() => navigate({ page: "run", runId: FOREIGN.runId, tab: "answer" }));
    const panel = within(await screen.findByRole("region", { name: "Connection" }));
    expect(panel.getByText(/Nothing has been sent to it/).textContent).toContain(FOREIGN.uri);
    expect(await screen.findByText("18,462")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(opened()).toEqual([SAMPLE]);
    await userEvent.click(panel.getByRole("button", { name: "Connect" }));
    expect(opened()).toEqual([SAMPLE, FOREIGN.uri]);
    await waitFor(() => expect(screen.queryByRole("region", { name: "Connection" })).toBeNull());
  });

  it("is not asked again of its data unasked", async () => {
    await start({ imported: true });
    act(() => navigate({ page: "run", runId: FOREIGN.runId, tab: "answer" }));
    await userEvent.click(await within(screen.getByRole("main")).findByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Start over" }));
    expect(await screen.findByText("Question not asked yet")).toBeTruthy();
    expect(opened()).toEqual([SAMPLE]);
    await userEvent.click(screen.getByRole("button", { name: "Connect and ask" }));
    await waitFor(() => expect(opened()).toEqual([SAMPLE, FOREIGN.uri]));
  });
});

describe("the settings of the methods", () => {
  it("are changed, left to the program, and go back to the paper's values", async () => {
    await start();
    act(() => navigate({ page: "settings", tab: "methods" }));
    const part = within(await screen.findByRole("region", { name: "DSR-SQL" }));
    expect(part.queryByRole("button", { name: /Reset/ })).toBeNull();
    const steps = () => part.getByLabelText<HTMLInputElement>("DSR-SQL: Steps");
    expect(steps().placeholder).toBe("Automatic");
    await userEvent.type(steps(), "99{Enter}");
    const saved = () => useSettings.getState().settings?.methods["dsr-sql"]?.steps;
    expect(saved()).toBe(50);
    await userEvent.clear(steps());
    await userEvent.tab();
    expect(saved()).toBeNull();
    await userEvent.type(steps(), "7{Enter}");
    await userEvent.click(await part.findByRole("button", { name: /Reset/ }));
    expect(saved()).toBeNull();
    expect(screen.queryByRole("button", { name: /Reset/ })).toBeNull();
  });
});

describe("the limits of a question", () => {
  it("are none until they are set, and none again when they are cleared", async () => {
    await start();
    act(() => navigate({ page: "settings", tab: "asking" }));
    const limit = () => screen.getByLabelText<HTMLInputElement>("Time limit");
    expect((await screen.findByLabelText<HTMLInputElement>("Time limit")).placeholder).toBe("None");
    await userEvent.type(limit(), "60{Enter}");
    const saved = () => useSettings.getState().settings?.budget;
    expect(saved()).toEqual({ seconds: 60, tokens: null, money: null });
    await userEvent.clear(limit());
    await userEvent.tab();
    expect(saved()?.seconds).toBeNull();
  });
});

describe("evaluations", () => {
  beforeEach(() => start());

  it("compares two runs and opens what came of a question", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Settings" }));
    await userEvent.click(screen.getByRole("button", { name: "Evaluations" }));
    await userEvent.click(await screen.findByRole("button", { name: /shop-questions.*Auto/ }));
    expect(await screen.findByText("How many customers are active?")).toBeTruthy();
    expect(screen.getAllByText("66.7%").length).toBeGreaterThan(0);

    await userEvent.click(screen.getByRole("combobox", { name: "Compare with" }));
    await userEvent.click(await screen.findByRole("option", { name: /Direct/ }));
    expect(await screen.findByText(/No clear difference \(1 better, 0 worse of 3\)/)).toBeTruthy();
    await userEvent.click(screen.getByRole("radio", { name: "Incorrect" }));
    await waitFor(() => expect(screen.queryByText("How many customers are there?")).toBeNull());

    await userEvent.click(screen.getByRole("button", { name: /How many customers are active/ }));
    expect(await screen.findByRole("region", { name: "Expected query" })).toBeTruthy();
    expect(screen.getByText("Incorrect")).toBeTruthy();
  });
});

describe("stopping", () => {
  const running = async () => {
    await start({ speed: 1 });
    await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
    expect(await screen.findByText("Working on it")).toBeTruthy();
    await screen.findByText("Understanding the question");
  };
  const stopped = () => host.calls.some(([name]) => name === "cancelRun");

  it("is not what Escape does: it leaves the question box and closes what is open", async () => {
    await running();
    await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
    await userEvent.click(screen.getByLabelText("Question"));
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByLabelText("Question")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit question" })));
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("tab", { name: "Graph" }));
    await userEvent.click(await screen.findByRole("radio", { name: "Outline" }));
    await userEvent.click(await screen.findByRole("treeitem", { name: /Schema/ }));
    await userEvent.keyboard("{Escape}");
    expect(stopped()).toBe(false);
    expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
  });

  it("ends the run at once, says so, and offers to ask again", async () => {
    await running();
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
    const messages = within(screen.getByRole("region", { name: "Notifications" }));
    await userEvent.click(await messages.findByRole("button", { name: "Start over" }));
    expect(await screen.findByText("Working on it")).toBeTruthy();
    const asked = host.calls.filter(([name]) => name === "ask").map(([, [request]]) => request);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({ question: "Best products?" });
  });

  it("has keys of its own, which the palette shows while a run is at work", async () => {
    await running();
    await userEvent.keyboard("{Control>}k{/Control}");
    expect(await screen.findByRole("option", { name: /Stop this question.*Ctrl/ })).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(stopped()).toBe(false);
    await userEvent.keyboard("{Control>}.{/Control}");
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
    await userEvent.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox", { name: /Search commands/ });
    expect(screen.queryByRole("option", { name: /Stop this question/ })).toBeNull();
  });
});

describe("errors", () => {
  it("offer the model's download where it is missing", async () => {
    await start({ modelMissing: true });
    await userEvent.type(screen.getByLabelText("Question"), "How many?{Enter}");
    await screen.findByText(/Your question is saved/);
    const offers = within(screen.getByLabelText("Models to download"));
    expect(offers.getByRole("button", { name: "Download" })).toBeTruthy();
  });
  it("of a run keep the stages that were done", async () => {
    await start();
    navigate({ page: "run", runId: "r5", tab: "answer" });
    expect(await screen.findByText("The model stopped while it was planning the query.")).toBeTruthy();
    expect(screen.getByText("Understood the question")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Start over" })).toBeTruthy();
  });
  it("of an unknown run are said", async () => {
    await start();
    navigate({ page: "run", runId: "gone", tab: "answer" });
    expect(await screen.findByText("This run is not in the history.")).toBeTruthy();
  });
});

describe("saving", () => {
  it("keeps the question with its SQL", async () => {
    await start();
    navigate({ page: "run", runId: "r6", tab: "answer" });
    await screen.findByRole("grid");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const dialog = await screen.findByRole("dialog");
    const title = within(dialog).getByLabelText<HTMLInputElement>("Title");
    await userEvent.clear(title);
    await userEvent.type(title, "Top ten");
    await userEvent.click(within(dialog).getByRole("radio", { name: "Reviewed" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(useSaved.getState().list[0]).toMatchObject({ title: "Top ten", status: "reviewed", runId: "r6" }),
    );
    expect(useSaved.getState().list[0]!.sql).toContain("LIMIT 10");
  });

  const chosen = () =>
    within(screen.getByRole("radiogroup", { name: "Status" })).getByRole("radio", { checked: true }).textContent;
  const saveOpen = async () => {
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    return within(await screen.findByRole("dialog", { name: "Edit saved question" }));
  };

  it("makes a verified question a draft again where its SQL has changed, until the person verifies it", async () => {
    await start();
    act(() => navigate({ page: "saved", id: "s1" }));
    await userEvent.click(await screen.findByRole("radio", { name: "SQL" }));
    const view = EditorView.findFromDOM(await screen.findByRole("textbox", { name: "SQL" }))!;
    act(() => view.dispatch({ changes: { from: view.state.doc.length, insert: " -- changed" } }));
    const dialog = await saveOpen();
    expect(chosen()).toBe("Draft");
    expect(dialog.getByText(/has changed since it was verified, so it is a draft again/)).toBeTruthy();
    await userEvent.click(dialog.getByRole("radio", { name: "Verified" }));
    expect(dialog.queryByText(/so it is a draft again/)).toBeNull();
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(useSaved.getState().list[0]).toMatchObject({ id: "s1", status: "verified" }));
  });

  it("leaves a verified question verified where its SQL is the same", async () => {
    await start();
    act(() => navigate({ page: "saved", id: "s1" }));
    await userEvent.click(await screen.findByRole("radio", { name: "SQL" }));
    await screen.findByRole("textbox", { name: "SQL" });
    const dialog = await saveOpen();
    expect(chosen()).toBe("Verified");
    expect(dialog.queryByText(/draft again/)).toBeNull();
  });
});

describe("history", () => {
  beforeEach(() => start());
  it("gives back what was deleted when undone", async () => {
    const entry = await screen.findByRole("button", { name: /^Average basket by channel/ });
    await userEvent.click(within(entry.parentElement!).getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Average basket by channel/ })).toBeNull());
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("button", { name: /^Average basket by channel/ })).toBeTruthy();
    expect(host.calls.some(([name]) => name === "deleteRun")).toBe(false);
  });
});

describe("untrusted text", () => {
  it("is shown as text", async () => {
    await start();
    const evil = '<img src=x onerror="window.hacked=1">';
    await userEvent.type(screen.getByLabelText("Question"), `${evil}{Enter}`);
    await screen.findByRole("grid");
    expect(document.querySelector("img")).toBeNull();
    expect((window as unknown as { hacked?: number }).hacked).toBeUndefined();
  });
});

describe("the palette", () => {
  it("finds questions and opens them", async () => {
    await start();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByRole("combobox", { name: /Search commands/ }), "customers 2025{Enter}");
    expect(await screen.findByText("18,462")).toBeTruthy();
  });
  it("finds tables and columns of the open database and opens them", async () => {
    await start();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByRole("combobox", { name: /Search commands/ }), "suppliers");
    await userEvent.click(await screen.findByRole("option", { name: /^suppliers ?table$/ }));
    expect(await screen.findByRole("heading", { name: "suppliers" })).toBeTruthy();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByRole("combobox", { name: /Search commands/ }), "chan_cd");
    await userEvent.click(await screen.findByRole("option", { name: /^chan_cd ?column of orders/ }));
    expect(await screen.findByRole("heading", { name: "orders" })).toBeTruthy();
  });
});

describe("exporting", () => {
  it("offers other formats, whose files are named by their endings", async () => {
    await start();
    navigate({ page: "run", runId: "r1", tab: "answer" });
    await screen.findByRole("grid");
    const asked: string[] = [];
    const pick = host.pickSaveFile.bind(host);
    host.pickSaveFile = async (name) => {
      asked.push(name);
      return pick(name);
    };
    await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /Excel workbook/ }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatch(/^[a-z0-9-]+\.xlsx$/);
    expect(await screen.findByText(/^Exporting/)).toBeTruthy();
  });

  it("shows progress, then the path", async () => {
    await start();
    navigate({ page: "run", runId: "r1", tab: "answer" });
    await screen.findByRole("grid");
    await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText(/^Exporting/)).toBeTruthy();
    host.emit({
      kind: "job",
      event: {
        jobId: useToasts.getState().items[0]!.id.replace("job-", ""),
        kind: "resultExport",
        title: "Export",
        done: 10,
        total: 10,
        unit: "rows",
        state: "done",
        error: null,
        path: "/tmp/out.csv",
      },
    });
    expect(await screen.findByText("Exported 10 rows to out.csv.")).toBeTruthy();
    expect(await screen.findByText("/tmp/out.csv")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show in folder" }));
    const shown = host.calls.filter(([name]) => name === "showInFolder");
    expect(shown.map(([, args]) => args)).toEqual([[expect.stringMatching(/^job-/)]]);
  });

  it("says that all rows are written where the grid shows them otherwise, and copies those that are shown", async () => {
    await start();
    navigate({ page: "run", runId: "r1", tab: "answer" });
    const grid = await screen.findByRole("grid");
    expect(screen.getByRole("button", { name: "Export CSV" })).toBeTruthy();
    grid.focus();
    // To the first row, from there to the column names, and sorted by the first.
    await userEvent.keyboard("{ArrowDown}{ArrowUp}{Enter}");
    const button = await screen.findByRole("button", { name: "Export CSV: all 10 rows" });
    await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
    expect(await screen.findByText("To a file: all 10 rows, as returned by the query")).toBeTruthy();
    expect(screen.getByText("Copy shown rows (10)")).toBeTruthy();
    await userEvent.click(screen.getByRole("menuitem", { name: "CSV" }));
    await waitFor(() => expect(host.calls.some(([name]) => name === "copyText")).toBe(true));
    await userEvent.click(button);
    expect(
      await screen.findByText(/The grid shows 10 rows, filtered or rearranged/, {}, { timeout: 10_000 }),
    ).toBeTruthy();
  });
  const finished = (path: string) => ({
    kind: "job" as const,
    event: {
      jobId: useToasts.getState().items.at(-1)!.id.replace("job-", ""),
      kind: "resultExport" as const,
      title: "Export",
      done: 1,
      total: 1,
      unit: "rows",
      state: "done" as const,
      error: null,
      path,
    },
  });
  const exported = async (format: RegExp, many = 1) => {
    await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: format }));
    const calls = () => host.calls.filter(([name]) => name === "exportResult").map(([, args]) => args);
    await waitFor(() => expect(calls()).toHaveLength(many));
    return calls().at(-1) as [string, string, string, object, ExportAbout];
  };
  const factsOf = ({ facts }: ExportAbout) => Object.fromEntries(facts.map(({ label, text }) => [label, text]));

  it("sends what is known of the answer along, in the words of its page", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "r7", tab: "answer" }));
    await userEvent.click(
      await screen.findByRole("button", { name: "Why" }).catch(() => screen.getByText("Hide reasons")),
    );
    await screen.findByRole("region", { name: "Certainty" });
    const [warehouse, sql, path, , about] = await exported(/Excel workbook/);
    expect([about.title, about.beside]).toEqual(["About this answer", false]);
    const facts = factsOf(about);
    expect(facts.Question).toBe("Average basket by channel");
    expect([facts.SQL, facts.Source]).toEqual([sql, expect.stringContaining(warehouse)]);
    expect(facts.Filters).toBe("None: all rows, as returned by the query");
    expect(facts.Certainty).toBe("Probably not right");
    const { reasons } = CERTAINTIES.unlikely;
    expect(
      about.facts.filter(({ label }) => /^(Supports|Casts)/.test(label)).map(({ label, text }) => [label, text]),
    ).toEqual(
      reasons.map(({ supports, text }) => [supports ? "Supports the answer" : "Casts doubt on the answer", text]),
    );
    // Each of these stands on the page, too.
    const page = within(screen.getByRole("region", { name: "Certainty" }));
    for (const { text } of reasons) expect(page.getByText(text)).toBeTruthy();
    expect(page.getByText(facts.Measured!)).toBeTruthy();
    const { run } = runNow("r7");
    expect(about.columns).toHaveLength(run.page!.columns.length);
    act(() => host.emit(finished(path)));
    expect(
      await screen.findByText(`${path}. The answer is marked “Probably not right”: ${reasons[0]!.text}`),
    ).toBeTruthy();
  });

  it("is silent about certainty where the answer is sure, and claims none for an edited query", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "rules", tab: "answer" }));
    await screen.findByRole("region", { name: "Certainty" });
    const [, , path, , about] = await exported(/Excel workbook/);
    expect(factsOf(about).Certainty).toBe("Sure");
    expect(factsOf(about)["Vitrine changed the query"]).toBeTruthy();
    act(() => host.emit(finished(path)));
    expect(await screen.findByText(path)).toBeTruthy();
    expect(screen.queryByText(/The answer is marked/)).toBeNull();
    const notes = within(await screen.findByRole("region", { name: "About the query" }));
    await userEvent.click(notes.getAllByRole("button", { name: "Run" })[0]!);
    await screen.findByRole("region", { name: "Variant" });
    const [, sql, , , other] = await exported(/Excel workbook/, 2);
    const facts = factsOf(other);
    expect([facts.SQL, facts.Rows]).toEqual([sql, "variant"]);
    expect(facts.Certainty).toBe("The certainty of the answer does not apply to these rows");
    expect(Object.keys(facts)).not.toContain("Supports the answer");
    expect(other.columns).toEqual([]);
  });

  it("adds a text file once that is chosen, and remembers the choice", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await screen.findByRole("region", { name: "Certainty" });
    await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
    const choice = await screen.findByRole("menuitemcheckbox", { name: "Add a text file about the answer" });
    expect(choice.getAttribute("aria-checked")).toBe("false");
    await userEvent.click(choice);
    expect(await host.preference("export.about")).toBe("yes");
    await userEvent.keyboard("{Escape}");
    const [, , , , about] = await exported(/JSON/);
    expect(about.beside).toBe(true);
    act(() => setAboutFile(false));
  });

  it("names the file after the question", () => {
    expect(exportName("Umsatz für Köln, 2024?", "csv")).toBe("umsatz-fur-koln-2024.csv");
    expect(exportName("???", "xlsx")).toBe("result.xlsx");
  });
});

describe("an answer that Python code gave", () => {
  it("is exported from the table that is kept, not by its SQL", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "prospy", tab: "answer" }));
    await screen.findByRole("grid", { name: "Answer" });
    await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText("Exporting which-product-categories-lost-revenue-from-2024-to.csv")).toBeTruthy();
    const exported = host.calls.find(([name]) => name === "exportTable")?.[1];
    expect(exported?.[0]).toEqual({ owner: "prospy", rerun: false });
    expect(host.calls.map(([name]) => name)).not.toContain("exportResult");
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(await screen.findByText("Export stopped. Nothing was written.")).toBeTruthy();
  });

  const editor = async () => {
    const found = await screen.findByRole("textbox", { name: "Python" });
    return EditorView.findFromDOM(found)!;
  };
  const write = async (text: string) => {
    const view = await editor();
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  };
  const called = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);

  it("is edited and run over the same views, and keeps what was written", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "prospy", tab: "answer" }));
    await userEvent.click(await screen.findByRole("button", { name: /Python code over the fetched views/ }));
    expect(await screen.findByRole("tab", { name: "SQL and Python", selected: true })).toBeTruthy();
    expect((await editor()).state.doc.toString()).toBe(CODE);
    await userEvent.click(screen.getByRole("button", { name: "View queries" }));
    expect(within(screen.getByRole("region", { name: "View queries" })).getByText(/region_stores/)).toBeTruthy();

    await write(`${CODE}.head(1)`);
    expect(screen.getByText("Edited")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText(/1 row in/)).toBeTruthy();
    expect(called("runCode")).toEqual([["prospy", `${CODE}.head(1)`]]);
    expect(within(screen.getByRole("region", { name: "Printed output" })).getByText(/152 pairs/)).toBeTruthy();
    expect(screen.getByRole("grid", { name: "Result of the code" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /^Export CSV/ }));
    await waitFor(() => expect(called("exportTable")[0]?.[0]).toEqual({ owner: "prospy", rerun: true }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop" }));

    await userEvent.click(screen.getByRole("tab", { name: "Graph" }));
    await userEvent.click(await screen.findByRole("radio", { name: "Outline" }));
    await userEvent.click(screen.getByRole("tab", { name: "SQL and Python" }));
    expect((await editor()).state.doc.toString()).toBe(`${CODE}.head(1)`);
    await userEvent.click(screen.getByRole("button", { name: "Reset" }));
    expect((await editor()).state.doc.toString()).toBe(CODE);
    expect(screen.queryByText("Edited")).toBeNull();
  });

  it("says what is wrong and where, and can be stopped", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "prospy", tab: "sql" }));
    await write('x = 1\nresult = category_revenue["boom"]');
    const view = await editor();
    view.focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findByRole("alert")).textContent).toContain("line 2: KeyError: 'boom'");
    expect(view.dom.querySelector(".cm-badLine")?.textContent).toContain("boom");
    expect(screen.getByRole("region", { name: "Printed output" }).textContent).toContain("so far");
    expect(screen.queryByRole("grid", { name: "Result of the code" })).toBeNull();

    await write("while True: pass");
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
    expect(await screen.findByRole("button", { name: "Run" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: CODE } }));
  });

  it("leads to the settings where Python is no longer set up", async () => {
    await start({ pythonGone: true });
    act(() => navigate({ page: "run", runId: "prospy", tab: "sql" }));
    await userEvent.click(await screen.findByRole("button", { name: "Run" }));
    expect((await screen.findByRole("alert")).textContent).toContain("not set up");
    await userEvent.click(screen.getByRole("button", { name: "Set up Python" }));
    expect(await screen.findByRole("region", { name: "ProSPy" })).toBeTruthy();
  });

  it("is saved with its code and its views, and runs again from there", async () => {
    await start();
    act(() => navigate({ page: "run", runId: "prospy", tab: "sql" }));
    await write(`${CODE}  # checked`);
    act(() => (document.activeElement as HTMLElement | null)?.blur());
    await userEvent.keyboard("{Control>}s{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Save question" }));
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(called("saveQuestion")).toHaveLength(1));
    expect(called("saveQuestion")[0]![0]).toMatchObject({
      code: { code: `${CODE}  # checked`, views: VIEWS },
      runId: "prospy",
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    act(() => navigate({ page: "saved", id: "s3" }));
    expect(await screen.findByText(/3 rows in/)).toBeTruthy();
    expect(called("runSavedCode")).toEqual([["s3", CODE]]);
    expect(screen.getByText(/category_revenue has more rows/)).toBeTruthy();
    await write(`${CODE}.head(1)`);
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await userEvent.click(
      within(await screen.findByRole("dialog", { name: "Edit saved question" })).getByRole("button", {
        name: "Save",
      }),
    );
    await waitFor(() => expect(called("saveQuestion")).toHaveLength(2));
    expect(called("saveQuestion")[1]![0]).toMatchObject({
      id: "s3",
      code: { code: `${CODE}.head(1)`, views: VIEWS },
    });
  });
});

describe("Python for analysis", () => {
  const row = async () => within(await screen.findByRole("region", { name: "ProSPy" }));
  it("is set up with progress, and can be removed", async () => {
    await start();
    act(() => navigate({ page: "settings", tab: "methods" }));
    await userEvent.click(await (await row()).findByRole("button", { name: "Set up (about 500 MB)" }));
    expect(await (await row()).findByRole("progressbar", { name: "Setting up Python" })).toBeTruthy();
    await userEvent.click((await row()).getByRole("button", { name: "Cancel" }));
    expect(await (await row()).findByRole("button", { name: /Set up/ })).toBeTruthy();
    host.python = async () => ({ installed: true, bytes: 486e6, neededBytes: 5e8, unavailable: null });
    act(() => navigate({ page: "settings", tab: "models" }));
    act(() => navigate({ page: "settings", tab: "methods" }));
    expect(await (await row()).findByText("486 MB")).toBeTruthy();
    await userEvent.click((await row()).getByRole("button", { name: /Remove/ }));
    expect((await row()).getByText("Being removed")).toBeTruthy();
    expect(host.calls.map(([name]) => name)).not.toContain("removePython");
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect((await row()).getByRole("button", { name: /Remove/ })).toBeTruthy();
  });
  it("says why it cannot be had", async () => {
    await start({ noPython: "bubblewrap is missing" });
    act(() => navigate({ page: "settings", tab: "methods" }));
    expect(await (await row()).findByText(/bubblewrap is missing/)).toBeTruthy();
    expect((await row()).queryByRole("button", { name: /Set up/ })).toBeNull();
  });
});

describe("addresses", () => {
  it("come back as they were written", () => {
    for (const route of [
      { page: "ask" },
      { page: "run", runId: "a/b c", tab: "graph" },
      { page: "run", runId: "r", tab: "graph", face: "work" },
      { page: "run", runId: "r", tab: "graph", face: "data", form: "outline" },
      { page: "saved", id: null },
      { page: "settings", tab: "asking" },
      { page: "settings", tab: "methods" },
      { page: "settings", tab: "rules" },
    ] as const) {
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }
    expect(parseRoute("#/nonsense")).toEqual({ page: "ask" });
  });
  it("of tabs that are part of the graph now lead there", () => {
    const graph = { page: "run", runId: "r", tab: "graph", form: "outline" };
    expect(parseRoute("#/run/r/explanation")).toEqual({ ...graph, face: "data" });
    expect(parseRoute("#/run/r/steps")).toEqual({ ...graph, face: "work" });
  });
});

describe("a server that wants a password", () => {
  const field = () => screen.findByLabelText(/^Password/);

  it("is asked for again at the password, which is remembered when it is right", async () => {
    await start();
    useConnections.setState({ dialog: true });
    await userEvent.click(await screen.findByLabelText("Path"));
    await userEvent.paste(SERVER.uri.replace("ann@", "ann:wrong@"));
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByText(/refused the password/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Path").value).toBe(SERVER.uri);
    await waitFor(async () => expect(document.activeElement).toBe(await field()));
    expect(((await field()) as HTMLInputElement).value).toBe("");
    await userEvent.type(await field(), `${SERVER.password}{Enter}`);
    await waitFor(() => expect(useConnections.getState().current?.uri).toBe(SERVER.uri));
    expect(host.calls.filter(([name]) => name === "rememberPassword")).toEqual([["rememberPassword", [SERVER.uri]]]);
    expect(screen.queryByLabelText("Path")).toBeNull();
  });

  it("is told that it is remembered only for now where there is no keychain", async () => {
    await start({ keychain: false });
    await openWarehouse(SERVER.uri);
    expect(await screen.findByText(/kept only until Vitrine is closed/)).toBeTruthy();
    expect(document.activeElement).toBe(await field());
    await userEvent.type(await field(), `${SERVER.password}{Enter}`);
    await waitFor(() => expect(useConnections.getState().current?.uri).toBe(SERVER.uri));
    expect(host.calls.some(([name]) => name === "rememberPassword")).toBe(false);
  });
});
