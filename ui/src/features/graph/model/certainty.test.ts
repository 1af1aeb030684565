import { expect, it } from "vitest";
import { CERTAINTIES } from "../../../../test/fake/certainty";
import { estimated, mainReason, percentRight } from "./certainty";

const { sure, check, unlikely } = CERTAINTIES;

it("remembers where the first estimate stood until it is back there", () => {
  const first = estimated(null, sure, false);
  expect(first.before).toBeNull();
  const second = estimated(first, check, false);
  expect([second.level, second.before]).toEqual(["check", "sure"]);
  expect(estimated(second, unlikely, true).before).toBe("sure");
  expect(estimated(second, sure, true).before).toBeNull();
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
