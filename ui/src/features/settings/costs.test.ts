import { expect, it } from "vitest";
import { fakePresets, fakeSpending, LARGE } from "../../../test/fake/costs";
import { DEFAULTS } from "../../../test/fake/data";
import { MODEL } from "../../../test/fake/writer";
import { dollars, moneyOf, moneySpan, roundDollars, secondsOf, tokenSpan } from "../../domain/money";
import { addUsage, NO_USAGE } from "../../domain/usage";
import { byModel, costOf, presetOf, totalOf, usedPart } from "./costs";
import { pricingText, withFact } from "./profile";

it("says money as people do", () => {
  expect([0, 1, 9_999, 120_000, 1_204_000_000].map(dollars)).toEqual([
    "$0.00",
    "below 1 cent",
    "below 1 cent",
    "$0.12",
    "$1,204.00",
  ]);
  const usage = { ...NO_USAGE, llm_calls: 4, priced_calls: 4 };
  expect(moneyOf(usage)).toBe("");
  expect(moneyOf({ ...usage, micro_usd: 30_000 })).toBe("$0.03");
  expect(moneyOf({ ...usage, micro_usd: 30_000, priced_calls: 3 })).toBe("at least $0.03");
  expect(costOf({ ...usage, priced_calls: 0 })).toBe("price unknown");
  expect(costOf(usage)).toBe("none");
  expect([totalOf(usage), totalOf({ ...usage, priced_calls: 0 })]).toEqual(["$0.00", "price unknown"]);
});

it("says estimates in round numbers", () => {
  expect(tokenSpan({ low: 9234, high: 14_120 }, roundDollars)).toBe("9,200 to 14,000 tokens");
  expect(tokenSpan({ low: 12_000, high: 12_030 }, roundDollars)).toBe("12,000 tokens");
  expect(secondsOf({ low: 2, high: 6 })).toBe("2 to 6 s");
  expect(secondsOf({ low: 0, high: 1 })).toBe("1 s");
  expect(secondsOf({ low: 40, high: 150 })).toBe("40 s to 2 min 30 s");
  expect(moneySpan({ low: 0, high: 0 })).toBe("no cost");
  expect(moneySpan({ low: 2000, high: 9000 })).toBe("below 1 cent");
  expect(moneySpan({ low: 2000, high: 20_000 })).toBe("up to $0.02");
  expect(moneySpan({ low: 20_000, high: 50_000 })).toBe("$0.02 to $0.05");
});

it("puts the dearest model first, with its steps", () => {
  const lines = byModel(fakeSpending(null, DEFAULTS).rows, addUsage);
  expect(lines.map(({ model }) => model)).toEqual([LARGE, MODEL]);
  expect(lines[0]!.usage.micro_usd).toBe(920_000);
  expect(lines[0]!.agents.map(({ agent }) => agent)).toEqual(["generator", "judge", "revisor"]);
});

it("measures how much of a limit is used by the one that is nearest", () => {
  const usage = { ...NO_USAGE, micro_usd: 50, prompt_tokens: 90 };
  expect(usedPart(usage, { money: null, tokens: null })).toBeNull();
  expect(usedPart(usage, { money: 100, tokens: 100 })).toBe(0.9);
});

it("knows which preset the settings follow", () => {
  const presets = fakePresets(true);
  const [, hybrid] = presets;
  expect(presetOf(DEFAULTS, presets)?.name).toBe("local");
  const asHybrid = { ...DEFAULTS, defaultModel: LARGE, agentModels: hybrid!.agentModels };
  expect(presetOf(asHybrid, presets)?.name).toBe("hybrid");
  expect(presetOf({ ...DEFAULTS, agentModels: { judge: LARGE } }, presets)).toBeNull();
  expect(presetOf({ ...DEFAULTS, agentModels: { judge: MODEL } }, presets)?.name).toBe("local");
});

it("changes one line of what is said, and one part of a price", () => {
  expect(withFact({ stop: true }, "grammar", false)).toEqual({ stop: true, grammar: false });
  expect(withFact({ stop: true, grammar: false }, "stop", null)).toEqual({ grammar: false });
  expect(pricingText(null, "input", 2)).toEqual({ input: 2, cached: 0, output: 0 });
  expect(pricingText({ input: 2, cached: 0, output: 0 }, "input", null)).toBeNull();
  const dear = pricingText({ input: 4, cached: 0.4, output: 20 }, "cacheWrite", 5);
  expect(dear).toEqual({ input: 4, cached: 0.4, output: 20, cacheWrite: 5 });
  expect(pricingText(dear, "cacheWrite", null)).toEqual({ input: 4, cached: 0.4, output: 20, cacheWrite: null });
});
