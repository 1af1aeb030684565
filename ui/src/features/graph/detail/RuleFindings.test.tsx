// Rules leave a trace at the node where they did something, and at the answer.

import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../../../test/fake/host";
import { RAN, RULES, rulesLog } from "../../../../test/fake/rules";
import { setExpertDetails, useExperts } from "../../../domain/experts";
import { RuleContext } from "../../../domain/ruleCode";
import type { RunEvent } from "../../../host/bindings";
import { setHost } from "../../../host/host";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { nodeById } from "../model/model";
import { NodeDetail } from "./NodeDetail";
import { outcomeOf } from "./RuleFindings";

const AT = "2026-11-21T10:00:00Z";
const onOpen = vi.fn();
beforeEach(() => {
  setHost(fakeHost());
  useExperts.setState({ details: false });
});

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

it("the node says what was changed, and shows it before and after", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "generator");
  const changed = section("Changed by rules");
  expect(changed.getByText(/stores was joined along orders.store_id/)).toBeTruthy();
  await userEvent.click(changed.getByRole("button", { name: "Before and after" }));
  expect(changed.getByText("Original query")).toBeTruthy();
  const lines = [...document.querySelectorAll("pre")].map((line) => line.textContent);
  expect(lines).toContain("JOIN stores AS s ON s.store_id = o.store_id");
});

it("a second query says whose it is and what came of it", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "generator");
  const second = section("Variants");
  await userEvent.click(second.getAllByRole("button", { name: /Different result, 7 rows/ })[0]!);
  expect(second.getByText("Attempt 1")).toBeTruthy();
  const tried = { rule: "R", note: "", candidate: 1, sql: RAN, error: null, rowCount: 7, sameResult: true };
  expect(outcomeOf(tried)).toBe("Same result");
  expect(outcomeOf({ ...tried, error: "no", rowCount: null })).toBe("Failed");
});

it("a rule's code is there for experts, and leads to the rule", async () => {
  open(rulesLog("r", "duckdb:/x", AT), "result");
  expect(section("Findings").queryByRole("button", { name: /^Rule H301/ })).toBeNull();
  act(() => setExpertDetails(true));
  const code = section("Findings").getByRole("button", { name: "Rule H301, unmentioned-literal" });
  await userEvent.click(code);
  expect(onOpen).toHaveBeenCalledWith("H301");
});
