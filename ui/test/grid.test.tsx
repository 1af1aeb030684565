import { fireEvent, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { announceDeletion } from "../src/domain/deletions";
import { resultEngine, WholeResult } from "../src/features/grid/engine";
import { Grid } from "../src/features/grid/Grid";
import { readLayouts, startLayouts, useGridLayouts } from "../src/features/grid/layoutStore";
import type { Sort } from "../src/features/grid/sort";
import { PagedSource, pageRows, type RowSource } from "../src/features/grid/source";
import { useAnswerSource } from "../src/features/grid/state";
import type { Page, ResultColumn } from "../src/host/bindings";
import { AppFailure, type Host, setHost } from "../src/host/host";
import { Toaster } from "../src/kit/toaster";
import { HintProvider } from "../src/kit/tooltip";
import { fakeEngine } from "./fake/engine";
import { fakeHost } from "./fake/host";
import { bigPage } from "./fake/log";

const COLUMNS: ResultColumn[] = [
  { name: "city", type: "text" },
  { name: "year", type: "integer" },
  { name: "revenue", type: "decimal" },
  { name: "note", type: "nested" },
];
const ROWS = [
  ["Rome", "2024", "9500.00", '{"a": 12345678901234567890}'],
  ["Oslo", "2023", "123456789012345678.10", null],
  ["<b>Bern</b>", "2025", null, ""],
  ["=1+1", "2022", "10500.25", "[]"],
];

let copied: string[] = [];
beforeEach(() => {
  copied = [];
  useGridLayouts.setState({ looks: {}, kept: {} });
  setHost({
    ...fakeHost(),
    copyText: async (text: string) => {
      copied.push(text);
    },
  });
});

const grid = () => screen.getByRole("grid", { name: "Answer" });
const texts = (column: number) =>
  within(grid())
    .getAllByRole("gridcell")
    .filter((cell) => cell.getAttribute("aria-colindex") === String(column))
    .map((cell) => cell.textContent);
const header = (name: string) => within(grid()).getByRole("columnheader", { name: new RegExp(`^${name}`) });
const press = (key: string, more = {}) => fireEvent.keyDown(grid(), { key, ...more });

function show(
  source: RowSource = pageRows(COLUMNS, ROWS),
  remember?: string,
  order?: Sort,
  names?: (string | null)[],
) {
  return render(
    <HintProvider>
      <Grid source={source} label="Answer" remember={remember} order={order} names={names} />
      <Toaster />
    </HintProvider>,
  );
}

/** Here many rows are sorted and searched by this process. */
const PATIENT = { timeout: 15_000 };

const handleOf = ({ columns, rowCount }: Page) => ({
  resultId: "r",
  columns,
  rowCount,
  complete: true,
  truncated: false,
  outOfRoom: null,
  elapsedMs: 1,
});

/** An open result that the backend keeps. */
function kept(page: Page, more: Partial<Host> = {}): RowSource {
  setHost({ ...fakeHost(), ...fakeEngine(() => page), ...more });
  const whole = new WholeResult(() => handleOf(page), null);
  const read = async (offset: number, count: number) => ({ ...page, rows: page.rows.slice(offset, offset + count) });
  return new PagedSource(page.columns, page.rowCount, read, "whole", resultEngine(whole, page.columns));
}

async function columnMenu(name: string, item: string) {
  await userEvent.click(screen.getByRole("button", { name: `Column ${name}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

async function menuOf(button: string) {
  await userEvent.click(
    within(screen.getByRole("group", { name: "Grid tools" })).getByRole("button", { name: button }),
  );
}

describe("months that came in any order", () => {
  const source = pageRows(
    [
      { name: "month", type: "timestamp" },
      { name: "revenue", type: "decimal" },
    ],
    [
      ["2023-03-01 00:00:00", "3.00"],
      ["2023-01-01 00:00:00", "1.00"],
      ["2023-02-01 00:00:00", "2.00"],
    ],
  );
  it("stand in their order as months, which the header says, and as they came once that is taken away", async () => {
    show(source, "run", { column: 0, down: false });
    expect(texts(1)).toEqual(["Jan 2023", "Feb 2023", "Mar 2023"]);
    expect(header("month").getAttribute("aria-sort")).toBe("ascending");
    await userEvent.click(header("month"));
    await userEvent.click(header("month"));
    expect(texts(1)).toEqual(["Mar 2023", "Jan 2023", "Feb 2023"]);
  });
});

it("has headers in words, while what is copied has the query's names", async () => {
  show(pageRows(COLUMNS, ROWS), undefined, undefined, [null, null, "sum of amounts", null]);
  expect(header("sum of amounts")).toBeTruthy();
  expect(within(grid()).queryByRole("columnheader", { name: /^revenue/ })).toBeNull();
  press("a", { ctrlKey: true });
  press("C", { ctrlKey: true, shiftKey: true });
  await waitFor(() => expect(copied).toHaveLength(1));
  expect(copied[0]).toContain("revenue");
});

describe("values", () => {
  it("are shown readably, and exactly on demand", async () => {
    show();
    expect(texts(3)).toEqual(["9,500.00", "123,456,789,012,345,678.10", "NULL", "10,500.25"]);
    expect(texts(2)).toEqual(["2024", "2023", "2025", "2022"]);
    expect(texts(4)).toEqual(['{"a":12345678901234567890}', "NULL", "empty", "[]"]);
    expect(texts(1)[2]).toBe("<b>Bern</b>");
    await menuOf("More");
    await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Exact values" }));
    expect(texts(3)[1]).toBe("123456789012345678.10");
    expect(texts(4)[0]).toBe('{"a": 12345678901234567890}');
  });

  it("are copied exactly, as the selection or as a whole", async () => {
    show();
    press("ArrowDown");
    press("a", { ctrlKey: true });
    press("c", { ctrlKey: true });
    await screen.findByText("Copied 4 rows.");
    expect(copied[0]!.split("\n")[3]).toBe("=1+1\t2022\t10500.25\t[]");
    await menuOf("Copy");
    await userEvent.click((await screen.findAllByRole("menuitem", { name: "CSV" })).at(-1)!);
    await waitFor(() => expect(copied).toHaveLength(2));
    expect(copied[1]!.split("\n").slice(0, 2)).toEqual([
      "city,year,revenue,note",
      'Rome,2024,9500.00,"{""a"": 12345678901234567890}"',
    ]);
  });

  it("are too many to copy above some number", async () => {
    const big = new PagedSource(bigPage(0, 0, 1).columns, 200_000, async (offset, count) =>
      bigPage(offset, count, 200_000),
    );
    show(big);
    press("a", { ctrlKey: true });
    press("c", { ctrlKey: true });
    await screen.findByText(/Only 100,000 rows/);
    expect(copied).toEqual([]);
  });
});

describe("sorting", () => {
  it("goes through three states by mouse, numbers by value and NULL last", async () => {
    show();
    fireEvent.click(header("revenue"));
    expect(header("revenue").getAttribute("aria-sort")).toBe("ascending");
    expect(texts(3)).toEqual(["9,500.00", "10,500.25", "123,456,789,012,345,678.10", "NULL"]);
    fireEvent.click(header("revenue"));
    expect(header("revenue").getAttribute("aria-sort")).toBe("descending");
    expect(texts(1)).toEqual(["Oslo", "=1+1", "Rome", "<b>Bern</b>"]);
    fireEvent.click(header("revenue"));
    expect(header("revenue").getAttribute("aria-sort")).toBe("none");
    expect(texts(1)[0]).toBe("Rome");
  });

  it("goes by keys too", () => {
    show();
    press("ArrowDown");
    press("ArrowRight");
    press("ArrowUp");
    expect(grid().getAttribute("aria-activedescendant")).toBe(header("year").id);
    press("Enter");
    expect(texts(2)).toEqual(["2022", "2023", "2024", "2025"]);
    press("ArrowDown");
    const active = document.getElementById(grid().getAttribute("aria-activedescendant")!);
    expect(active?.textContent).toContain("2022");
  });

  it("can be given up while the backend sorts", async () => {
    const stopArranging = vi.fn(async () => {});
    show(kept(bigPage(0, 4_100, 4_100), { arrangeResult: () => new Promise(() => {}), stopArranging }));
    await waitFor(() => expect(texts(1)[0]).toBe("100000"));
    fireEvent.click(header("order_id"));
    expect(await screen.findByText("Sorting rows…")).toBeTruthy();
    expect(header("order_id").getAttribute("aria-sort")).toBe("none");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(stopArranging).toHaveBeenCalledWith("r");
    expect(screen.queryByText("Sorting rows…")).toBeNull();
    expect(texts(1)[0]).toBe("100000");
  });

  it("says why rows could not be sorted, and shows them as they were", async () => {
    const error = { code: "internal" as const, message: "The disk is full", hint: null, detail: null };
    const arrangeResult = async () => Promise.reject(new AppFailure(error));
    show(kept(bigPage(0, 300, 300), { arrangeResult }));
    await waitFor(() => expect(texts(1)[0]).toBe("100000"));
    fireEvent.click(header("order_id"));
    expect(await screen.findByText("The disk is full")).toBeTruthy();
    await waitFor(() => expect(header("order_id").getAttribute("aria-sort")).toBe("none"));
  });

  it("is refused, not done by halves, where the result is not whole", async () => {
    show(pageRows(COLUMNS, ROWS, "part"));
    fireEvent.click(header("revenue"));
    expect(header("revenue").getAttribute("aria-sort")).toBe("none");
    expect(texts(1)[0]).toBe("Rome");
    await screen.findByText(/Only part of the result is loaded/);
    await userEvent.click(screen.getByRole("button", { name: "Column revenue" }));
    const item = await screen.findByRole("menuitem", { name: "Sort ascending" });
    expect(item.getAttribute("aria-disabled")).toBe("true");
  });
});

describe("a result of more rows than the window holds", () => {
  const ROWS_KEPT = 60_000;
  const page = bigPage(0, ROWS_KEPT, ROWS_KEPT);
  const open = async (more: Partial<Host> = {}) => {
    show(kept(page, more));
    await waitFor(() => expect(texts(1)[0]).toBe("100000"), PATIENT);
  };

  it("is sorted where its rows are kept, and only what is seen crosses", async () => {
    const engine = fakeEngine(() => page);
    const arrangedRows = vi.fn(engine.arrangedRows);
    await open({ ...engine, arrangedRows });
    fireEvent.click(header("order_id"));
    fireEvent.click(header("order_id"));
    await waitFor(() => expect(texts(1)[0]).toBe("159999"), PATIENT);
    expect(header("order_id").getAttribute("aria-sort")).toBe("descending");
    expect(arrangedRows.mock.calls.length).toBeLessThan(5);
    fireEvent.click(header("order_id"));
    await waitFor(() => expect(texts(1)[0]).toBe("100000"), PATIENT);
  });

  it("is filtered, searched and counted as a whole", async () => {
    await open();
    await columnMenu("status", "Filter");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getAllByRole("textbox").at(-1)!, "RETURNED");
    await userEvent.click(dialog.getByRole("button", { name: "Filter" }));
    const returned = page.rows.filter((row) => row[4] === "returned");
    const kept = `${returned.length.toLocaleString("en-US")} of 60,000 rows`;
    expect(await screen.findByText(kept, undefined, PATIENT)).toBeTruthy();
    await waitFor(() => expect(texts(1)[0]).toBe(returned[0]![0]), PATIENT);

    press("f", { ctrlKey: true });
    await userEvent.type(await screen.findByLabelText("Search rows", { selector: "input" }), returned.at(-1)![0]!);
    expect(await screen.findByText("1 cell", undefined, PATIENT)).toBeTruthy();

    await columnMenu("items", "Statistics");
    const figures = within(await screen.findByRole("dialog", { name: "Statistics of items" }));
    const sum = returned.reduce((before, row) => before + Number(row[5]), 0);
    expect(await figures.findByText(sum.toLocaleString("en-US"), undefined, PATIENT)).toBeTruthy();
    expect(figures.getByText(/^Based on .* of 60,000 rows \(filtered\)$/)).toBeTruthy();
  });

  it("is added up where it is selected whole", async () => {
    await open();
    await columnMenu("items", "Select column");
    const sum = page.rows.reduce((before, row) => before + Number(row[5]), 0);
    expect(await screen.findByText(sum.toLocaleString("en-US"), undefined, PATIENT)).toBeTruthy();
  });
});

describe("a whole answer whose rows are not all here", () => {
  it("is opened once, for its rows and to be searched", async () => {
    const whole = bigPage(0, 25_000, 25_000);
    const page = { ...whole, rows: whole.rows.slice(0, 100) };
    const openResult = vi.fn(async () => handleOf(whole));
    const resultRows = async (_: string, offset: number, count: number) => ({
      ...whole,
      rows: whole.rows.slice(offset, offset + count),
    });
    setHost({ ...fakeHost(), ...fakeEngine(() => whole), openResult, resultRows } as Host);
    const { result } = renderHook(() => useAnswerSource(page, { warehouse: "file:x", sql: "SELECT 1" }));
    show(result.current);
    press("f", { ctrlKey: true });
    const field = await screen.findByLabelText("Search rows", { selector: "input" });
    await userEvent.type(field, "124999");
    expect(await screen.findByText("1 cell", undefined, PATIENT)).toBeTruthy();
    expect((await result.current.read(20_000, 20_003)).map((row) => row[0])).toEqual(
      whole.rows.slice(20_000, 20_003).map((row) => row[0]),
    );
    expect(openResult).toHaveBeenCalledTimes(1);
  });
});

describe("an answer that a row limit cut", () => {
  it("is read whole to be sorted, and says so", async () => {
    const whole = bigPage(0, 25_000, 25_000);
    const page = { ...whole, rows: whole.rows.slice(0, 100), rowCount: 100, truncated: true };
    const openResult = vi.fn(async () => handleOf(whole));
    setHost({ ...fakeHost(), ...fakeEngine(() => whole), openResult });
    const origin = { warehouse: "file:x", sql: "SELECT 1" };
    const { result } = renderHook(() => useAnswerSource(page, origin));
    show(result.current);
    expect(openResult).not.toHaveBeenCalled();
    fireEvent.click(header("order_id"));
    fireEvent.click(header("order_id"));
    await waitFor(() => expect(texts(1)[0]).toBe("124999"), PATIENT);
    expect(openResult).toHaveBeenCalledTimes(1);
    expect(openResult).toHaveBeenCalledWith("file:x", "SELECT 1", 10_000_000);
    expect(screen.getByText("All 25,000 rows")).toBeTruthy();
  });

  it("goes on reading where it is sorted in another order meanwhile, and stops where it is not wanted any more", async () => {
    const whole = bigPage(0, 25_000, 25_000);
    const page = { ...whole, rows: whole.rows.slice(0, 100), rowCount: 100, truncated: true };
    const calls: string[] = [];
    let complete = false;
    const stop = async (what: string) => void calls.push(what);
    setHost({
      ...fakeHost(),
      ...fakeEngine(() => whole),
      openResult: async () => ({ ...handleOf(whole), complete: false }),
      resultStatus: async () => ({ ...handleOf(whole), complete }),
      cancelResult: () => stop("reading"),
      stopAsking: () => stop("opening"),
      stopArranging: () => stop("arranging"),
    } as Host);
    const origin = { warehouse: "file:x", sql: "SELECT 1" };
    const { result, unmount } = renderHook(() => useAnswerSource(page, origin));
    show(result.current);
    fireEvent.click(header("order_id"));
    fireEvent.click(header("order_id"));
    await new Promise((done) => setTimeout(done, 400));
    expect(calls).toEqual([]);
    complete = true;
    await waitFor(() => expect(texts(1)[0]).toBe("124999"), PATIENT);
    expect(calls).toEqual([]);
    complete = false;
    unmount();
    expect(calls).toEqual(["arranging"]);
  });

  it("stops its reading where the order is taken back", async () => {
    const whole = bigPage(0, 25_000, 25_000);
    const page = { ...whole, rows: whole.rows.slice(0, 100), rowCount: 100, truncated: true };
    const cancelResult = vi.fn(async () => {});
    setHost({
      ...fakeHost(),
      ...fakeEngine(() => whole),
      openResult: async () => ({ ...handleOf(whole), complete: false }),
      resultStatus: async () => ({ ...handleOf(whole), complete: false }),
      cancelResult,
    } as Host);
    const { result } = renderHook(() => useAnswerSource(page, { warehouse: "file:x", sql: "SELECT 1" }));
    show(result.current);
    fireEvent.click(header("order_id"));
    await new Promise((done) => setTimeout(done, 50));
    fireEvent.click(header("order_id"));
    fireEvent.click(header("order_id"));
    await waitFor(() => expect(cancelResult).toHaveBeenCalledWith("r"));
  });

  it("is left as it is where not all rows can be kept", async () => {
    const whole = bigPage(0, 200, 200);
    const page = { ...whole, rows: whole.rows.slice(0, 100), rowCount: 100, truncated: true };
    const openResult = async () => ({ ...handleOf(whole), truncated: true });
    setHost({ ...fakeHost(), ...fakeEngine(() => whole), openResult });
    const { result } = renderHook(() => useAnswerSource(page, { warehouse: "file:x", sql: "SELECT 1" }));
    show(result.current);
    fireEvent.click(header("order_id"));
    expect(await screen.findByText(/Only part of the result is loaded/)).toBeTruthy();
    await waitFor(() => expect(header("order_id").getAttribute("aria-sort")).toBe("none"));
  });
});

describe("filters and search", () => {
  it("keep the rows that pass, say so, and go again", async () => {
    show();
    await columnMenu("revenue", "Filter");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Filter" }));
    expect(dialog.getByRole("alert").textContent).toBe("Enter at least one value.");
    await userEvent.type(dialog.getByLabelText("From"), "10,000");
    await userEvent.click(dialog.getByRole("button", { name: "Filter" }));
    await waitFor(() => expect(texts(1)).toEqual(["Oslo", "=1+1"]));
    expect(screen.getByText("2 of 4 rows")).toBeTruthy();
    expect(grid().getAttribute("aria-rowcount")).toBe("3");
    await userEvent.click(screen.getByRole("button", { name: "Remove filter: revenue from 10,000" }));
    expect(texts(1)).toHaveLength(4);
  });

  it("say where no row passes", async () => {
    show();
    await columnMenu("city", "Filter");
    await userEvent.type(within(await screen.findByRole("dialog")).getByLabelText("Text"), "nowhere{Enter}");
    expect(await screen.findByText("No rows match the filters.")).toBeTruthy();
  });

  it("find a text, count it, mark it, and go from one to the next", async () => {
    show();
    press("f", { ctrlKey: true });
    const field = await screen.findByLabelText("Search rows", { selector: "input" });
    await userEvent.type(field, "500");
    expect(await screen.findByText("2 cells")).toBeTruthy();
    expect([...grid().querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["500", "500"]);
    await userEvent.type(field, "{Enter}");
    expect(screen.getByText("1 of 2")).toBeTruthy();
    await userEvent.type(field, "{Enter}");
    expect(screen.getByText("2 of 2")).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, "oslo2");
    expect(await screen.findByText("Not found")).toBeTruthy();
  });
});

describe("columns", () => {
  const names = () =>
    within(grid())
      .getAllByRole("columnheader")
      .map((cell) => cell.firstChild?.textContent);

  it("move, hide and come back, and are remembered", async () => {
    const { unmount } = show(undefined, "run 1");
    await columnMenu("revenue", "Move first");
    await columnMenu("year", "Hide column");
    expect(names()).toEqual(["revenue", "city", "note"]);
    expect(screen.getByText("1 hidden column")).toBeTruthy();
    press("ArrowDown");
    press("c", { ctrlKey: true });
    await waitFor(() => expect(copied).toEqual(["9500.00"]));
    unmount();
    const again = show(undefined, "run 1");
    expect(names()).toEqual(["revenue", "city", "note"]);
    await userEvent.click(screen.getByRole("button", { name: "Show all columns" }));
    expect(names()).toEqual(["revenue", "city", "year", "note"]);
    again.unmount();
    show(undefined, "run 2");
    expect(names()).toEqual(["city", "year", "revenue", "note"]);
  });

  it("are read in a format of one's own; what is opened, copied and summed stays exact", async () => {
    const { unmount } = show(undefined, "run 1");
    const width = () => Number.parseInt(header("revenue").style.width, 10);
    const before = width();
    await columnMenu("revenue", "Format");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("combobox", { name: "Show values" }));
    await userEvent.click(await screen.findByRole("option", { name: "Currency" }));
    const currency = dialog.getByRole("combobox", { name: "Currency" });
    await userEvent.clear(currency);
    await userEvent.type(currency, "nope");
    // The open list of suggestions hides the rest from those who hear the page.
    expect(dialog.getByText("Enter a currency code, such as EUR.")).toBeTruthy();
    expect(dialog.getByText<HTMLButtonElement>("Apply", { selector: "button" }).disabled).toBe(true);
    await userEvent.clear(currency);
    await userEvent.type(currency, "eur");
    await userEvent.click(await screen.findByRole("option", { name: /^EUR/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Apply" }));
    expect(texts(3)).toEqual(["€9,500.00", "€123,456,789,012,345,678.10", "NULL", "€10,500.25"]);
    expect(header("revenue").title).toContain("in EUR");
    expect(width()).toBeGreaterThan(before);

    await columnMenu("revenue", "Select column");
    press("c", { ctrlKey: true });
    await waitFor(() => expect(copied).toEqual(["9500.00\n123456789012345678.10\n\n10500.25"]));
    fireEvent.doubleClick(within(grid()).getByText("€9,500.00"));
    expect(within(await screen.findByRole("dialog")).getByText("9500.00")).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    unmount();

    // Another start of the program.
    useGridLayouts.setState({ looks: {} });
    const again = show(undefined, "run 1");
    expect(texts(3)[0]).toBe("€9,500.00");
    await menuOf("More");
    await userEvent.click(await screen.findByRole("menuitem", { name: "Reset columns" }));
    expect(texts(3)[0]).toBe("9,500.00");
    again.unmount();
  });

  it("and their formats are remembered by the host, and forgotten with what they belong to", async () => {
    const host = fakeHost();
    setHost(host);
    await startLayouts();
    const { unmount } = show(undefined, "run 1");
    await columnMenu("year", "Hide column");
    unmount();
    const kept = async () => (await host.preference("grid.looks")) ?? "";
    await waitFor(async () => expect(await kept()).toContain("run 1"));
    useGridLayouts.setState({ looks: {}, kept: {} });
    await readLayouts();
    const again = show(undefined, "run 1");
    expect(names()).toEqual(["city", "revenue", "note"]);
    again.unmount();

    announceDeletion("run 1");
    await waitFor(async () => expect(await kept()).toBe("{}"));
    const last = show(undefined, "run 1");
    expect(names()).toEqual(["city", "year", "revenue", "note"]);
    last.unmount();
  });

  it("are sorted and filtered as before when the program starts again, until that is cleared", async () => {
    const host = fakeHost();
    setHost(host);
    await startLayouts();
    const { unmount } = show(undefined, "run 1");
    expect(screen.queryByRole("button", { name: "Clear sorting and filters" })).toBeNull();
    fireEvent.click(header("year"));
    await columnMenu("city", "Filter");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(dialog.getAllByRole("textbox").at(-1)!, "o");
    await userEvent.click(dialog.getByRole("button", { name: "Filter" }));
    await waitFor(() => expect(texts(1)).toEqual(["Oslo", "Rome"]));
    unmount();
    await waitFor(async () => expect(await host.preference("grid.looks")).toContain("contains"));
    useGridLayouts.setState({ looks: {}, kept: {} });
    await readLayouts();
    const again = show(undefined, "run 1");
    expect(texts(1)).toEqual(["Oslo", "Rome"]);
    expect(screen.getByText("city contains “o”")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear sorting and filters" }));
    expect(texts(1)).toEqual(["Rome", "Oslo", "<b>Bern</b>", "=1+1"]);
    again.unmount();
    await waitFor(async () => expect(await host.preference("grid.looks")).toBe("{}"));
  });

  it("are arranged again at a word where their rows would have to be fetched again", async () => {
    const source = () => kept({ columns: COLUMNS, rows: ROWS, rowCount: 4, truncated: false });
    const { unmount } = show(pageRows(COLUMNS, ROWS), "run 1");
    fireEvent.click(header("year"));
    unmount();
    const again = show(pageRows(COLUMNS, ROWS), "run 1");
    expect(header("year").getAttribute("aria-sort")).toBe("ascending");
    again.unmount();
    const paged = show(source(), "run 1");
    expect(header("year").getAttribute("aria-sort")).not.toBe("ascending");
    expect(screen.getByText("Last time: sorted by year")).toBeTruthy();
    await columnMenu("note", "Hide column");
    expect(screen.getByText("Last time: sorted by year")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Apply again" }));
    await waitFor(() => expect(header("year").getAttribute("aria-sort")).toBe("ascending"));
    expect(screen.queryByText(/^Last time/)).toBeNull();
    paged.unmount();
    const last = show(source(), "run 1");
    await userEvent.click(screen.getByRole("button", { name: "Clear sorting and filters" }));
    expect(screen.queryByText(/^Last time/)).toBeNull();
    last.unmount();
    show(pageRows(COLUMNS, ROWS), "run 1");
    expect(header("year").getAttribute("aria-sort")).not.toBe("ascending");
  });

  it("grow by keys, and keep their width", () => {
    show();
    press("ArrowDown");
    press("ArrowUp");
    const before = Number.parseInt(header("city").style.width, 10);
    press("ArrowRight", { shiftKey: true });
    expect(Number.parseInt(header("city").style.width, 10)).toBe(before + 16);
    fireEvent.click(header("city"));
    expect(Number.parseInt(header("city").style.width, 10)).toBe(before + 16);
  });

  it("have statistics, exact ones", async () => {
    show();
    await columnMenu("revenue", "Statistics");
    const dialog = within(await screen.findByRole("dialog", { name: "Statistics of revenue" }));
    expect(dialog.getByText("123,456,789,012,365,678.35")).toBeTruthy();
    expect(dialog.getByText("1 (25.0%)")).toBeTruthy();
  });

  it("that are selected are added up below", async () => {
    show();
    await columnMenu("revenue", "Select column");
    expect(await screen.findByText("123,456,789,012,365,678.35")).toBeTruthy();
    press("Home", { ctrlKey: true });
    await waitFor(() => expect(screen.queryByText("Sum")).toBeNull());
  });
});

describe("many columns", () => {
  it("are searched to be hidden and shown", async () => {
    const columns = Array.from({ length: 14 }, (_, i): ResultColumn => ({ name: `m_${i}`, type: "integer" }));
    show(pageRows(columns, [columns.map((_, i) => String(i))]));
    await userEvent.click(screen.getByRole("button", { name: "Columns" }));
    const list = within(await screen.findByRole("dialog", { name: "Columns" }));
    expect(list.getAllByRole("checkbox")).toHaveLength(14);
    await userEvent.type(list.getByRole("textbox", { name: "Search columns" }), "M_1");
    expect(list.getAllByRole("checkbox")).toHaveLength(5);
    await userEvent.click(list.getByRole("checkbox", { name: "m_13" }));
    expect(within(grid()).queryByRole("columnheader", { name: /^m_13/ })).toBeNull();
    expect(screen.getByText("1 hidden column")).toBeTruthy();
    await userEvent.click(list.getByRole("checkbox", { name: "m_13" }));
    expect(screen.queryByText("1 hidden column")).toBeNull();
    await userEvent.type(list.getByRole("textbox", { name: "Search columns" }), "x");
    expect(list.getByText("No matches.")).toBeTruthy();
  });
});

describe("one value and one row", () => {
  it("are shown whole, by keys", async () => {
    const source = pageRows(COLUMNS, ROWS);
    show(source);
    press("End", { ctrlKey: false });
    press("End");
    press("Enter");
    const cell = within(await screen.findByRole("dialog", { name: "note" }));
    expect(cell.getByText(/12345678901234567890/).textContent).toBe('{\n  "a": 12345678901234567890\n}');
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    press(" ");
    const row = await screen.findByRole("dialog", { name: "Row 1 of 4" });
    expect(within(row).getByText("Rome")).toBeTruthy();
    await userEvent.click(within(row).getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("dialog", { name: "Row 2 of 4" })).toBeTruthy();
    await userEvent.keyboard("{ArrowLeft}");
    expect(await screen.findByRole("dialog", { name: "Row 1 of 4" })).toBeTruthy();
  });

  it("asks nothing of the host for a result that is here", () => {
    const read = vi.fn();
    show({ ...pageRows(COLUMNS, ROWS), read });
    fireEvent.click(header("year"));
    expect(texts(2)[0]).toBe("2022");
    expect(read).not.toHaveBeenCalled();
  });
});

describe("an answer of which not all rows could be kept", () => {
  const rows = Array.from({ length: 300 }, (_, n) => [String(n)]);
  const page = { columns: [COLUMNS[1]!], rows: rows.slice(0, 200), rowCount: 300, truncated: false };
  const origin = { kind: "sql", warehouse: "file:x", sql: "SELECT 1" } as const;
  const open = (kept: number, outOfRoom: "disk" | null) => {
    const handle = {
      resultId: "r",
      columns: page.columns,
      rowCount: kept,
      complete: true,
      truncated: outOfRoom !== null,
    };
    setHost({
      ...fakeHost(),
      openResult: async () => ({ ...handle, outOfRoom, elapsedMs: 1 }),
      resultRows: async (_, offset, count) => ({ ...page, rows: rows.slice(0, kept).slice(offset, offset + count) }),
    });
    return renderHook(() => useAnswerSource(page, origin)).result.current;
  };
  it("copies nothing rather than a part of it", async () => {
    await expect(open(240, "disk").read(0, 300)).rejects.toThrow("the disk is full");
  });
  it("copies all of it where there was room", async () => {
    expect(await open(300, null).read(0, 300)).toHaveLength(300);
  });
});
