// What a run tells of the rules that changed its queries.

import { expect, it } from "vitest";
import { directLog } from "../../../../test/fake/log";
import { rulesLog, WRITTEN } from "../../../../test/fake/rules";
import { nodeFacts } from "./facts";
import { foldRun } from "./fold";
import { nodeById } from "./model";

const AT = "2026-11-21T10:00:00Z";

it("a run knows what rules changed, and what they would have changed", () => {
  const run = foldRun(rulesLog("r", "duckdb:/x", AT));
  expect(run.rules.written).toBe(WRITTEN);
  expect(run.rules.changes.map((c) => c.rule)).toEqual(["N104", "N101"]);
  expect(run.rules.variants.map((v) => v.rule)).toEqual(["V207", "V203", "V004"]);
  expect(run.rules.findings).toHaveLength(1);
});

it("a log of an earlier version says nothing of rules", () => {
  const run = foldRun(directLog("r", "duckdb:/x", AT));
  expect(run.rules).toEqual({ written: null, changes: [], variants: [], findings: [] });
});

it("a card says in short that rules were at work", () => {
  const run = foldRun(rulesLog("r", "duckdb:/x", AT));
  const facts = nodeFacts(nodeById(run, "generator")!, run.lastMs);
  expect(facts[0]).toBe("2 rule changes");
});
