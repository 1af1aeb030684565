// The answer page: what it says, its chart, why it may be empty, and the next question.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { rememberFollowUps, startFollowUps, useFollowUps } from "../src/features/ask/followUps";
import { useCharts } from "../src/features/chart/state";
import type { EventBody } from "../src/host/bindings";
import { AppFailure } from "../src/host/host";
import { navigate, useRoute } from "../src/navigation/route";
import { SAMPLE } from "./fake/data";
import { EXPLAINED } from "./fake/explained";
import type { FakeHost } from "./fake/host";
import { directLog, withExplanation } from "./fake/log";
import { start } from "./start";

let host: FakeHost;
beforeEach(async () => {
  useCharts.setState({ chosen: {} });
  useFollowUps.setState({ drafts: {} });
  host = await start();
});
const show = (runId: string) => act(() => navigate({ page: "run", runId, tab: "answer" }));
const called = (name: string) => host.calls.filter(([own]) => own === name).map(([, args]) => args);

describe("an answer", () => {
  it("says of which rows a single value is", async () => {
    show("r3");
    expect(await screen.findByRole("heading", { name: "Number of different cust id" })).toBeTruthy();
    expect(screen.getByText("From orders, where order dt is from 2025-01-01 on and before 2026-01-01")).toBeTruthy();
  });

  it("without rows names the step after which nothing is left", async () => {
    show("a-empty");
    expect(await screen.findByRole("heading", { name: "No rows" })).toBeTruthy();
    expect(await screen.findByText(/Nothing is left after this step.*region is “Lapland”/)).toBeTruthy();
    expect(screen.queryByRole("grid")).toBeNull();
    expect(screen.queryByRole("region", { name: "Chart" })).toBeNull();
  });

  it("leads from its steps to the graph", async () => {
    show("r1");
    await userEvent.click(await screen.findByRole("button", { name: "corrected once" }));
    expect(useRoute.getState().route).toMatchObject({ tab: "graph", face: "work" });
  });
});

describe("the chart of an answer", () => {
  const chart = async () => within(await screen.findByRole("region", { name: "Chart" }));

  it("is chosen by the result, can be another or none, and that is remembered for the run", async () => {
    show("a-series");
    await userEvent.click((await chart()).getByRole("radio", { name: "Bars" }));
    show("a-pairs");
    expect((await chart()).getByRole("radio", { name: "Grouped" }).getAttribute("aria-checked")).toBe("true");
    show("a-series");
    await waitFor(async () =>
      expect((await chart()).getByRole("radio", { name: "Bars" }).getAttribute("aria-checked")).toBe("true"),
    );
    await userEvent.click((await chart()).getByRole("radio", { name: "None" }));
    expect((await chart()).queryByRole("img")).toBeNull();
    expect(JSON.parse((await host.preference("charts"))!)).toMatchObject({ "a-series": { type: "none" } });
  });

  it("is not there for a single value", async () => {
    show("r3");
    await screen.findByText("18,462");
    expect(screen.queryByRole("region", { name: "Chart" })).toBeNull();
  });
});

