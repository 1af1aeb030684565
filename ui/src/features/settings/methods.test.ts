import { describe, expect, it } from "vitest";
import { DEFAULT_PARAMETERS, METHODS } from "../../../test/fake/methods";
import { methodNamed, parameterValue } from "../../domain/methods";
import { numberTyped } from "../../kit/field";
import { hasDefaults, resetParameters, withValue } from "./methods";

const reforce = methodNamed("reforce")!;
const votes = reforce.parameters.find(({ key }) => key === "votes")!;

describe("the parameters of the methods", () => {
  it("are changed one by one and go back to their defaults", () => {
    const changed = withValue(DEFAULT_PARAMETERS, reforce, "votes", 16);
    expect(parameterValue(changed, reforce, votes)).toBe(16);
    expect(METHODS.filter((method) => !hasDefaults(changed, method))).toEqual([reforce]);
    expect(resetParameters(changed, reforce)).toEqual(DEFAULT_PARAMETERS);
    expect(
      hasDefaults(withValue(DEFAULT_PARAMETERS, methodNamed("dsr-sql")!, "steps", 20), methodNamed("dsr-sql")!),
    ).toBe(false);
  });

  it("have their defaults where nothing is set", () => {
    expect(parameterValue(undefined, reforce, votes)).toBe(8);
    expect(hasDefaults({}, reforce)).toBe(true);
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
