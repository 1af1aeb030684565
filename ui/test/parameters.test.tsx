// Parameters of an edited query: places that it leaves open, and its constants.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { saveCurrent } from "../src/answer/runActions";
import { useShownQuery } from "../src/answer/shownQuery";
import { setDraft, useDrafts } from "../src/features/editor/state";
import { readValues, setConstant, startValues, useValues } from "../src/features/editor/values";
import { useSaved } from "../src/features/saved/state";
import { AppFailure } from "../src/host/host";
import { navigate } from "../src/navigation/route";
import { runNow } from "../src/run/runModel";
import { SAMPLE } from "./fake/data";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  useValues.setState({ places: {}, constants: {} });
  useDrafts.setState({ drafts: {} });
  host = await start();
});
const called = (name: string) => host.calls.filter(([own]) => own === name).map(([, args]) => args);

const OPEN = "SELECT * FROM orders WHERE channel = :channel_name AND y = :year";

async function write(sql: string) {
  act(() => navigate({ page: "run", runId: "r1", tab: "sql" }));
  await screen.findByRole("textbox", { name: "SQL" });
  act(() => setDraft("run:r1", sql));
}

const form = async () => within(await screen.findByRole("form", { name: "Parameters" }));
const run = () => userEvent.click(screen.getByRole("button", { name: "Run" }));

describe("a query that leaves places open", () => {
  it("asks for each of them and runs with the values, which the program puts in", async () => {
    await write(OPEN);
    await userEvent.type((await form()).getByRole("textbox", { name: ":channel_name" }), "o'hara");
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023{Enter}");
    await waitFor(() => expect(called("openResult")).toHaveLength(1));
    const [warehouse, sql] = called("openResult")[0]!;
    expect([warehouse, sql]).toEqual([SAMPLE, "SELECT * FROM orders WHERE channel = 'o''hara' AND y = 2023"]);
    expect(called("fillQuery").at(-1)).toEqual([
      SAMPLE,
      OPEN,
      { channel_name: { kind: "text", value: "o'hara" }, year: { kind: "number", value: "2023" } },
    ]);
    // What is written stays as it is.
    expect(useDrafts.getState().drafts["run:r1"]).toBe(OPEN);
  });

  it("does not run while a value is missing, and says which", async () => {
    await write(OPEN);
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023");
    await run();
    expect(await screen.findByText("'channel_name' has no value")).toBeTruthy();
    expect(called("openResult")).toEqual([]);
    await userEvent.type((await form()).getByRole("textbox", { name: ":channel_name" }), "web");
    expect(screen.queryByText("'channel_name' has no value")).toBeNull();
    await run();
    await waitFor(() => expect(called("openResult")).toHaveLength(1));
  });

  it("takes the kind that the user chooses", async () => {
    await write(OPEN);
    await userEvent.type((await form()).getByRole("textbox", { name: ":channel_name" }), "7");
    await userEvent.click((await form()).getByRole("combobox", { name: "Type of :channel_name" }));
    await userEvent.click(await screen.findByRole("option", { name: "Number" }));
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023{Enter}");
    await waitFor(() => expect(called("openResult")[0]?.[1]).toContain("channel = 7"));
  });

  it("shows a value that is no day, also where a date belongs", async () => {
    await write(OPEN);
    const place = async () => (await form()).getByLabelText<HTMLInputElement>(":channel_name");
    await userEvent.type(await place(), "10 letters");
    await userEvent.click((await form()).getByRole("combobox", { name: "Type of :channel_name" }));
    await userEvent.click(await screen.findByRole("option", { name: "Date" }));
    expect([(await place()).type, (await place()).value]).toEqual(["text", "10 letters"]);
    await userEvent.clear(await place());
    expect((await place()).type).toBe("date");
  });

  it("remembers the values for the database, in this window and the next", async () => {
    await write(OPEN);
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023");
    await waitFor(async () => expect(await host.preference("sql.values")).toContain("2023"));
    useValues.setState({ places: {} });
    await act(startValues);
    await write("SELECT :year");
    expect((await form()).getByRole<HTMLInputElement>("textbox", { name: ":year" }).value).toBe("2023");
    expect(readValues('{"a":{"kind":"x","value":"1"},"b":{"kind":null,"value":"2"},"c":3}')).toEqual({
      b: { kind: null, value: "2" },
    });
  });

  it("is saved with the values in it, also by the key", async () => {
    await write(OPEN);
    await userEvent.type((await form()).getByRole("textbox", { name: ":channel_name" }), "web");
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023");
    act(() => void saveCurrent());
    await waitFor(() =>
      expect(useSaved.getState().draft?.sql).toBe("SELECT * FROM orders WHERE channel = 'web' AND y = 2023"),
    );
  });

  it("is marked by the line alone where its values have moved the place of an error", async () => {
    host.openResult = async () => {
      throw new AppFailure({ code: "query", message: "wrong at line 1, column 20", hint: null, detail: null });
    };
    const marked = (what: string) => document.querySelector(`.cm-bad${what}`)?.textContent;
    await write("SELECT :year, a, nope");
    await userEvent.type((await form()).getByRole("textbox", { name: ":year" }), "2023");
    await run();
    await waitFor(() => expect(marked("Line")).toBe("SELECT :year, a, nope"));
    expect(marked("Word")).toBeUndefined();
  });
});

