import { expect, it } from "vitest";
import { reforce, stage } from "../../../../test/fake/methodRuns";
import { whyInWords } from "./Choosing";

it("says how sure each vote is", () => {
  expect(whyInWords(stage(reforce, "vote-1").vote!)).toBe("2 results lead with 3 attempts each.");
  expect(whyInWords(stage(reforce, "vote-2").vote!)).toContain("more attempts than any other");
  const none = { round: 1, clusters: [], confidence: "low" as const };
  expect(whyInWords(none)).toContain("no attempt ran");
  const doubtful = { ...none, clusters: [{ candidates: [1], suspicious: "it has no rows" }] };
  expect(whyInWords(doubtful)).toContain("suspicious");
});
