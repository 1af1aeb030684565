// Chips of what was understood: what they say, and the runs that their edits start.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { draftOfAnswer } from "../src/answer/answer";
import { chipsOf } from "../src/answer/understood";
import { isEditable } from "../src/answer/useChips";
import { parameterLabel } from "../src/domain/parameter";
import type { QueryCondition, SavedParameter } from "../src/host/bindings";
import { AppFailure } from "../src/host/host";
import { navigate, useRoute } from "../src/navigation/route";
import { conditionChange } from "../src/run/conditionChange";
import { runNow } from "../src/run/runModel";
import { EXAMPLES, exampleLog } from "./fake/answers";
import { SAMPLE } from "./fake/data";
import { EXPLAINED } from "./fake/explained";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});
const called = (name: string) => host.calls.filter(([own]) => own === name).map(([, args]) => args);
const chips = async () => within(await screen.findByRole("region", { name: "Understood as" }));

const SQL =
  "SELECT month, SUM(revenue) AS revenue FROM sales WHERE channel = 'web' AND order_dt >= '2024-01-01' AND order_dt < '2025-01-01' GROUP BY month";

/** An answer whose query has two conditions. */
async function showAnswer() {
  const example = { ...EXAMPLES[0]!, runId: "chips", sql: SQL };
  example.headline = {
    ...example.headline,
    conditions: ["channel is “web”", "order dt is from 2024-01-01 on and before 2025-01-01"],
  };
  act(() => {
    for (const event of exampleLog(example, SAMPLE, new Date().toISOString())) host.emit({ kind: "run", event });
  });
  const places = host.steerPlaces;
  const rerun = host.rerun;
  // The made-up host has no log of its own of this run.
  host.steerPlaces = async () => places("r3");
  host.rerun = (_, changes) => rerun("r3", changes);
  act(() => navigate({ page: "run", runId: "chips", tab: "answer" }));
  return chips();
}

describe("what was understood", () => {
  it("is told with its measure and its conditions", async () => {
    const found = await showAnswer();
    await found.findByRole("button", { name: "Remove this condition: channel is “web”" });
    expect(found.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Measure revenue",
      "Time order dt is from 2024-01-01 on and before 2025-01-01",
      "Only channel is “web”",
    ]);
  });

  it("loses a condition at once: the query runs without it, and no model is asked", async () => {
    const found = await showAnswer();
    await userEvent.click(await found.findByRole("button", { name: "Remove this condition: channel is “web”" }));
    await waitFor(() => expect(useRoute.getState().route).not.toMatchObject({ runId: "chips" }));
    const [runId, changes] = called("rerun")[0]!;
    expect(runId).toBe("chips");
    expect(changes).toEqual([{ kind: "sql", sql: expect.not.stringContaining("channel") }]);
    expect(changes).toEqual([{ kind: "sql", sql: expect.stringContaining("order_dt >= '2024-01-01'") }]);
    expect(called("ask")).toEqual([]);
  });

  it("gets another value, which the program puts into the query", async () => {
    host.fillQuery = async (_, sql, values) => ({
      sql: sql.replace("'web'", `'${values.channel!.value}'`),
      parameters: ["channel"],
    });
    const found = await showAnswer();
    await userEvent.click(await found.findByRole("button", { name: /^Only channel is “web”/ }));
    const form = within(await screen.findByRole("form", { name: "Change: channel is “web”" }));
    expect(document.activeElement).toBe(form.getByRole("textbox", { name: "Channel" }));
    const run = form.getByRole("button", { name: "Run with this value" });
    expect(run.hasAttribute("disabled")).toBe(true);
    await userEvent.clear(form.getByRole("textbox", { name: "Channel" }));
    await userEvent.type(form.getByRole("textbox", { name: "Channel" }), "app{Enter}");
    await waitFor(() => expect(called("rerun").length).toBeGreaterThan(0));
    expect(called("fillQuery")).toEqual([[SAMPLE, SQL, { channel: { kind: null, value: "app" } }]]);
    expect(called("rerun")[0]![1]).toEqual([{ kind: "sql", sql: SQL.replace("'web'", "'app'") }]);
  });

  it("says what is wrong with a value, and runs nothing", async () => {
    host.fillQuery = async () => {
      throw new AppFailure({ code: "usage", message: "'x' is not a date", hint: null, detail: null });
    };
    const found = await showAnswer();
    await userEvent.click(await found.findByRole("button", { name: /^Only channel/ }));
    await userEvent.type(screen.getByRole("textbox", { name: "Channel" }), "x{Enter}");
    expect(await screen.findByText("'x' is not a date")).toBeTruthy();
    expect(called("rerun")).toEqual([]);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("form", { name: /^Change/ })).toBeNull();
    expect(document.activeElement).toBe(found.getByRole("button", { name: /^Only channel/ }));
  });

  it("says which chip a form belongs to, and labels bounds by their operator", async () => {
    const found = await showAnswer();
    const chip = await found.findByRole("button", { name: /^Time order dt/ });
    await userEvent.click(chip);
    const form = await screen.findByRole("form", { name: /^Change: order dt/ });
    expect(chip.getAttribute("aria-controls")).toBe(form.id);
    expect(within(form).getByLabelText("Order dt from")).toBeTruthy();
    expect(within(form).getByLabelText("Order dt before")).toBeTruthy();
  });

  it("only tells where the query cannot be edited", async () => {
    host.queryConditions = async () => {
      throw new AppFailure({ code: "usage", message: "It cannot be read", hint: null, detail: null });
    };
    const found = await showAnswer();
    expect(await found.findByText("channel is “web”")).toBeTruthy();
    expect(found.queryByRole("button")).toBeNull();
  });
});

