// What questions cost: before, meanwhile, after; limits and presets; and the best so far.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished } from "vitest";
import { setExpertDetails } from "../src/domain/experts";
import { useSettings } from "../src/features/settings/state";
import { setLanguage } from "../src/kit/language";
import { useToasts } from "../src/kit/toast";
import { navigate } from "../src/navigation/route";
import { LARGE, slowLog } from "./fake/costs";
import { SAMPLE } from "./fake/data";
import type { FakeHost } from "./fake/host";
import { MODEL } from "./fake/writer";
import { start } from "./start";

const calls = (host: FakeHost, name: string) =>
  host.calls.filter(([called]) => called === name).map(([, args]) => args);

it("says what a question would cost while it is being written, and nothing for an empty box", async () => {
  const host = await start();
  expect(screen.queryByText(/no cost/)).toBeNull();
  await userEvent.type(screen.getByLabelText("Question"), "Which five stores sold the most?");
  expect(await screen.findByText("About 9 to 28 s, no cost")).toBeTruthy();
  act(() => setExpertDetails(true));
  expect(await screen.findByText("About 9,200 to 14,000 tokens, 9 to 28 s, no cost")).toBeTruthy();
  const [request] = calls(host, "estimate").at(-1) as [{ warehouse: string; settings: { answerWithinS: number } }];
  expect([request.warehouse, request.settings.answerWithinS]).toEqual([SAMPLE, 90]);
  await userEvent.clear(screen.getByLabelText("Question"));
  await waitFor(() => expect(screen.queryByText(/9,200/)).toBeNull());
});

it("says before asking that a limit of the month would refuse the question", async () => {
  const host = await start();
  const { estimate } = host;
  host.estimate = async (request) => ({ ...(await estimate(request)), refused: "The limit of November is reached." });
  await userEvent.type(screen.getByLabelText("Question"), "Which stores?");
  expect(await screen.findByText("The limit of November is reached.")).toBeTruthy();
});

it("has nothing to estimate beside an answer until the question is another one", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
  await screen.findByRole("region", { name: "Certainty" });
  await new Promise((done) => setTimeout(done, 500));
  expect(screen.queryByText(/no cost/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
  await userEvent.type(screen.getByLabelText("Question"), " And in 2024?");
  expect(await screen.findByText("About 9 to 28 s · no cost")).toBeTruthy();
});

it("says what a follow-up would cost, as a question that follows the answered one", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
  const next = within(await screen.findByRole("region", { name: "Next question" }));
  expect(next.queryByText(/no cost/)).toBeNull();
  await userEvent.type(next.getByLabelText("Follow-up"), "and for 2023?");
  expect(await next.findByText("About 9 to 28 s, no cost")).toBeTruthy();
  const [request] = calls(host, "estimate").at(-1) as [{ follows: { runId: string } }];
  expect(request.follows.runId).toBe("r3");
  await userEvent.clear(next.getByLabelText("Follow-up"));
  await waitFor(() => expect(next.queryByText(/no cost/)).toBeNull());
});

it("shows the cost of an answer by step", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
  await userEvent.click(await screen.findByRole("button", { name: "Cost by step" }));
  const table = screen.getByRole("table", { name: "Cost by step" });
  const rows = within(table).getAllByRole("row");
  expect(rows[1]?.textContent).toMatch(/^Understanding the question/);
  expect(rows.at(-1)?.textContent).toMatch(/^Total.*tokens.*none$/);
});

/** Plays the run up to the question whether to keep looking, and gives what may follow. */
function slow(host: FakeHost) {
  const events = slowLog("slow", SAMPLE, new Date().toISOString(), "For each country?");
  const at = events.findIndex((e) => e.body.type === "bestSoFar") + 1;
  const tell = (some: typeof events) =>
    act(() => {
      for (const event of some) host.emit({ kind: "run", event });
    });
  tell(events.slice(0, at));
  return {
    goOn: () => {
      const decided = structuredClone(events[at]!);
      if (decided.body.type === "lookingDecided") decided.body.goesOn = true;
      tell([decided]);
    },
    stop: () => tell(events.slice(at)),
  };
}

it("shows the best so far when an answer takes long, and goes on looking when told to", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "slow", tab: "answer" }));
  const { goOn, stop } = slow(host);
  const best = await screen.findByRole("region", { name: "Best so far" });
  expect(within(best).getByText("Best result after 1 min 30 s")).toBeTruthy();
  expect(best.textContent).toContain("2 of 3 queries give this result");
  expect(within(best).getByText("1,204,411.20")).toBeTruthy();
  expect(within(best).getByRole("timer").textContent).toMatch(/Stops automatically in [12]:/);
  await userEvent.click(within(best).getByRole("button", { name: "Keep looking" }));
  expect(calls(host, "keepLooking")).toEqual([["slow", true]]);
  goOn();
  expect(await screen.findByText("Working on it")).toBeTruthy();
  expect(screen.getByText(/· below 1 cent/).textContent).not.toContain("tokens");
  act(() => setExpertDetails(true));
  expect(screen.getByText(/6.1k tokens · below 1 cent/)).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Best so far" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Best result so far" }));
  expect(screen.getByText("1,204,411.20")).toBeTruthy();
  stop();
  expect(await screen.findByRole("grid", { name: "Answer" })).toBeTruthy();
  expect(screen.queryByText("Best result so far")).toBeNull();
});