describe("the next question", () => {
  const box = () => screen.findByLabelText<HTMLTextAreaElement>("Follow-up");
  const whole = () => screen.findByLabelText<HTMLTextAreaElement>("Complete question");

  it("becomes a whole question that is seen and edited before it is asked, and carries the one before", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?{Enter}");
    expect((await whole()).value).toBe("How many customers ordered something in 2023?");
    expect(called("ask")).toHaveLength(0);
    await userEvent.type(await whole(), " Roughly.{Enter}");
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({
      question: "How many customers ordered something in 2023? Roughly.",
      follows: { runId: "r3", question: "How many customers ordered something in 2025?", text: "and for 2023?" },
    });
    show("r3");
    expect((await box()).value).toBe("");
  });

  it("is completed while it is typed where no model is needed, and one Enter asks it", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?");
    const whole = "How many customers ordered something in 2023?";
    expect(await screen.findByText(whole)).toBeTruthy();
    expect(called("followUp")).toHaveLength(0);
    expect(called("ask")).toHaveLength(0);
    await userEvent.type(await box(), "{Enter}");
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({
      question: whole,
      follows: { runId: "r3", question: "How many customers ordered something in 2025?", text: "and for 2023?" },
    });
    expect(called("followUp")).toHaveLength(0);
  });

  it("is offered where no model is needed, and one click asks it", async () => {
    show("r3");
    const offered = within(await screen.findByRole("group", { name: "Suggested next questions" }));
    const chip = offered.getByRole("button", { name: "and for 2024?" });
    expect(chip.title).toBe("How many customers ordered something in 2024?");
    await userEvent.type(await box(), "x");
    expect(screen.queryByRole("group", { name: "Suggested next questions" })).toBeNull();
    await userEvent.type(await box(), "{Backspace}");
    await userEvent.click(await screen.findByRole("button", { name: "and for 2024?" }));
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({
      question: "How many customers ordered something in 2024?",
      follows: { runId: "r3", text: "and for 2024?" },
    });
    expect(called("followUp")).toHaveLength(0);
  });

  it("is edited before it is asked, once it is completed", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?");
    await screen.findByText("How many customers ordered something in 2023?");
    await userEvent.click(
      within(screen.getByRole("region", { name: "Next question" })).getByRole("button", { name: "Edit" }),
    );
    await userEvent.type(await whole(), " Roughly.{Enter}");
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({
      question: "How many customers ordered something in 2023? Roughly.",
    });
  });

  it("is never asked as it was completed for an earlier text", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?");
    await screen.findByText("How many customers ordered something in 2023?");
    await userEvent.type(await box(), " only Spain{Enter}");
    await whole();
    expect(called("ask")).toHaveLength(0);
    expect(called("followUp")).toHaveLength(1);
  });

  it("is written by the user where a model only repeats the question", async () => {
    host.completeFollowUp = async () => null;
    host.followUp = async () => {
      const message = "The model only repeated the previous question";
      throw new AppFailure({ code: "usage", message, hint: "Type the whole question", detail: null });
    };
    show("r3");
    await userEvent.type(await box(), "only Spain{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain("The model only repeated the previous question");
    await userEvent.click(screen.getByRole("button", { name: "Edit the previous question" }));
    expect((await whole()).value).toBe("How many customers ordered something in 2025?");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(called("ask")).toHaveLength(0);
  });

  const shownRun = (runId: string, change: (body: EventBody) => EventBody) => {
    const events = withExplanation(directLog(runId, SAMPLE, new Date().toISOString()), EXPLAINED);
    act(() => {
      for (const event of events) host.emit({ kind: "run", event: { ...event, body: change(event.body) } });
    });
  };
  /** An answer that follows up on another run, with another number. */
  const followUp = (runId: string) => {
    const follows = { runId, question: "How many customers ordered something in 2025?", text: "and for 2023?" };
    shownRun(`after-${runId}`, (body) => {
      if (body.type === "resultReady") return { ...body, page: { ...body.page, rows: [["16450"]] } };
      return body.type === "runStarted" ? { ...body, follows } : body;
    });
    show(`after-${runId}`);
  };

  it("shows the answer before and the change since", async () => {
    shownRun("before", (body) => body);
    followUp("before");
    expect(await screen.findByText("16,450")).toBeTruthy();
    expect(await screen.findByText("-10.9% from 18,462")).toBeTruthy();
    const before = screen.getByRole("button", { name: /^How many customers ordered something in 2025\?.*18,462/ });
    expect(before.getAttribute("aria-expanded")).toBe("false");
    await userEvent.click(before);
    expect(screen.getByRole("heading", { name: "Number of different cust id", level: 4 })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Open this answer" }));
    expect(useRoute.getState().route).toMatchObject({ runId: "before" });
  });

  it("is compared with the question that it follows", async () => {
    followUp("r3");
    const before = (await screen.findByText("18,462")).closest("button")!;
    expect(before.textContent).toContain("Check this");
    await screen.findByRole("heading", { name: "How this was computed" });
    await userEvent.click(within(screen.getByRole("main")).getAllByRole("button", { name: "More" })[0]!);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Compare with another run" }));
    expect(useRoute.getState().route).toEqual({ page: "compare", left: "r3", right: "after-r3" });
  });

  it("stands at the question that it follows, and in the history with a sign", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?{Enter}");
    await userEvent.type(await whole(), "{Enter}");
    await waitFor(() => expect(useRoute.getState().route).not.toMatchObject({ runId: "r3" }));
    const { route } = useRoute.getState();
    expect(await screen.findByRole("img", { name: "Follow-up of an earlier question" })).toBeTruthy();
    show("r3");
    const branches = within(await screen.findByRole("region", { name: "Runs that continue this one" }));
    expect(branches.getByText("Follow-up questions:")).toBeTruthy();
    expect(branches.queryByText("Run again with changes:")).toBeNull();
    await userEvent.click(branches.getByRole("button"));
    expect(useRoute.getState().route).toEqual(route);
  });

  it("goes back to what was typed", async () => {
    show("r3");
    await userEvent.type(await box(), "and for 2023?{Enter}");
    await userEvent.type(await whole(), "{Escape}");
    expect((await box()).value).toBe("and for 2023?");
  });

  it("is not lost: not on other pages, not with the window", async () => {
    show("r3");
    await userEvent.type(await box(), "only Spain");
    await userEvent.click(screen.getByRole("button", { name: "New question" }));
    show("r1");
    expect((await box()).value).toBe("");
    show("r3");
    await waitFor(async () => expect((await box()).value).toBe("only Spain"));
    act(() => rememberFollowUps());
    cleanup();
    useFollowUps.setState({ drafts: {} });
    await start({}, host);
    await startFollowUps();
    show("r3");
    await waitFor(async () => expect((await box()).value).toBe("only Spain"));
  });

  it("lists tables and columns after an @, as a question does", async () => {
    show("r3");
    await userEvent.type(await box(), "only of @stores");
    await userEvent.click(await screen.findByRole("option", { name: /^stores/ }));
    expect((await box()).value).toBe("only of stores ");
    expect(called("followUp")).toHaveLength(0);
  });

  it("is not waited for any longer on Escape, and can be asked as typed meanwhile", async () => {
    let tell = (_: string) => {};
    host.followUp = () => new Promise((resolve) => (tell = resolve));
    host.completeFollowUp = async () => null;
    show("r3");
    await userEvent.type(await box(), "and for 2023?{Enter}");
    expect(await screen.findByText("Completing your question")).toBeTruthy();
    await userEvent.type(await box(), "{Escape}");
    expect(screen.queryByText("Completing your question")).toBeNull();
    await act(async () => tell("Too late?"));
    expect((await box()).value).toBe("and for 2023?");
    await userEvent.type(await box(), "{Enter}");
    await userEvent.click(await screen.findByRole("button", { name: "Ask as typed" }));
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({ question: "and for 2023?" });
  });

  it("can be asked as it is where no model rewrites it", async () => {
    host.followUp = async () => {
      throw new AppFailure({ code: "model", message: "The model is not there.", hint: null, detail: null });
    };
    show("r3");
    await userEvent.type(await box(), "How many stores?{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain("The model is not there.");
    await userEvent.click(screen.getByRole("button", { name: "Ask as typed" }));
    await waitFor(() => expect(called("ask")).toHaveLength(1));
    expect(called("ask")[0]![0]).toMatchObject({ question: "How many stores?" });
  });
});
