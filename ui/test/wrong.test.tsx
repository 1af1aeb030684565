// "That is wrong": what is offered for each kind of mistake, and where it leads.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { whatHelps } from "../src/answer/whatHelps";
import { useFollowUps } from "../src/features/ask/followUps";
import { emptyRun } from "../src/features/graph/model/model";
import { navigate, useRoute } from "../src/navigation/route";
import { useUi } from "../src/navigation/uiState";
import { SAMPLE } from "./fake/data";
import { start } from "./start";

beforeEach(async () => {
  useFollowUps.setState({ drafts: {} });
  await start();
});

async function open(runId: string, wrong: string) {
  act(() => navigate({ page: "run", runId, tab: "answer" }));
  await userEvent.click(await screen.findByRole("button", { name: "That is wrong" }));
  const panel = within(screen.getByRole("region", { name: "What is wrong?" }));
  await userEvent.click(panel.getByRole("button", { name: wrong }));
  return panel;
}

describe("what is wrong with an answer", () => {
  it("leads from a number to the steps", async () => {
    const panel = await open("r1", "A number");
    await userEvent.click(panel.getByRole("button", { name: "Check how it was computed, step by step" }));
    expect(useRoute.getState().route).toMatchObject({ runId: "r1", tab: "graph", face: "data" });
  });

  it("leads from a word to the definitions of the database", async () => {
    const panel = await open("r3", "The meaning of a word");
    await userEvent.click(panel.getByRole("button", { name: "Define the word for this database" }));
    expect(useRoute.getState().route).toEqual({ page: "connections", uri: SAMPLE });
  });

  it("leads to the SQL and to the question", async () => {
    const panel = await open("r3", "Something else");
    await userEvent.click(panel.getByRole("button", { name: "Edit the question" }));
    expect(useUi.getState().editing).toBe("r3");
    await userEvent.click(screen.getByRole("button", { name: "Edit the SQL" }));
    expect(useRoute.getState().route).toMatchObject({ runId: "r3", tab: "sql" });
  });

  it("becomes a follow-up with a remark, which one Enter asks", async () => {
    const panel = await open("r3", "The rows");
    await userEvent.type(panel.getByRole("textbox", { name: "What should be different" }), "and for 2023?");
    await userEvent.click(panel.getByRole("button", { name: "Use as follow-up question" }));
    const box = screen.getByLabelText<HTMLTextAreaElement>("Follow-up");
    expect(box.value).toBe("and for 2023?");
    expect(document.activeElement).toBe(box);
    expect(await screen.findByText("How many customers ordered something in 2023?")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "What is wrong?" })).toBeNull();
  });

  it("is closed by Escape, and the focus goes back", async () => {
    await open("r3", "The rows");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "What is wrong?" })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "That is wrong" })));
  });

  it("offers only what leads to something", () => {
    const run = { ...emptyRun("x"), sql: "SELECT 1" };
    expect(whatHelps("rows", run, false)).toEqual(["steps", "sql"]);
    expect(whatHelps("rows", run, true)).toEqual(["conditions", "steps", "sql"]);
    expect(whatHelps("number", { ...run, code: "df" }, false)).toEqual(["sql"]);
    const others = [1, 2].map((candidate) => ({
      candidate,
      votes: 1,
      sql: "SELECT 2",
      meaning: "",
      rowCount: 1,
      firstRow: ["2"],
    }));
    const asked = { readings: others, taken: 1, by: "person" as const, remembered: null };
    expect(whatHelps("meaning", { ...run, asked }, false)).toEqual(["results", "definition", "question"]);
    expect(whatHelps("meaning", run, false)).toEqual(["definition", "question"]);
  });
});
