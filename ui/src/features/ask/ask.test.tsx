import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CATALOG, DEFAULTS } from "../../../test/fake/data";
import { fakeHost } from "../../../test/fake/host";
import type { Definition } from "../../host/bindings";
import { setHost } from "../../host/host";
import { HintProvider } from "../../kit/tooltip";
import { AskBox } from "./AskBox";
import { DefinitionList } from "./DefinitionList";
import { listDefinitions } from "./definitions";
import { Samples } from "./Samples";
import { askSettings, MAX_QUESTION_BYTES, questionProblem, recallIndex } from "./settings";
import { useAsk } from "./state";

describe("the settings of a question", () => {
  it("are those of the app", () => {
    const settings = { ...DEFAULTS, candidates: 2, agentModels: { planner: "big" } };
    expect(askSettings(settings, { strategy: null, model: null })).toMatchObject({
      strategy: "av-sql",
      model: null,
      candidates: 2,
      agentModels: { planner: "big" },
    });
  });
  it("give way to what was chosen in the box", () => {
    const settings = { ...DEFAULTS, agentModels: { planner: "big" } };
    expect(askSettings(settings, { strategy: "direct", model: "small" })).toMatchObject({
      strategy: "direct",
      model: "small",
      agentModels: {},
    });
  });
});

describe("long questions", () => {
  it("are refused from 1 MB on, counted in bytes", () => {
    expect(questionProblem("a".repeat(MAX_QUESTION_BYTES - 1))).toBeNull();
    expect(questionProblem("a".repeat(MAX_QUESTION_BYTES))).toContain("1.0 MB");
    expect(questionProblem("é".repeat(MAX_QUESTION_BYTES / 2))).toContain("Shorten");
  });
});

it("walks through earlier questions and back", () => {
  const history = ["newest", "older"];
  expect(recallIndex(history, -1, 1)).toBe(0);
  expect(recallIndex(history, 1, 1)).toBe(1);
  expect(recallIndex(history, 0, -1)).toBe(-1);
  expect(recallIndex([], -1, 1)).toBe(-1);
});

describe("definitions of the database", () => {
  const entry = (term: string, more: Partial<Definition> = {}): Definition => ({
    term,
    synonyms: [],
    meaning: `meaning of ${term}`,
    condition: null,
    always: false,
    subject: null,
    source: "user",
    ...more,
  });
  const order = (question: string, ...entries: Definition[]) =>
    listDefinitions(entries, question).map(({ definition, named }) => `${named ? "+" : ""}${definition.term}`);

  it("come in the order of the question: named ones, those of every query, others", () => {
    const entries = [
      entry("GMV"),
      entry("open", { always: true }),
      entry("active customer", { synonyms: ["Kunde"] }),
    ];
    expect(order("How many active  customers?", ...entries)).toEqual(["+active customer", "open", "GMV"]);
    expect(order("Wie viele Kunden?", ...entries)).toEqual(["+active customer", "open", "GMV"]);
    expect(order("gmv by month", ...entries)).toEqual(["+GMV", "open", "active customer"]);
  });
  it("are named by whole words only, whatever characters they have", () => {
    expect(order("reopened orders", entry("open"))).toEqual(["open"]);
    expect(order("C++ (legacy) sales?", entry("C++ (legacy)"), entry("a.b*"), entry(""))).toEqual([
      "+C++ (legacy)",
      "a.b*",
      "",
    ]);
  });
  it("are listed beside what is typed for one question, a few at first", async () => {
    const onEdit = vi.fn();
    const known = { text: "Amounts are in euros.", entries: Array.from({ length: 8 }, (_, i) => entry(`term${i}`)) };
    render(<DefinitionList known={known} question="term7?" onEdit={onEdit} />);
    const items = () => screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(items()).toHaveLength(5);
    expect(items()[0]).toBe("term7in your question meaning of term7");
    expect(screen.getByText("Amounts are in euros.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show 3 more" }));
    expect(items()).toHaveLength(8);
    await userEvent.click(screen.getByRole("button", { name: "Edit" }));
    expect(onEdit).toHaveBeenCalled();
  });
});

