import { expect, it } from "vitest";
import { comparisonVerdict, formatOrdinal, formatSeconds, formatShare } from "./words";

const compared = {
  questions: 46,
  wins: 12,
  losses: 3,
  difference: 19.6,
  low: 4.3,
  high: 34.8,
  p: 0.035,
  won: [],
  lost: [],
};

it("says whether one run is better, in plain words, and gives the figures behind it apart", () => {
  expect(comparisonVerdict(compared)).toEqual({
    text: "Better by 19.6 points (12 better, 3 worse of 46).",
    figures: "95% interval 4.3 to 34.8 points, p = 0.035",
  });
  expect(comparisonVerdict({ ...compared, wins: 3, losses: 12, difference: -19.6 }).text).toMatch(
    /^Worse by 19.6 points/,
  );
  expect(comparisonVerdict({ ...compared, questions: 3, wins: 1, losses: 0, difference: 2.2, p: 1 }).text).toBe(
    "No clear difference (1 better, 0 worse of 3).",
  );
  const same = { text: "Both are correct on the same questions (46 in total).", figures: "" };
  expect(comparisonVerdict({ ...compared, wins: 0, losses: 0 })).toEqual(same);
  expect(comparisonVerdict({ ...compared, p: 0.0000001 }).figures).toContain("p < 0.001");
});

it("writes shares and ordinals", () => {
  expect([formatShare(34, 46), formatShare(0, 0)]).toEqual(["73.9%", "–"]);
  expect([2, 3, 10, 11, 21].map(formatOrdinal)).toEqual(["2nd", "3rd", "10th", "11th", "21st"]);
});

it("says no seconds where replies came from a file", () => {
  expect([formatSeconds(7.42), formatSeconds(null)]).toEqual(["7.4 s", "–"]);
});