describe("a query that cannot be read", () => {
  it("is not said to have no values", async () => {
    host.queryParameters = async () => {
      throw new AppFailure({ code: "query", message: "not proven", hint: null, detail: null });
    };
    await write("SELECT * FROM orders WHERE year = 2024");
    await userEvent.click(screen.getByRole("button", { name: "Parameters" }));
    expect(await (await form()).findByText(/cannot be parsed yet/)).toBeTruthy();
    expect((await form()).queryByText(/has no parameters/)).toBeNull();
  });
});

describe("the constants of a query", () => {
  it("are set without a word of SQL, and asked for once it is saved", async () => {
    await write("SELECT * FROM orders WHERE year = 2024");
    expect(screen.queryByRole("form", { name: "Parameters" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Parameters" }));
    const year = await (await form()).findByRole("textbox", { name: "Year" });
    await userEvent.clear(year);
    await userEvent.type(year, "2022{Enter}");
    await waitFor(() => expect(called("openResult")[0]?.[1]).toBe("SELECT * FROM orders WHERE year = 2022"));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Save question" }));
    expect((await dialog.findByRole<HTMLInputElement>("checkbox", { name: /^Year/ })).checked).toBe(true);
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /^Channel/ }).checked).toBe(false);
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(called("setParameters").map(([, names]) => names)).toEqual([["year"]]));
  });

  it("are saved by the key as by the button, also where no letter of the query was changed", async () => {
    act(() => navigate({ page: "run", runId: "r1", tab: "sql" }));
    await screen.findByRole("textbox", { name: "SQL" });
    const own = runNow("r1").run.sql!;
    // One of them leads to the page of all.
    await waitFor(() => expect(screen.getAllByRole("button", { name: "Saved" })).toHaveLength(2));
    act(() => setConstant("run:r1", "year", "1999"));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(useSaved.getState().draft).not.toBeNull());
    const { draft } = useSaved.getState();
    expect(draft?.sql).not.toBe(own);
    act(() => useSaved.setState(useSaved.getInitialState()));
    act(() => void saveCurrent());
    await waitFor(() => expect(useSaved.getState().draft).toEqual(draft));
  });

  it("are not put into another reading of the question, which is saved as it is shown", async () => {
    const sql = "SELECT count(*) FROM orders WHERE year = 2024";
    act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
    await waitFor(() => expect(runNow("r1").run.status).not.toBe("running"));
    act(() => {
      setConstant("run:r1", "year", "1999");
      useShownQuery.setState({ others: { r1: { sql } as never } });
      saveCurrent();
    });
    await waitFor(() => expect(useSaved.getState().draft?.sql).toBe(sql));
    expect(called("fillQuery")).toEqual([]);
    act(() => useShownQuery.setState({ others: {} }));
  });

  it("go back to the query's own", async () => {
    await write("SELECT * FROM orders WHERE year = 2024");
    await userEvent.click(screen.getByRole("button", { name: "Parameters" }));
    const year = (await form()).getByRole<HTMLInputElement>("textbox", { name: "Year" });
    await userEvent.type(year, "5");
    const reset = (await form()).getByRole("button", { name: "Reset values" });
    await userEvent.click(reset);
    expect(year.value).toBe("2024");
    expect(document.activeElement).toBe(reset);
    expect(reset.getAttribute("aria-disabled")).toBe("true");
    await run();
    await waitFor(() => expect(called("openResult")[0]?.[1]).toBe("SELECT * FROM orders WHERE year = 2024"));
    expect(called("fillQuery")).toEqual([]);
  });
});
