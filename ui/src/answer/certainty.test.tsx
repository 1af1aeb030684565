// The certainty of an answer: its place, its reasons and its changes.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { CERTAINTIES, estimatedLog } from "../../test/fake/certainty";
import { SAMPLE } from "../../test/fake/data";
import type { FakeHost } from "../../test/fake/host";
import { directLog } from "../../test/fake/log";
import { start } from "../../test/start";
import type { CertaintyLevel } from "../host/bindings";
import { useToasts } from "../kit/toast";
import { navigate } from "../navigation/route";

const note = () => screen.findByRole("region", { name: "Certainty" });

it("claims no share of right answers where that was never measured", async () => {
  const host = await start();
  const guess = structuredClone(CERTAINTIES.check);
  guess.reasons.push({ code: "not-calibrated", text: "This is a cautious guess.", supports: false });
  const events = estimatedLog(directLog("guess", SAMPLE, new Date().toISOString()), guess);
  act(() => {
    for (const event of events) host.emit({ kind: "run", event });
    navigate({ page: "run", runId: "guess", tab: "answer" });
  });
  const said = await note();
  expect(said.textContent).toContain("This is a cautious guess.");
  expect(said.textContent).not.toContain("In tests");
});

/** Plays the first events of a run, and gives the rest. */
function begin(host: FakeHost, first: CertaintyLevel, later: CertaintyLevel) {
  const events = estimatedLog(
    directLog("live", SAMPLE, new Date().toISOString()),
    CERTAINTIES[first],
    CERTAINTIES[later],
  );
  const answered = events.findIndex((e) => e.body.type === "certaintyEstimated") + 1;
  const tell = (some: typeof events) =>
    act(() => {
      for (const event of some) host.emit({ kind: "run", event });
    });
  tell(events.slice(0, answered));
  return () => tell(events.slice(answered));
}

it.each([
  ["rules", "Sure", "Two queries that were written from different descriptions"],
  ["r7", "Probably not right", "The question was asked again in other words"],
])("says of run %s “%s”, with its main reason", async (run, label, main) => {
  await start();
  act(() => navigate({ page: "run", runId: run, tab: "answer" }));
  const said = await note();
  expect(within(said).getByRole("status").textContent).toBe(label);
  expect(said.textContent).toContain(main);
  expect(said.textContent).not.toContain("Still checking");
});

it("gives all reasons for and against, and how often such answers were right", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r7", tab: "answer" }));
  const said = await note();
  expect(within(said).queryAllByRole("listitem")).toHaveLength(0);
  await userEvent.click(within(said).getByRole("button", { name: "Why" }));
  expect(within(said).getAllByRole("listitem")).toHaveLength(3);
  expect(within(said).getAllByLabelText("Casts doubt on the answer")).toHaveLength(3);
  expect(said.textContent).toContain("about 22% of answers like this one were right");
});

it("opens the reasons by itself beside a single value that is worth a check", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r3", tab: "answer" }));
  const said = await note();
  expect(within(said).getByRole("status").textContent).toBe("Check this");
  expect(within(said).getAllByLabelText("Casts doubt on the answer")).toHaveLength(2);
  expect(within(said).getAllByLabelText("Supports the answer")).toHaveLength(1);
});

it("says nothing of an answer of which nothing is known", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r6", tab: "answer" }));
  await screen.findByText(/checked in 3 steps/);
  expect(screen.queryByRole("region", { name: "Certainty" })).toBeNull();
});

it("shows the level in the history", async () => {
  await start();
  const history = await screen.findByRole("region", { name: "History" });
  const entry = (question: RegExp) => within(history).getByRole("button", { name: question });
  expect(within(entry(/^What was the revenue by store/)).getByRole("img", { name: "Sure" })).toBeTruthy();
  expect(within(entry(/^How many customers/)).getByRole("img", { name: "Check this" })).toBeTruthy();
  expect(within(entry(/^Average basket/)).getByRole("img", { name: "Probably not right" })).toBeTruthy();
  expect(within(entry(/^Which promo codes/)).queryByRole("img")).toBeNull();
});

it("says that it is still checking, and then that it changed its mind", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "live", tab: "answer" }));
  const goOn = begin(host, "sure", "check");
  const status = within(await note()).getByRole("status");
  expect(status.textContent).toBe("Sure. Still checking.");
  goOn();
  await waitFor(() => expect(status.textContent).toBe("Check this (was “Sure” before the second check)"));
  expect(useToasts.getState().items).toEqual([]);
});

it("shows the verdict at once while a check goes on, and opens no reasons that all speak for the answer", async () => {
  const host = await start();
  act(() => navigate({ page: "run", runId: "live", tab: "answer" }));
  const open = structuredClone(CERTAINTIES.check);
  for (const reason of open.reasons) reason.supports = true;
  const events = estimatedLog(directLog("live", SAMPLE, new Date().toISOString()), open, CERTAINTIES.sure);
  const at = events.findIndex((e) => e.body.type === "certaintyEstimated") + 1;
  const tell = (some: typeof events) =>
    act(() => {
      for (const event of some) host.emit({ kind: "run", event });
    });
  tell(events.slice(0, at));
  const said = await note();
  expect(within(said).getByRole("status").textContent).toBe("Check this. Still checking.");
  expect(said.textContent).toContain("checking…");
  expect(within(said).queryAllByRole("listitem")).toHaveLength(0);
  tell(events.slice(at));
  // What has become surer needs no history.
  await waitFor(() => expect(within(said).getByRole("status").textContent).toBe("Sure"));
  expect(said.textContent).not.toContain("second check");
});

it("stops the check at once and keeps the verdict", async () => {
  const host = await start();
  const stopped: string[] = [];
  host.cancelRun = async (runId) => {
    stopped.push(runId);
  };
  act(() => navigate({ page: "run", runId: "live", tab: "answer" }));
  const goOn = begin(host, "check", "check");
  const said = await note();
  const stop = within(said).getByRole("button", { name: "Stop checking" });
  await userEvent.click(stop);
  await userEvent.click(stop);
  expect(stopped).toEqual(["live"]);
  goOn();
  await waitFor(() => expect(within(said).getByRole("status").textContent).toBe("Check this"));
  expect(within(said).queryByRole("button", { name: "Stop checking" })).toBeNull();
});

it("tells of a change for the worse where the answer is no longer on screen", async () => {
  const host = await start();
  begin(host, "sure", "check")();
  const [told] = useToasts.getState().items;
  expect(told?.title).toBe("After the second check: Check this (was Sure).");
  act(() => told?.actions?.[0]?.run());
  expect(within(await note()).getByText("was “Sure” before the second check")).toBeTruthy();
});

it("keeps a change for the better to the answer", async () => {
  const host = await start();
  begin(host, "check", "sure")();
  expect(useToasts.getState().items).toEqual([]);
});

it("shows what was asked behind the answer among the run's details", async () => {
  await start();
  act(() => navigate({ page: "run", runId: "r1", tab: "graph", face: "work", form: "outline" }));
  await userEvent.click(await screen.findByRole("treeitem", { name: /Result/ }));
  const asked = await screen.findByText("1 of 2 give the same result");
  expect(asked).toBeTruthy();
  expect(screen.getByText(/Rephrased: the same result/)).toBeTruthy();
});
