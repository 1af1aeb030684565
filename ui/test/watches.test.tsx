// The page of watched answers, and the dialog that plans them.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { startWatching, useWatches } from "../src/features/watches/state";
import { clockOf, lastChange, minuteOf, planInWords, USUAL_PLAN } from "../src/features/watches/words";
import type { WatchRun } from "../src/host/bindings";
import { AppFailure } from "../src/host/host";
import { useToasts } from "../src/kit/toast";
import { navigate, parseRoute, useRoute } from "../src/navigation/route";
import { paletteItems } from "../src/shell/commands";
import type { FakeHost } from "./fake/host";
import { WATCH_ERROR } from "./fake/watches";
import { start } from "./start";

let host: FakeHost;
const called = (name: string) => host.calls.filter(([own]) => own === name).map(([, args]) => args);
const show = () => act(() => navigate({ page: "watches" }));
const entry = async (title: string) => {
  const name = await screen.findByRole("button", { name: title });
  return within(name.closest("li")!);
};

describe("the watched answers", () => {
  beforeEach(async () => {
    host = await start();
  });

  it("say what ran, what runs next, what changed last and what is wrong", async () => {
    show();
    const top = await entry("Top products by revenue, 2024");
    expect(top.getByText(/^Every day at 08:00 · reported when it changes/)).toBeTruthy();
    expect(top.getByText(/: 2 of 10 rows are different$/)).toBeTruthy();
    const broken = await entry("Web share by month");
    expect(broken.getByText("Due now")).toBeTruthy();
    expect(broken.getAllByText(new RegExp(WATCH_ERROR)).length).toBeGreaterThan(0);
    expect(screen.getByText(/the timer is not installed/)).toBeTruthy();
  });

  it("list their earlier runs with what they took", async () => {
    show();
    const top = await entry("Top products by revenue, 2024");
    await userEvent.click(top.getByRole("button", { name: "3 runs" }));
    expect(top.getAllByText(/10 rows, /)).toHaveLength(3);
  });

  it("that are due run at once, and their error is gone", async () => {
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Run due now" }));
    await waitFor(() => expect(screen.queryByText("Due now")).toBeNull());
    expect(called("runDueAnswers")).toHaveLength(1);
    expect(useToasts.getState().items.map(({ title }) => title)).toContain("1 watched answer was run.");
  });

  it("are no longer watched when the user says so, and can be watched again", async () => {
    show();
    await entry("Web share by month");
    await userEvent.click(screen.getByRole("button", { name: "More for Web share by month" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Stop watching" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Web share by month" })).toBeNull());
    expect(called("unwatchSaved")).toEqual([["s2"]]);
    act(() => useToasts.getState().items.at(-1)!.actions![0]!.run());
    expect(await screen.findByRole("button", { name: "Web share by month" })).toBeTruthy();
    expect(called("watchAnswer")[0]![1]).toMatchObject({ interval: "hour", alert: { kind: "above", limit: "1000" } });
  });

  it("keep their plan if it is changed before the plans are loaded", async () => {
    const known = host.watchedAnswers;
    let answer: () => void = () => {};
    host.watchedAnswers = () =>
      new Promise((resolve) => {
        answer = () => void known().then(resolve);
      });
    const question = (await host.saved("")).find(({ id }) => id === "s2")!;
    act(() => {
      useWatches.setState({ list: [], status: "loading" });
      startWatching(question);
    });
    const dialog = within(await screen.findByRole("dialog", { name: "Watch this answer" }));
    expect(dialog.getByRole("button", { name: "Watch" }).hasAttribute("disabled")).toBe(true);
    await act(async () => answer());
    expect((await dialog.findByRole<HTMLInputElement>("textbox", { name: "Limit" })).value).toBe("1000");
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    expect(called("watchAnswer")[0]![1]).toMatchObject({ interval: "hour", alert: { kind: "above", limit: "1000" } });
  });

  it("say how many runs were looked at where none changed anything", async () => {
    const known = host.watchRuns;
    host.watchRuns = async (id, limit) => {
      const [first] = await known(id, limit);
      return Array.from({ length: limit }, (_, at) => ({ ...first!, outcome: "unchanged", startedAt: `${at}` }));
    };
    show();
    const top = await entry("Top products by revenue, 2024");
    expect(await top.findByText("None in the last 50 runs")).toBeTruthy();
  });

  it("say why they cannot be loaded, and load again", async () => {
    const known = host.watchedAnswers;
    host.watchedAnswers = async () => {
      throw new AppFailure({ code: "internal", message: "The workspace is locked.", hint: null, detail: null });
    };
    show();
    expect(await screen.findByText("The workspace is locked.")).toBeTruthy();
    host.watchedAnswers = known;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Web share by month" })).toBeTruthy();
  });

  it("are found in the sidebar, in the palette and by their address", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Watched answers" }));
    expect(useRoute.getState().route).toEqual({ page: "watches" });
    expect(paletteItems().some(({ id }) => id === "watches")).toBe(true);
    expect(parseRoute("#/watches")).toEqual({ page: "watches" });
  });
});

