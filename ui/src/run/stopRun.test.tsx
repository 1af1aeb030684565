// Stopping a run: at once while little is lost, after a question once much is; and where the keys go when a button is gone.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { setDraft } from "../features/editor/state";
import { useRuns } from "../features/runs/state";
import { navigate, useRoute } from "../navigation/route";

let host: FakeHost;
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
});

const heading = () => screen.getByRole("heading", { level: 1 });
const stop = () => screen.getByRole("button", { name: "Stop" });
const stopped = () => host.calls.some(([name]) => name === "cancelRun");
const alert = () => screen.queryByRole("alert");

async function running(seconds: number) {
  host = await start({ speed: 1 });
  await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
  await screen.findByText("Understanding the question");
  vi.setSystemTime(Date.now() + seconds * 1000);
}

describe("a run that has just begun", () => {
  it("is stopped at once, and the heading has the keys", async () => {
    await running(2);
    await userEvent.click(stop());
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });
});

describe("a run that had finished a step before it was stopped", () => {
  it("goes on with it, and says so", async () => {
    host = await start({ speed: 0.05 });
    await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
    await screen.findByText("Understanding the question");
    const { runId } = useRoute.getState().route as { runId: string };
    const finished = () =>
      useRuns
        .getState()
        .logs[runId]?.events.some(({ body }) => body.type === "stageFinished" && body.node === "rewriter");
    await waitFor(() => expect(finished()).toBe(true), { timeout: 5000 });
    await userEvent.click(stop());
    await userEvent.click((await within(screen.getByRole("main")).findAllByRole("button", { name: "Continue" }))[0]!);
    expect(host.calls).toContainEqual(["rerun", [runId, []]]);
    expect(
      await within(screen.getByRole("main")).findByText("Continues the earlier run where it stopped"),
    ).toBeTruthy();
  });

  it("is only asked again where nothing was finished", async () => {
    await running(2);
    await userEvent.click(stop());
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
  });
});

describe("a run with some work behind it", () => {
  beforeEach(() => running(34));

  it("is stopped by a second press of Stop, and the question says what would be lost", async () => {
    await userEvent.click(stop());
    expect(alert()?.textContent).toContain("Stop? 34 s of work will be lost.");
    expect(stopped()).toBe(false);
    expect(document.activeElement).toBe(stop());
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
    expect(alert()?.textContent ?? "").not.toContain("will be lost");
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it("is not stopped by a double click", async () => {
    await userEvent.dblClick(stop());
    expect(alert()).not.toBeNull();
    expect(stopped()).toBe(false);
  });

  it("goes on after Escape and after “Keep going”, and is asked about again", async () => {
    await userEvent.keyboard("{Control>}.{/Control}");
    expect(alert()).not.toBeNull();
    await userEvent.keyboard("{Escape}");
    expect(alert()).toBeNull();
    await userEvent.keyboard("{Control>}.{/Control}");
    await userEvent.click(screen.getByRole("button", { name: "Keep going" }));
    expect(alert()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(stopped()).toBe(false);
    await userEvent.keyboard("{Control>}.{/Control}");
    expect(stopped()).toBe(false);
    await userEvent.keyboard("{Control>}.{/Control}");
    expect(await screen.findByText("You stopped this question.")).toBeTruthy();
  });

  it("is not stopped by keys that are held down", async () => {
    await userEvent.keyboard("{Control>}{.>4/}{/Control}");
    expect(alert()).not.toBeNull();
    expect(stopped()).toBe(false);
  });

  it("is asked about in the box, too, while the question is edited there", async () => {
    await userEvent.click(screen.getByRole("button", { name: "Edit question" }));
    await userEvent.click(stop());
    expect(alert()?.textContent).toContain("34 s of work");
    await userEvent.click(stop());
    await waitFor(() => expect(stopped()).toBe(true));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Question")));
  });
});

describe("the keys, when what had them is gone", () => {
  it("go to the heading after a reading was chosen on its card", async () => {
    host = await start();
    await userEvent.type(screen.getByLabelText("Question"), "How many active customers are there?{Enter}");
    await screen.findByRole("heading", { name: "Which do you mean?" });
    screen.getByRole("button", { name: /18,462/ }).focus();
    await userEvent.keyboard("{Enter}");
    await screen.findByRole("region", { name: "Interpretation of the question" });
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it("go to the editor after Reset, which can be taken back", async () => {
    host = await start();
    setDraft("run:r1", "SELECT 1");
    act(() => navigate({ page: "run", runId: "r1", tab: "sql" }));
    const editor = await screen.findByRole("textbox", { name: "SQL" });
    expect(editor.textContent).toBe("SELECT 1");
    await userEvent.click(screen.getByRole("button", { name: "Reset" }));
    expect(editor.textContent).toContain("sold_lines_2024");
    expect(document.activeElement).toBe(editor);
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(editor.textContent).toBe("SELECT 1"));
  });
});