it("stops with the best so far, which then is the answer with its cost", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "slow", tab: "answer" }));
  const { stop } = slow(host);
  await userEvent.click(await screen.findByRole("button", { name: "Stop here" }));
  expect(calls(host, "keepLooking")).toEqual([["slow", false]]);
  stop();
  expect(await screen.findByText(/below 1 cent\./)).toBeTruthy();
});

it("says on other pages that a run waits for a word", async () => {
  const host = await start();
  const { stop } = slow(host);
  const [told] = useToasts.getState().items;
  expect(told?.title).toBe("A first answer is ready. Keep looking?");
  stop();
  expect(useToasts.getState().items).toEqual([]);
});

it("keeps what had run when a question is stopped", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "slow", tab: "answer" }));
  const events = slowLog("slow", SAMPLE, new Date().toISOString(), "For each country?");
  const at = events.findIndex((e) => e.body.type === "bestSoFar");
  const best = structuredClone(events[at]!);
  if (best.body.type === "bestSoFar") best.body.waitsS = 0;
  const end = structuredClone(events.at(-1)!);
  end.seq = best.seq + 1;
  if (end.body.type === "runFinished")
    end.body.error = { code: "cancelled", message: "You stopped this question.", hint: null, detail: null };
  act(() => {
    for (const event of [...events.slice(0, at), best, end]) host.emit({ kind: "run", event });
  });
  expect(await screen.findByText("You stopped this question.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Best result until then" }).getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByText("1,204,411.20")).toBeTruthy();
});

it("shows what a month has cost, by model and step, and how near its limit is", async () => {
  const host = await start();
  act(() => navigate({ page: "settings", tab: "costs" }));
  const table = await screen.findByRole("table", { name: "Spending by model and step" });
  const rows = within(table).getAllByRole("row");
  expect(rows[1]?.textContent).toMatch(/^gpt-4.1-mini \(OpenAI\)334/);
  expect(rows[2]?.textContent).toBe("Writing the SQL2122,000,400$0.64");
  expect(screen.getByText("46% of the limit is used.")).toBeTruthy();
  const money = screen.getByLabelText("Cost per month: All steps");
  await userEvent.clear(money);
  await userEvent.type(money, "0.5{Enter}");
  expect(useSettings.getState().settings?.monthly.all).toEqual({ tokens: null, money: 500_000 });
  expect(await screen.findByText("The monthly limit is reached.")).toBeTruthy();
  const [ofMonth, ofQuestion] = screen.getAllByRole("button", { name: /Limits by step/ });
  await userEvent.click(ofMonth!);
  await userEvent.type(screen.getByLabelText("Tokens per month: Comparing results"), "1000{Enter}");
  expect(useSettings.getState().settings?.monthly.byAgent).toEqual({ judge: { tokens: 1000, money: null } });
  await userEvent.clear(screen.getByLabelText("Tokens per month: Comparing results"));
  await userEvent.tab();
  expect(useSettings.getState().settings?.monthly.byAgent).toEqual({});
  await userEvent.type(screen.getByLabelText("Cost per question"), "0.02{Enter}");
  expect(useSettings.getState().settings?.budget.money).toBe(20_000);
  await userEvent.click(ofQuestion!);
  await userEvent.type(screen.getByLabelText("Tokens per question: Comparing results"), "500{Enter}");
  expect(useSettings.getState().settings?.agentBudgets).toEqual({ judge: { tokens: 500, money: null } });
  expect(calls(host, "setSettings").length).toBeGreaterThan(3);
});

it("says that money cannot be limited where a price is not known, and why spending cannot be read", async () => {
  const host = await start();
  const { spending } = host;
  host.spending = async (month) => ({ ...(await spending(month)), unpriced: ["there"] });
  act(() => navigate({ page: "settings", tab: "costs" }));
  expect(await screen.findByText(/The price of there is unknown, so cost limits do not apply to it/)).toBeTruthy();
  act(() => navigate({ page: "settings", tab: "models" }));
  host.spending = async () => Promise.reject(new Error("locked"));
  act(() => navigate({ page: "settings", tab: "costs" }));
  expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
});

it("shows the amount of a month without cost as an amount, whatever the language", async () => {
  const host = await start();
  const { spending } = host;
  host.spending = async (month) => {
    const read = await spending(month);
    return { ...read, remote: { ...read.remote, micro_usd: 0, priced_calls: read.remote.llm_calls } };
  };
  await act(() => setLanguage("de"));
  onTestFinished(() => setLanguage("en"));
  act(() => navigate({ page: "settings", tab: "costs" }));
  expect(await screen.findByText("0,00 $")).toBeTruthy();
});

it("leads from the choice of models to the page on which each step has its own", async () => {
  await start();
  act(() => navigate({ page: "settings", tab: "models" }));
  await userEvent.click(await screen.findByRole("button", { name: "Advanced, Steps" }));
  expect(await screen.findByRole("heading", { name: "Steps" })).toBeTruthy();
});

it("offers the models of all steps as one choice", async () => {
  await start();
  act(() => navigate({ page: "settings", tab: "models" }));
  const hybrid = await screen.findByRole("radio", { name: /^Views here, queries by the large model/ });
  expect(screen.getByRole("radio", { name: /^All on this computer/ }).getAttribute("aria-checked")).toBe("true");
  await userEvent.click(hybrid);
  const { settings } = useSettings.getState();
  expect(settings?.defaultModel).toBe(LARGE);
  expect(settings?.agentModels.rewriter).toBe(MODEL);
  expect(settings?.agentModels.judge).toBeUndefined();
  await waitFor(() => expect(hybrid.getAttribute("aria-checked")).toBe("true"));
});
