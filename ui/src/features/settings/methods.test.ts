import { describe, expect, it } from "vitest";
import { numberTyped } from "../../kit/field";
import { PAPER_METHODS } from "../../kit/methods";
import { asInPaper, keysOf, type Method, PARAMETERS, parameterOf, reset, valueIn, withValue } from "./methods";

const METHODS = Object.keys(PARAMETERS) as Method[];

describe("the parameters of the methods", () => {
  it("are all there, and those of the papers keep to the bounds", () => {
    for (const method of METHODS) {
      expect(keysOf(method).sort()).toEqual(Object.keys(PAPER_METHODS[method]).sort());
      for (const key of keysOf(method)) {
        const parameter = parameterOf(method, key);
        const value = valueIn(PAPER_METHODS, method, key);
        if (parameter.kind === "choice") expect(parameter.choices.map((c) => c.value)).toContain(value);
        else if (value === null) expect(parameter.automatic).toBe(true);
        else expect(Number(value) >= parameter.min && Number(value) <= parameter.max, `${method}.${key}`).toBe(true);
      }
    }
  });

  it("are changed one by one and go back to the paper's values", () => {
    const changed = withValue(PAPER_METHODS, "reforce", "votes", 16);
    expect(valueIn(changed, "reforce", "votes")).toBe(16);
    expect(METHODS.filter((m) => !asInPaper(changed, m))).toEqual(["reforce"]);
    expect(reset(changed, "reforce")).toEqual(PAPER_METHODS);
    expect(asInPaper(withValue(PAPER_METHODS, "dsr-sql", "steps", 20), "dsr-sql")).toBe(false);
  });
});

describe("a number field", () => {
  const bounds = { min: 1, max: 50, before: 10 };
  it("keeps to its bounds and to whole numbers", () => {
    expect(numberTyped("7.4", { ...bounds, optional: false })).toBe(7);
    expect(numberTyped("900", { ...bounds, optional: false })).toBe(50);
    expect(numberTyped("0", { ...bounds, optional: true })).toBe(1);
  });
  it("means automatic when it is empty and may be", () => {
    expect(numberTyped(" ", { ...bounds, optional: true })).toBeNull();
    expect(numberTyped("", { ...bounds, optional: false })).toBe(10);
    expect(numberTyped("1e", { ...bounds, optional: true })).toBe(10);
  });
});