describe("watching a saved question", () => {
  beforeEach(async () => {
    host = await start({ fresh: true });
  });
  const open = async () => {
    show();
    await screen.findByText("No watched answers yet");
    await userEvent.click(screen.getByRole("button", { name: "Watch a saved question" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Web share by month" }));
    return within(await screen.findByRole("dialog", { name: "Watch this answer" }));
  };

  it("runs it every day and reports changes, unless the user plans otherwise", async () => {
    const dialog = await open();
    await userEvent.click(dialog.getByRole("button", { name: "Watch" }));
    expect(await screen.findByRole("button", { name: "Web share by month" })).toBeTruthy();
    expect(called("watchAnswer")).toEqual([["s2", USUAL_PLAN]]);
    expect(useWatches.getState().watching).toBeNull();
  });

  it("is offered for queries only", async () => {
    show();
    await screen.findByText("No watched answers yet");
    await userEvent.click(screen.getByRole("button", { name: "Watch a saved question" }));
    await screen.findByRole("menuitem", { name: "Web share by month" });
    expect(screen.queryByRole("menuitem", { name: "Categories that lost revenue" })).toBeNull();
  });

  it("says what is wrong with a limit, and keeps the dialog", async () => {
    const dialog = await open();
    await userEvent.click(dialog.getByRole("combobox", { name: "Reported" }));
    await userEvent.click(await screen.findByRole("option", { name: "When a number is above" }));
    const watch = dialog.getByRole("button", { name: "Watch" });
    expect(watch.hasAttribute("disabled")).toBe(true);
    await userEvent.type(dialog.getByRole("textbox", { name: "Limit" }), "1,5");
    await userEvent.click(watch);
    expect(await dialog.findByText("'1,5' is not a number")).toBeTruthy();
    await userEvent.clear(dialog.getByRole("textbox", { name: "Limit" }));
    await userEvent.type(dialog.getByRole("textbox", { name: "Limit" }), "1.5{Enter}");
    await screen.findByRole("button", { name: "Web share by month" });
    expect(called("watchAnswer").at(-1)![1]).toMatchObject({ alert: { kind: "above", limit: "1.5" } });
  });
});

describe("a plan", () => {
  it("is told with its time and what is reported", () => {
    expect(planInWords({ ...USUAL_PLAN, interval: "hour" })).toBe("Every hour · reported when it changes");
    const weekly = { ...USUAL_PLAN, interval: "week" as const, weekday: 4, minute: 545 };
    expect(planInWords({ ...weekly, alert: { kind: "below", limit: "3.5" } })).toBe(
      "Every week on Friday at 09:05 · reported below 3.5",
    );
  });
  it("has a time of day that exists", () => {
    expect([minuteOf("08:05"), minuteOf("23:59"), minuteOf("24:00"), minuteOf("")]).toEqual([485, 1439, null, null]);
    expect(clockOf(485)).toBe("08:05");
  });
  it("tells the last run that found something new, not one that failed", () => {
    const run = (outcome: WatchRun["outcome"]) => ({ outcome }) as WatchRun;
    expect(lastChange([run("failed"), run("unchanged"), run("crossed"), run("changed")])?.outcome).toBe("crossed");
    expect(lastChange([run("failed"), run("first")])).toBeUndefined();
  });
});
