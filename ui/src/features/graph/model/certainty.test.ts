import { expect, it } from "vitest";
import { CERTAINTIES } from "../../../../test/fake/certainty";
import { SAMPLE } from "../../../../test/fake/data";
import { directLog } from "../../../../test/fake/log";
import { addUsage, NO_USAGE } from "../../../domain/usage";
import { mainReason, percentRight, updateEstimate } from "./certainty";
import { applyEvent, foldRun } from "./fold";

const { sure, check, unlikely } = CERTAINTIES;

it("remembers where the first estimate stood until it is back there", () => {
  const first = updateEstimate(null, sure, false);
  expect(first.before).toBeNull();
  const second = updateEstimate(first, check, false);
  expect([second.level, second.before]).toEqual(["check", "sure"]);
  expect(updateEstimate(second, unlikely, true).before).toBe("sure");
  expect(updateEstimate(second, sure, true).before).toBeNull();
});

it("names a reason that speaks for the level", () => {
  expect(mainReason(check)?.code).toBe("few-agree");
  const mixed = { ...sure, reasons: [...unlikely.reasons, ...sure.reasons] };
  expect(mainReason(mixed)?.code).toBe("prompts-agree");
  expect(mainReason({ ...sure, reasons: unlikely.reasons })?.code).toBe("none-agree");
  expect(mainReason({ ...sure, reasons: [] })).toBeUndefined();
});

it("never says that all or none are right", () => {
  expect([0.001, 0.714, 0.999].map((probability) => percentRight({ ...sure, probability }))).toEqual([1, 71, 99]);
});

it("does not count what is asked behind the answer as its cost", () => {
  const run = foldRun(directLog("r", SAMPLE, "2026-11-24T10:00:00Z").slice(0, -1), "r");
  const usage = { ...NO_USAGE, llm_calls: 1, prompt_tokens: 900 };
  const seq = run.lastSeq + 1;
  const asked = applyEvent(run, {
    runId: "r",
    seq,
    atMs: run.lastMs,
    body: { type: "modelCallFinished", node: "result", call: 9, agent: "assessor", replies: [], usage, error: null },
  });
  expect(asked.usage).toEqual(run.usage);
  expect(asked.usageByAgent.assessor).toEqual(addUsage(NO_USAGE, usage));
});
