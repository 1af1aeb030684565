import { expect, it } from "vitest";
import { ordinal, seconds, share, verdict } from "./words";

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

it("says whether one run is better, and how sure that is", () => {
  expect(verdict(compared)).toBe(
    "12 questions won and 3 lost of 46: +19.6 points (95% interval 4.3 to 34.8, p = 0.035).",
  );
  expect(verdict({ ...compared, wins: 2, losses: 1, difference: 2.2, p: 1 })).toContain(
    "Not statistically significant.",
  );
  expect(verdict({ ...compared, wins: 0, losses: 0 })).toBe("Both are correct on the same questions, 46 in all.");
  expect(verdict({ ...compared, p: 0.0000001 })).toContain("p < 0.001");
});

it("writes shares and ordinals", () => {
  expect([share(34, 46), share(0, 0)]).toEqual(["73.9%", "–"]);
  expect([2, 3, 10, 11, 21].map(ordinal)).toEqual(["2nd", "3rd", "10th", "11th", "21st"]);
});

it("says no seconds where replies came from a file", () => {
  expect([seconds(7.42), seconds(null)]).toEqual(["7.4 s", "–"]);
});
