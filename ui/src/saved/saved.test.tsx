// The library: what is saved once, found again, checked, and kept as files.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { SAVED } from "../../test/fake/data";
import type { FakeHost } from "../../test/fake/host";
import { BROKEN, CHANGED } from "../../test/fake/library";
import { start } from "../../test/start";
import { startEvidence } from "../answer/evidence";
import { filterQuestions, foldersOf, readTags } from "../features/saved/find";
import { loadSaved, useSaved } from "../features/saved/state";
import { useToasts } from "../kit/toast";
import { navigate, useRoute } from "../navigation/route";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

const called = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const titles = () =>
  screen.queryAllByRole("button", { name: /^More for/ }).map((b) => b.getAttribute("aria-label")!.slice(9));
const saved = async () => {
  act(() => navigate({ page: "saved", id: null }));
  await screen.findByRole("heading", { name: "Saved questions" });
};

describe("an answer", () => {
  it("is saved once: the second time it is the same saved question, with a link to it", async () => {
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await userEvent.click(await screen.findByRole("button", { name: "Save" }));
    const first = await dialog("Save question");
    await userEvent.type(first.getByLabelText("Folder"), "Sales/Monthly");
    await userEvent.type(first.getByLabelText("Tags"), "board, finance,");
    await userEvent.click(first.getByRole("button", { name: "Save" }));
    await userEvent.click(await within(screen.getByRole("main")).findByRole("button", { name: "Saved" }));
    const second = await dialog("Edit saved question");
    expect(second.getByLabelText<HTMLInputElement>("Folder").value).toBe("Sales/Monthly");
    await userEvent.type(second.getByLabelText("Notes"), "for the board");
    await userEvent.click(second.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(useSaved.getState().list).toHaveLength(SAVED.length + 1));
    const kept = useSaved.getState().list[0]!;
    expect(kept).toMatchObject({ runId: "r3", notes: "for the board" });
    expect(kept.filing).toMatchObject({ folder: "Sales/Monthly", tags: ["board", "finance"] });
    await userEvent.click((await screen.findAllByRole("button", { name: "Open" }))[0]!);
    expect(useRoute.getState().route).toEqual({ page: "saved", id: kept.id });
  });

  it("that does not run is saved, but not verified, and saved once all the same", async () => {
    act(() => useSaved.setState({ draft: { ...draft("Broken"), sql: BROKEN, status: "verified" } }));
    const open = await dialog("Save question");
    await userEvent.click(open.getByRole("button", { name: "Save" }));
    expect((await open.findByRole("alert")).textContent).toContain("no such column");
    await userEvent.click(open.getByRole("radio", { name: "Draft" }));
    await userEvent.click(open.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const kept = useSaved.getState().list.filter((q) => q.title === "Broken");
    expect(kept.map((q) => q.status)).toEqual(["draft"]);
  });

  it("of a run that is saved with another query can replace that", async () => {
    act(() => useSaved.setState({ draft: { ...draft("Another"), sql: "SELECT 2", runId: "r1" } }));
    const open = await dialog("Save question");
    await userEvent.click(open.getByRole("button", { name: "Update it instead" }));
    expect(
      within(screen.getByRole("radiogroup", { name: "Status" })).getByRole("radio", { checked: true }).textContent,
    ).toBe("Draft");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(called("saveQuestion")).toHaveLength(1));
    expect(called("saveQuestion")[0]![0]).toMatchObject({ id: "s1", sql: "SELECT 2", status: "draft" });
  });
});

const draft = (title: string) => ({
  id: null,
  title,
  question: title,
  sql: "SELECT 1",
  code: null,
  warehouse: SAVED[0]!.warehouse,
  status: "draft" as const,
  runId: null,
  notes: "",
});