describe("a rerun of a rerun", () => {
  const log = (runId: string, from: string | null, conditions: string[]) => {
    const example = { ...EXAMPLES[0]!, runId, question: "What was the revenue?" };
    example.headline = { ...example.headline, conditions };
    return exampleLog(example, SAMPLE, new Date().toISOString()).map((event) => {
      const { body } = event;
      if (body.type !== "runStarted" || from === null) return event;
      const steered = { from, changes: [{ kind: "sql" as const, sql: "SELECT 1" }], without: [] };
      return { ...event, body: { ...body, steered } };
    });
  };
  const showLast = (name: string, ...[first = [], second = [], third = []]: string[][]) =>
    act(() => {
      const [one, two, three] = [`${name}-1`, `${name}-2`, `${name}-3`];
      const logs = [log(one, null, first), log(two, one, second), log(three, two, third)];
      for (const event of logs.flat()) host.emit({ kind: "run", event });
      navigate({ page: "run", runId: three, tab: "answer" });
    });

  it("is compared with the first answer, and saved with what was changed", async () => {
    showLast("gone", ["a is 1", "b is 2"], ["b is 2"], []);
    expect(await screen.findByText("(no longer: a is 1, b is 2)")).toBeTruthy();
    expect(draftOfAnswer(runNow("gone-3").run).title).toBe("What was the revenue (no longer: a is 1, b is 2)");
    expect(draftOfAnswer(runNow("gone-1").run).title).toBe("What was the revenue");
  });

  it("says nothing where the first conditions are back", async () => {
    showLast("back", ["a is 1"], [], ["a is 1"]);
    expect(await screen.findByText("Changed: the SQL")).toBeTruthy();
    expect(screen.queryByText(/no longer/)).toBeNull();
    expect(draftOfAnswer(runNow("back-3").run).title).toBe("What was the revenue");
  });
});

it("a bound is labelled by its operator", () => {
  expect(parameterLabel("order_date_to", "upTo")).toBe("Order date up to");
  expect(parameterLabel("order_date_from_2", "after")).toBe("Order date 2 after");
  expect(["year", "year_2"].map((name) => parameterLabel(name, "from"))).toEqual(["Year from", "Year from"]);
  expect(parameterLabel("valid_from")).toBe("Valid from");
});

it("the rerun says which conditions differ, since its question stays", () => {
  const of = (...conditions: string[]) => ({ headline: { ...EXAMPLES[0]!.headline, conditions } });
  expect(conditionChange(of("a is 1", "b is 2"), of("b is 3"))).toBe("no longer: a is 1, b is 2; now: b is 3");
  expect(conditionChange(of("a is 1"), of("a is 1"))).toBeNull();
  expect(conditionChange({ headline: null }, of("a is 1"))).toBeNull();
});

describe("chips", () => {
  const limit: SavedParameter = { name: "limit", kind: "number", value: "10", open: false };
  const condition = (text: string, parameters: SavedParameter[] = []): QueryCondition => ({
    text,
    variants: [],
    parameters,
    without: "SELECT 1",
  });
  const answer = { page: EXAMPLES[1]!.page, headline: EXAMPLES[1]!.headline };

  it("name groups only where the query groups", () => {
    const kinds = (explanation: typeof EXPLAINED | null) =>
      chipsOf(answer, explanation, [], null).map(({ kind, text }) => `${kind} ${text}`);
    expect(kinds(null)).toEqual(["measure orders"]);
    expect(kinds(EXPLAINED)).toEqual(expect.arrayContaining(["group region", "group channel"]));
  });

  it("change the row limit with the order, and tell conditions that cannot be removed", () => {
    const headline = { ...answer.headline, conditions: ["a is 1", "the number of rows is more than 2"] };
    const found = chipsOf({ ...answer, headline }, null, [condition("a is 1")], limit);
    expect(found.map(({ kind, text, without }) => [kind, text, without !== null])).toEqual([
      ["measure", "orders", false],
      ["filter", "a is 1", true],
      ["filter", "the number of rows is more than 2", false],
      ["order", "10", false],
    ]);
    expect(found.at(-1)!.parameters).toEqual([limit]);
  });

  it("are not doubled where the same conditions are worded otherwise", () => {
    const headline = { ...answer.headline, conditions: ["orders’ a is 1"] };
    const known = { ...condition("a is 1"), variants: ["orders’ a is 1"] };
    const texts = chipsOf({ ...answer, headline }, null, [known], null).map(({ text }) => text);
    expect(texts).toEqual(["orders", "a is 1"]);
  });

  it("are compared by what they say, not by their number", () => {
    const headline = { ...answer.headline, conditions: ["the number of rows is more than 2"] };
    const texts = chipsOf({ ...answer, headline }, null, [condition("a is 1")], null).map(({ text }) => text);
    expect(texts).toEqual(["orders", "a is 1", "the number of rows is more than 2"]);
  });

  it("cannot be removed where that would count rows twice, but still change their value", () => {
    const value: SavedParameter = { name: "a", kind: "number", value: "1", open: false };
    const fixed = { ...condition("a is 1", [value]), without: null };
    const [, chip] = chipsOf(answer, null, [fixed], null);
    expect(chip).toMatchObject({ text: "a is 1", without: null, parameters: [value] });
    expect(isEditable({ conditions: [fixed], limit: null })).toBe(true);
    expect(isEditable({ conditions: [{ ...fixed, parameters: [] }], limit: null })).toBe(false);
  });
});
