import { expect, it } from "vitest";
import { dsr, METHOD_RUNS } from "../../../../test/fake/methodRuns";
import { outlineItems } from "./Outline";

it.each(METHOD_RUNS)("has every node of a run of %s", (_, run) => {
  const ids = outlineItems(run).map((i) => i.node.id);
  expect(ids.sort()).toEqual(run.stages.map((s) => s.id).sort());
});

it("has looks aside hang under the step before them in the outline", () => {
  expect(
    outlineItems(dsr)
      .filter((i) => i.level === 2)
      .map((i) => i.node.id),
  ).toEqual(["step-2", "step-3"]);
});
