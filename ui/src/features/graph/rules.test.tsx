// Rules leave a trace at the node where they did something, and at the answer.

import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../../test/fake/host";
import { directLog } from "../../../test/fake/log";
import { RAN, RULES, rulesLog, WRITTEN } from "../../../test/fake/rules";
import type { RunEvent } from "../../host/bindings";
import { setHost } from "../../host/host";
import { RuleContext } from "../../kit/ruleCode";
import { HintProvider } from "../../kit/tooltip";
import { nodeFacts } from "./facts";
import { foldRun } from "./fold";
import { nodeById } from "./model";
import { NodeDetail } from "./NodeDetail";
import { outcomeOf } from "./RuleFindings";

const AT = "2026-11-21T10:00:00Z";
const onOpen = vi.fn();
beforeEach(() => setHost(fakeHost()));

function open(events: RunEvent[], node: string) {
  const run = foldRun(events);
  render(
    <HintProvider>
      <RuleContext value={{ rules: RULES, onOpen }}>
        <NodeDetail node={nodeById(run, node)!} run={run} onSelect={() => {}} />
      </RuleContext>
    </HintProvider>,
  );
}
const section = (title: string) => within(screen.getByRole("heading", { name: title }).closest("section")!);

it("a run knows what rules changed, and what they would have changed", () => {
  const run = foldRun(rulesLog("r", "duckdb:/x", AT));
  expect(run.rules.written).toBe(WRITTEN);
  expect(run.rules.changes.map((c) => c.rule)).toEqual(["N104", "N101"]);
  expect(run.rules.variants.map((v) => v.rule)).toEqual(["V207", "V203"]);
  expect(run.rules.findings).toHaveLength(1);
});

it("a log of an earlier version says nothing of rules", () => {
  const run = foldRun(directLog("r", "duckdb:/x", AT));
  expect(run.rules).toEqual({ written: null, changes: [], variants: [], findings: [] });
});

it("the node says what was changed, and shows it before and after", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "generator");
  const changed = section("Changed by rules");
  expect(changed.getByText(/stores was joined along orders.store_id/)).toBeTruthy();
  await userEvent.click(changed.getByRole("button", { name: "Before and after" }));
  expect(changed.getByText("As the model wrote it")).toBeTruthy();
  const lines = [...document.querySelectorAll("pre")].map((line) => line.textContent);
  expect(lines).toContain("JOIN stores AS s ON s.store_id = o.store_id");
});

it("a second query says whose it is and what came of it", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "generator");
  const second = section("Second queries");
  await userEvent.click(second.getAllByRole("button", { name: /Gives a different result, 7 rows/ })[0]!);
  expect(second.getByText("Candidate 1")).toBeTruthy();
  const tried = { rule: "R", note: "", candidate: 1, sql: RAN, error: null, rowCount: 7, sameResult: true };
  expect(outcomeOf(tried)).toBe("Gives the same result");
  expect(outcomeOf({ ...tried, error: "no", rowCount: null })).toBe("Did not run");
});

it("a rule's code leads to the rule", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "result");
  const code = section("Worth a look").getByRole("button", { name: "Rule H301, unmentioned-literal" });
  await userEvent.click(code);
  expect(onOpen).toHaveBeenCalledWith("H301");
});

it("a card says in short that rules were at work", () => {
  const run = foldRun(rulesLog("r", "duckdb:/x", AT));
  const facts = nodeFacts(nodeById(run, "generator")!, run.lastMs);
  expect(facts[0]).toBe("2 rule changes");
});
