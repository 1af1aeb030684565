// Periods with which the answer's period is compared.

import { expect, it } from "vitest";
import { comparedPeriods } from "./changePeriods";

it("compares whole months, quarters and years with those before", () => {
  expect(comparedPeriods("2024-03-01", "2024-03-31", "previousPeriod")?.from).toBe("2024-02-01..2024-02-29");
  expect(comparedPeriods("2024-01-01", "2024-03-31", "previousPeriod")?.from).toBe("2023-10-01..2023-12-31");
  expect(comparedPeriods("2024-01-01", "2024-12-31", "previousPeriod")?.from).toBe("2023-01-01..2023-12-31");
});

it("compares other periods with as many days before", () => {
  expect(comparedPeriods("2024-03-05", "2024-03-11", "previousPeriod")).toEqual({
    from: "2024-02-27..2024-03-04",
    to: "2024-03-05..2024-03-11",
  });
});

it("compares with the same period of the year before, also in leap years", () => {
  expect(comparedPeriods("2024-02-01", "2024-02-29", "previousYear")?.from).toBe("2023-02-01..2023-02-28");
  expect(comparedPeriods("2025-02-01", "2025-02-28", "previousYear")?.from).toBe("2024-02-01..2024-02-29");
  expect(comparedPeriods("2024-02-29", "2024-02-29", "previousYear")?.from).toBe("2023-02-28..2023-02-28");
});

it("compares nothing without valid days", () => {
  expect(comparedPeriods("2024-02-30", "2024-03-31", "previousPeriod")).toBeNull();
  expect(comparedPeriods("2024-04-01", "2024-03-31", "previousPeriod")).toBeNull();
});
