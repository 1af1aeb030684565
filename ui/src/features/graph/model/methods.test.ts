// The published methods' runs: what their events add up to.

import { describe, expect, it } from "vitest";
import { chaseLog } from "../../../../test/fake/chase";
import { dsrLog } from "../../../../test/fake/dsr";
import { AT, chase, dsr, METHOD_RUNS, prospy, reforce, stage, thirty } from "../../../../test/fake/methodRuns";
import { CODE, prospyLog } from "../../../../test/fake/prospy";
import { reforceLog } from "../../../../test/fake/reforce";
import { nodeFacts, nodeTitle } from "./facts";
import { columnParts, fetchedViews, specText } from "./fetchedViews";
import { applyEvent, foldRun } from "./fold";
import { funnel } from "./funnel";
import type { RunModel } from "./model";
import { byResult, candidatesOf, chosenAmong, leftOut, numbersInWords, resultNames, resultsOf } from "./results";
import { roundsOf } from "./rounds";
import { expectedKinds, stageLines } from "./stages";

describe.each(METHOD_RUNS)("a run of %s", (_, run) => {
  it("has every node among the stages", () => {
    const ids = run.stages.map((s) => s.id).sort();
    expect(
      stageLines(run)
        .flatMap((l) => l.stages.map((s) => s.id))
        .sort(),
    ).toEqual(ids);
    expect(new Set(stageLines(run).map((l) => l.key)).size).toBe(stageLines(run).length);
  });
});

it("gives the same event by event as all at once", () => {
  for (const events of [
    dsrLog("r", "x", AT),
    chaseLog("r", "x", AT),
    reforceLog("r", "x", AT),
    prospyLog("r", "x", AT),
  ]) {
    const half = Math.floor(events.length / 2);
    expect(events.slice(half).reduce(applyEvent, foldRun(events.slice(0, half)))).toEqual(foldRun(events));
    expect(foldRun([...events, ...events])).toEqual(foldRun(events));
  }
});

describe("DSR-SQL", () => {
  it("names a step by its move and shows what came of it", () => {
    expect(nodeTitle(stage(dsr, "step-2"))).toBe("2 Check the data");
    expect(nodeFacts(stage(dsr, "step-1"), 0)).toEqual(["48 rows", "1 correction"]);
    expect(nodeFacts(stage(dsr, "step-4"), 0)).toEqual(["failed", "5 corrections"]);
    expect(stage(dsr, "step-4").status).toBe("failed");
    expect(stage(dsr, "step-5").status).toBe("done");
  });

  it("keeps probes and what they show", () => {
    expect(stage(dsr, "exploration").probes.map((p) => p.number)).toEqual([1, 2, 3, 4]);
    expect(stage(dsr, "exploration").facts).toHaveLength(3);
  });

  it("is one line for all steps in the stage list", () => {
    const lines = stageLines(dsr);
    expect(lines.map((l) => l.kind)).toEqual(["schema", "linking", "exploration", "step", "result"]);
    expect(lines[3]).toMatchObject({ status: "warning", detail: "6 steps, 2 of them checked the data" });
  });
});

describe("CHASE-SQL", () => {
  it("names results as the choice does, in every generator", () => {
    const [first] = byResult(
      candidatesOf(stage(chase, "query-plan")),
      resultNames(chase, stage(chase, "query-plan")),
    );
    expect(first).toMatchObject({ name: "A", rowCount: 36 });
    expect(first!.candidates.map((c) => c.number)).toEqual([8, 10, 12]);
  });

  it("keeps the comparison, and what it leaves out", () => {
    const choice = stage(chase, "choice");
    const results = resultsOf(chase, choice);
    expect(results.map((r) => r.name)).toEqual(["A", "B", "C", "D", "E", "F"]);
    expect(results[0]!.candidates).toHaveLength(11);
    expect(choice.comparison?.scores).toHaveLength(6);
    expect(leftOut(chase, choice).map((g) => g.candidates.map((c) => c.number))).toEqual([[7]]);
  });

  it("counts a fixer's rounds as corrections of one candidate", () => {
    const candidates = candidatesOf(stage(chase, "divide-and-conquer"));
    expect(candidates.map((c) => c.attempts.length)).toEqual([1, 2, 1, 1, 1, 1, 4]);
    expect(candidates[6]!.last.error).toContain("channel");
  });

  it("sums the generators up in one line", () => {
    const line = stageLines(chase).find((l) => l.kind === "generator");
    expect(line?.detail).toBe("21 attempts with 3 approaches, 1 failed");
  });

  it("keeps the order of tables that a prompt was given", () => {
    expect(stage(chase, "query-plan").orders).toMatchObject([{ seed: 43 }]);
    expect(stage(chase, "examples").examples).toMatchObject({ dropped: 2 });
  });

  it("tells results apart by what they gave where nothing was compared", () => {
    const plain = {
      ...chase,
      stages: chase.stages.map((s) => (s.id === "choice" ? { ...s, comparison: null } : s)),
    };
    const results = resultsOf(plain, stage(plain, "choice"));
    expect(results[0]).toMatchObject({ name: null, rowCount: 36 });
    expect(results[0]!.candidates).toHaveLength(11);
    expect([...chosenAmong(plain, stage(plain, "query-plan"))]).toEqual([8, 10, 12]);
  });
});