describe("the list", () => {
  it("is narrowed by folder, tag, status, words, and what has changed", async () => {
    await saved();
    expect(titles()).toHaveLength(3);
    await userEvent.click(
      within(screen.getByRole("navigation", { name: "Folders" })).getByRole("button", { name: /Sales/ }),
    );
    expect(titles()).toEqual([SAVED[0]!.title]);
    await userEvent.click(screen.getByRole("button", { name: /^All/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Schema changed (1)" }));
    expect(titles()).toEqual([SAVED[1]!.title]);
    await userEvent.type(screen.getByLabelText("Search saved questions"), "nothing like it");
    expect(titles()).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    await userEvent.type(screen.getByLabelText("Search saved questions"), "FINANCE product");
    expect(titles()).toEqual([SAVED[0]!.title]);
  });

  it("knows folders in folders, and does not take one for the beginning of another", () => {
    const at = (id: string, folder: string) => ({ ...SAVED[1]!, id, filing: { ...SAVED[1]!.filing, folder } });
    const list = [at("a", "Sales/Monthly"), at("b", "Sales"), at("c", "Salesmen"), at("d", "")];
    expect(foldersOf(list).map((f) => [f.path, f.depth, f.questions])).toEqual([
      ["Sales", 0, 2],
      ["Sales/Monthly", 1, 1],
      ["Salesmen", 0, 1],
    ]);
    const look = { search: "", folder: "Sales", tag: null, status: null, drifted: false };
    expect(filterQuestions(list, look, {}).map((q) => q.id)).toEqual(["a", "b"]);
    expect(readTags(" a, b ,,a")).toEqual(["a", "b"]);
  });

  it("is written to a folder that the user chooses, as it is shown, and read from one", async () => {
    await saved();
    await userEvent.type(screen.getByLabelText("Search saved questions"), "web");
    await userEvent.click(screen.getByRole("button", { name: "Files" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Export 1 question to files…" }));
    await waitFor(() => expect(called("exportLibrary")).toEqual([[["s2"], "folder"]]));
    expect(await screen.findByText("Exported 1 saved question.")).toBeTruthy();

    await userEvent.click(screen.getByRole("button", { name: "Files" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Import from files…" }));
    const open = await dialog("Import saved questions");
    await userEvent.click(open.getByRole("switch"));
    await userEvent.click(open.getByRole("button", { name: "Choose folder" }));
    expect((await open.findByRole("status")).textContent).toBe("1 new, 0 changed, 3 unchanged.");
    expect(called("importLibrary")).toEqual([["folder", true]]);
    expect(open.getByText(/connection 'Shop' not found/)).toBeTruthy();
    expect(open.getByText(/its format is not a number/)).toBeTruthy();
  });
});

describe("a deleted question", () => {
  it("gives the focus to the next one, which keeps it while the undo is there", async () => {
    act(() => navigate({ page: "saved", id: null }));
    const entries = () => screen.getAllByRole("button", { name: /^More for / });
    const [first, second] = await screen.findAllByRole("button", { name: /^More for / });
    const before = entries().length;
    await userEvent.click(first!);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await waitFor(() => expect(entries().length).toBe(before - 1));
    await waitFor(() => expect(document.activeElement).toBe(second));
    await userEvent.keyboard("{F8}");
    expect(document.activeElement?.textContent).toBe("Undo");
    await userEvent.keyboard("{Enter}");
    expect(entries().length).toBe(before);
    await waitFor(() => expect(document.activeElement).toBe(second));
  });
});

describe("a saved question", () => {
  it("opens on what it gave last, and runs again only when asked", async () => {
    act(() => navigate({ page: "saved", id: "s1" }));
    expect(await screen.findByText(/Last run 20 Nov 2026/)).toBeTruthy();
    expect(screen.getByRole("grid", { name: "Answer" })).toBeTruthy();
    expect([called("runSaved"), called("openResult")]).toEqual([[], []]);
    await userEvent.click(screen.getByRole("button", { name: "Refresh data" }));
    expect(await screen.findByText(/Last run 24 Nov 2026/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show how it was answered" }));
    expect(useRoute.getState().route).toMatchObject({ page: "run", runId: "r1", tab: "graph" });
  });

  it("without a result says so, and says by name what has changed of its schema", async () => {
    act(() => navigate({ page: "saved", id: "s2" }));
    expect(await screen.findByText("No saved result for this query")).toBeTruthy();
    expect(await screen.findByText(`${CHANGED[0]}.`)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText("7")).toBeTruthy();
  });

  it("says who has checked it, and is checked by the user of this computer", async () => {
    act(() => navigate({ page: "saved", id: "s1" }));
    expect(await screen.findByText("by ann on 20 Nov 2026")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Mark as" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /^Verified/ }));
    expect(await screen.findByText("by ada on 24 Nov 2026 (10 rows)")).toBeTruthy();
    // Verifying ran it, so that was its last run.
    expect(await screen.findByText(/Last run 24 Nov 2026/)).toBeTruthy();
    expect(called("markSaved")).toEqual([["s1", "verified", null]]);
    await userEvent.click(screen.getByRole("button", { name: "Mark as" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Draft" }));
    expect(await screen.findByText("Not checked yet.")).toBeTruthy();
  });

  it("that somebody without a name has checked says when, and not by whom", async () => {
    await host.markSaved("s1", "verified", "");
    await act(loadSaved);
    act(() => navigate({ page: "saved", id: "s1" }));
    expect(await screen.findByText("on 24 Nov 2026 (10 rows)")).toBeTruthy();
    act(() => navigate({ page: "ask" }));
    await userEvent.type(screen.getByLabelText("Question"), SAVED[0]!.question);
    expect(await screen.findByText(/This question was verified on 24 Nov 2026/)).toBeTruthy();
  });
});

describe("parameters", () => {
  it("are chosen on saving, asked for on running, and filled in without changing the kept result", async () => {
    act(() => navigate({ page: "saved", id: "s1" }));
    await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
    const open = await dialog("Edit saved question");
    await userEvent.click(await open.findByRole("checkbox", { name: /^Channel/ }));
    await userEvent.click(open.getByRole("checkbox", { name: /^Year/ }));
    await userEvent.click(open.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(called("setParameters")).toEqual([["s1", ["year", "channel"]]]));
    expect(useSaved.getState().list[0]!.status).toBe("verified");
    const form = within(await screen.findByRole("form", { name: "Parameters" }));
    const year = form.getByLabelText<HTMLInputElement>("Year");
    expect(year.value).toBe("2024");
    await userEvent.clear(year);
    await userEvent.type(year, "2023");
    await userEvent.click(form.getByRole("button", { name: "Run" }));
    expect(await screen.findByText(/^Run 24 Nov 2026.*with Year 2023$/)).toBeTruthy();
    expect(called("runSaved")).toEqual([["s1", { year: "2023" }]]);
    await userEvent.click(form.getByRole("button", { name: "Reset" }));
    await userEvent.click(form.getByRole("button", { name: "Run" }));
    expect(await screen.findByText(/^Last run 24 Nov 2026/)).toBeTruthy();
  });
});

describe("a verified question", () => {
  it("is offered where it is asked again in the same words, and only then", async () => {
    const box = screen.getByLabelText("Question");
    await userEvent.type(box, SAVED[0]!.question.toUpperCase());
    expect(await screen.findByText(/ann verified this question on 20 Nov 2026/)).toBeTruthy();
    await userEvent.type(box, " by month");
    await waitFor(() => expect(screen.queryByText(/verified this question/)).toBeNull());
    expect(called("ask")).toEqual([]);
    await userEvent.clear(box);
    await userEvent.type(box, SAVED[0]!.question);
    await userEvent.click(await screen.findByRole("button", { name: "Use that query" }));
    expect(useRoute.getState().route).toEqual({ page: "saved", id: "s1" });
  });

  it("that guided an answer is named below it", async () => {
    const log = await host.runEvents("r3", 0);
    const [first, ...rest] = log;
    const body = { ...first!.body, guidedBy: [{ savedId: "s1", title: "Top products" }] };
    host.runEvents = async () => [{ ...first!, body } as typeof first & {}, ...rest];
    act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
    await userEvent.click(await screen.findByRole("button", { name: "“Top products”" }));
    expect(useRoute.getState().route).toEqual({ page: "saved", id: "s1" });
  });
});

describe("the evidence of a run", () => {
  it("is written to a file, and says what was left out", async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await screen.findByRole("grid", { name: "Answer" });
    await userEvent.click(within(screen.getByRole("main")).getAllByRole("button", { name: "More" })[0]!);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Evidence bundle…" }));
    const asked = await dialog("Export evidence");
    expect(asked.getByText(/as far as the privacy settings of this database allow/)).toBeTruthy();
    await userEvent.click(asked.getByRole("button", { name: "Choose where to save" }));
    await waitFor(() => expect(called("exportBundle")).toHaveLength(1));
    expect(called("exportBundle")[0]).toMatchObject(["r1", expect.stringMatching(/evidence-.*\.zip$/), false]);
    await waitFor(() =>
      expect(useToasts.getState().items.map((t) => t.text)).toContain(
        "Withheld by the privacy settings of this database: rows and the log except the answer.",
      ),
    );
  });

  it("is written whole where somebody says so, for that file alone", async () => {
    const name = { name: "Include everything" };
    act(() => startEvidence({ runId: "r1", question: "Top products" }));
    const asked = await dialog("Export evidence");
    await userEvent.click(asked.getByRole("switch", name));
    expect(asked.getByText(/as confidential as the database/)).toBeTruthy();
    await userEvent.click(asked.getByRole("button", { name: "Choose where to save" }));
    await waitFor(() =>
      expect(called("exportBundle").map(([run, , everything]) => [run, everything])).toEqual([["r1", true]]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    act(() => startEvidence({ runId: "r1", question: "Top products" }));
    const again = await dialog("Export evidence");
    expect(again.getByRole("switch", { ...name, checked: false })).toBeTruthy();
    await userEvent.click(again.getByRole("button", { name: "Cancel" }));
  });

  it("is checked from its file, and its query is run again only when asked", async () => {
    await saved();
    await userEvent.click(screen.getByRole("button", { name: "Files" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Check an evidence bundle…" }));
    const open = await dialog("Evidence bundle");
    expect(open.getByText("Not checked")).toBeTruthy();
    expect(open.queryByRole("alert")).toBeNull();
    await userEvent.click(open.getByRole("button", { name: "Run query again" }));
    expect((await open.findByRole("alert")).textContent).toBe("The query gives other rows now");
    expect(called("inspectBundle").map(([, warehouse]) => warehouse)).toEqual([null, "sample"]);
  });
});

describe("the history", () => {
  const entry = (name: RegExp) => screen.findByRole("button", { name });
  const menu = async (name: RegExp, item: string) => {
    await userEvent.click(within((await entry(name)).parentElement!).getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: item }));
  };

  it("shows a question under the name that it was given, and under its own without one", async () => {
    await menu(/^Average basket/, "Rename");
    const open = await dialog("Rename question");
    await userEvent.clear(open.getByLabelText(/Name in the history/));
    await userEvent.type(open.getByLabelText(/Name in the history/), "For the board");
    await userEvent.click(open.getByRole("button", { name: "Rename" }));
    expect(await entry(/^For the board/)).toBeTruthy();
    await menu(/^For the board/, "Rename");
    await userEvent.clear((await dialog("Rename question")).getByLabelText(/Name in the history/));
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    expect(await entry(/^Average basket/)).toBeTruthy();
  });

  it("keeps pinned questions on top", async () => {
    await menu(/^Average basket/, "Pin");
    expect(await screen.findByRole("heading", { name: "Pinned" })).toBeTruthy();
    await menu(/^Average basket/, "Unpin");
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Pinned" })).toBeNull());
  });

  it("is narrowed to one database", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Filter by data" }));
    const choices = await screen.findAllByRole("menuitemcheckbox");
    await userEvent.click(choices.at(-1)!);
    expect(await screen.findByText("No matching questions.")).toBeTruthy();
    expect(called("history").at(-1)![1]).not.toBeNull();
  });
});