describe("the box", () => {
  const onAsk = vi.fn();
  const onStop = vi.fn();
  const show = (running = false, disabled: string | null = null) =>
    render(
      <HintProvider>
        <AskBox
          defaultStrategy="av-sql"
          models={[{ value: "", label: "Qwen" }]}
          history={["newest", "older"]}
          running={running}
          disabled={disabled}
          estimate={null}
          catalog={CATALOG}
          onAsk={onAsk}
          onStop={onStop}
        />
      </HintProvider>,
    );
  beforeEach(() => {
    setHost(fakeHost());
    onAsk.mockClear();
    onStop.mockClear();
    useAsk.setState({ text: "", knowledge: "", knowledgeOpen: false, strategy: null, model: null });
  });

  it("asks with Enter and starts a line with Shift+Enter", async () => {
    show();
    const box = screen.getByLabelText("Question");
    await userEvent.type(box, "How many?{Shift>}{Enter}{/Shift}per month");
    expect(onAsk).not.toHaveBeenCalled();
    expect(useAsk.getState().text).toBe("How many?\nper month");
    await userEvent.type(box, "{Enter}");
    expect(onAsk).toHaveBeenCalledTimes(1);
  });

  it("does not ask nothing", async () => {
    show();
    await userEvent.type(screen.getByLabelText("Question"), "   {Enter}");
    expect(onAsk).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Ask" })).toHaveProperty("disabled", true);
  });

  it("brings back earlier questions with arrow-up, and the unsent one with arrow-down", async () => {
    show();
    const box = screen.getByLabelText<HTMLTextAreaElement>("Question");
    await userEvent.type(box, "unsent");
    box.setSelectionRange(0, 0);
    await userEvent.keyboard("{ArrowUp}");
    expect(useAsk.getState().text).toBe("newest");
    box.setSelectionRange(box.value.length, box.value.length);
    await userEvent.keyboard("{ArrowDown}");
    expect(useAsk.getState().text).toBe("unsent");
  });

  it("stops instead of asking while a run goes on", async () => {
    useAsk.setState({ text: "again" });
    show(true);
    await userEvent.type(screen.getByLabelText("Question"), "{Enter}");
    expect(onAsk).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(onStop).toHaveBeenCalled();
  });

  it("offers Auto, Fast and Thorough, and every other method under Advanced, each with what it does", async () => {
    show();
    await userEvent.click(screen.getByRole("combobox", { name: "Method" }));
    const groups = await screen.findAllByRole("group", { name: "Advanced" });
    expect(groups.map((g) => within(g).getAllByRole("option").length)).toEqual([5]);
    expect(screen.getAllByRole("option")).toHaveLength(8);
    await userEvent.click(screen.getByRole("option", { name: /ReFoRCE.*vote/ }));
    expect(useAsk.getState().strategy).toBe("reforce");
  });

  it("lists tables and columns after an @, and puts the chosen one in as it is called", async () => {
    show();
    const box = screen.getByLabelText<HTMLTextAreaElement>("Question");
    await userEvent.type(box, "How many @ord");
    const first = screen.getByRole("option", { name: /^orders ?table$/, selected: true });
    expect(box.getAttribute("aria-activedescendant")).toBe(first.id);
    await userEvent.keyboard("{ArrowDown}");
    const second = screen.getByRole("option", { selected: true });
    expect(second).not.toBe(first);
    expect(box.getAttribute("aria-activedescendant")).toBe(second.id);
    await userEvent.keyboard("{ArrowUp}{Enter}");
    expect(useAsk.getState().text).toBe("How many orders ");
    expect(onAsk).not.toHaveBeenCalled();
    await userEvent.type(box, "per @cust_id");
    await userEvent.click(screen.getByRole("option", { name: /^cust_id/ }));
    expect(useAsk.getState().text).toBe("How many orders per cust_id ");
    expect(document.activeElement).toBe(box);
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  it("writes no second blank behind a name that was put in, and none before a comma", async () => {
    show();
    const box = screen.getByLabelText<HTMLTextAreaElement>("Question");
    await userEvent.type(box, "How many @orders");
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard(" in 2024 by @cust_id");
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard("? ");
    expect(useAsk.getState().text).toBe("How many orders in 2024 by cust_id? ");
  });

  it("closes the list of names with Escape, and offers none inside a word", async () => {
    show();
    const box = screen.getByLabelText("Question");
    await userEvent.type(box, "@ord");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.type(box, " me@ord");
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.keyboard("{Enter}");
    expect(onAsk).toHaveBeenCalledTimes(1);
  });

  it("says why it cannot ask", () => {
    show(false, "This is a schema without data.");
    expect(screen.getByRole("alert").textContent).toContain("without data");
  });
});

it("shows a few sample questions, the next ones on demand, and the first ones again after the last", async () => {
  const questions = Array.from({ length: 8 }, (_, i) => ({ question: `Question ${i + 1}?`, level: "easy" }));
  const onPick = vi.fn();
  render(<Samples questions={questions} onPick={onPick} />);
  const shown = () => screen.getAllByRole("button", { name: /^Question/ }).map((button) => button.textContent);
  expect(shown()).toHaveLength(6);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  expect(shown()).toEqual(["Question 7?", "Question 8?"]);
  await userEvent.click(screen.getByRole("button", { name: "Question 8?" }));
  expect(onPick).toHaveBeenCalledWith("Question 8?");
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  expect(shown()[0]).toBe("Question 1?");
});