describe("ReFoRCE", () => {
  it("goes through a second round where the vote was a tie", () => {
    const rounds = roundsOf(reforce);
    expect(["generator", "vote-1"].map((id) => rounds.get(id))).toEqual([0, 0]);
    expect(["exploration", "generator-2", "vote-2", "result"].map((id) => rounds.get(id))).toEqual([1, 1, 1, 1]);
  });

  it("has a line for each round in the stage list", () => {
    expect(stageLines(reforce).map((l) => l.label)).toEqual([
      "Read the schema",
      "Wrote the SQL",
      "Compared the results",
      "Checked the data",
      "Wrote the SQL again",
      "Compared the results again",
      "Ran the query",
    ]);
  });

  it("keeps a probe that was tried again once, with the correction that was carried over", () => {
    const { probes } = stage(reforce, "exploration");
    expect(probes.find((p) => p.number === 4)?.carriedFrom).toBe(3);
    const again = applyEvent(
      { ...reforce },
      {
        runId: "r",
        seq: reforce.lastSeq + 1,
        atMs: 0,
        body: { type: "probed", node: "exploration", probe: { ...probes[4]!, error: null } },
      },
    );
    expect(stage(again, "exploration").probes).toHaveLength(probes.length);
  });

  it("stays readable with thirty candidates", () => {
    expect(resultsOf(thirty, stage(thirty, "vote-1")).length).toBeLessThan(5);
    expect(numbersInWords([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe("1, 2, 3, 4, 5 and 4 more");
  });
});

describe("ProSPy", () => {
  it("gets smaller round by round, and something comes back", () => {
    const steps = funnel(prospy, stage(prospy, "linking"));
    expect(steps.map((s) => s.name)).toEqual([
      "Full schema",
      "First pass: tables, round 1",
      "First pass: tables, round 2",
      "First pass: columns",
      "Second pass: tables",
      "Second pass: columns",
      "Added back",
    ]);
    expect(steps.map((s) => s.tables)).toEqual([15, 8, 5, 5, 4, 4, 5]);
    expect(steps.map((s) => s.broughtBack).lastIndexOf(true)).toBe(6);
    expect(steps[0]!.part).toBe(1);
    expect(prospy.selection.tables.map((t) => t.name)).toContain("stores");
  });

  it("keeps every attempt at a view, together by name, and what is kept of it", () => {
    const views = fetchedViews(stage(prospy, "fetch"));
    expect(views.map((v) => [v.name, v.last.attempt, v.last.page?.rowCount, v.last.bytes])).toEqual([
      ["category_revenue", 1, 1196, 18_400],
      ["region_stores", 1, 8, 1_100],
    ]);
    expect(views[0]!.failed.map((f) => f.attempt)).toEqual([0]);
    expect(specText(views[0]!.failed[0]!.spec!).split("\n")).toHaveLength(2);
    expect(columnParts("year: the year of a: b")).toEqual(["year", "the year of a: b"]);
    expect(stage(prospy, "fetch")).toMatchObject({ status: "done", summary: "2 views, 1204 rows" });
  });

  it("keeps every execution, and the code that gave the answer beside the queries of its views", () => {
    const analysis = stage(prospy, "analysis");
    expect(analysis.executions.map((e) => e.error === null)).toEqual([false, true]);
    expect(nodeFacts(analysis, 0)).not.toContain("3 rows");
    expect(prospy.code).toBe(CODE);
    expect(prospy.sql).toContain("-- category_revenue");
    expect(dsr.code).toBeNull();
  });

  it("fails a stage that no view or table came of, and counts views while it runs", () => {
    const events = prospyLog("r", "duckdb:/x", AT);
    const good = events.findIndex((e) => e.body.type === "viewFetched" && e.body.error === null);
    const live = foldRun(events.slice(0, good + 1));
    expect(stageLines(live).find((l) => l.kind === "fetch")?.detail).toBe("1 view so far");
    const none = events.filter((e) => e.body.type !== "viewFetched" || e.body.error !== null);
    expect(stage(foldRun(none), "fetch").status).toBe("failed");
  });
});

it("promises the stages that each method goes through, and only those", () => {
  const first = (run: RunModel, without: string[] = []) =>
    expectedKinds({ ...run, settings: { ...run.settings!, without: without as never } });
  expect(first(dsr)).toEqual(["schema", "linking", "exploration", "step", "result"]);
  expect(first(dsr, ["states", "linking"])).toEqual(["schema", "exploration", "generator", "result"]);
  expect(first(chase, ["values", "examples"])).toEqual(["schema", "generator", "choice", "result"]);
  expect(first(reforce)).toEqual(["schema", "generator", "choice", "result"]);
  expect(first(prospy)).toEqual(["schema", "grounding", "linking", "fetch", "analysis", "result"]);
});
