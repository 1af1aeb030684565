import { expect, it } from "vitest";
import { everydayChoices, everydayLabel, methodLabel, useMethods } from "./methods";

it("methods for everyday questions come first, the quicker ones before the others; papers stand under Advanced", () => {
  const choices = everydayChoices(useMethods.getState().list);
  expect(choices.slice(0, 3).map(({ label, value, group }) => [label, value, group])).toEqual([
    ["Auto", "auto", undefined],
    ["Fast", "direct", undefined],
    ["Thorough", "av-sql", undefined],
  ]);
  expect(choices[2]!.note).toMatch(/Known as AV-SQL\.$/);
  expect(choices[0]!.note).not.toContain("Known as");
  const advanced = choices.slice(3);
  expect(advanced.length).toBeGreaterThan(3);
  expect(advanced.every(({ group }) => group === "Advanced")).toBe(true);
  expect(new Set(choices.map(({ value }) => value)).size).toBe(useMethods.getState().list.length);
});

it("a method has its everyday name at a question, and its own in evaluations", () => {
  expect([everydayLabel("av-sql"), methodLabel("av-sql")]).toEqual(["Thorough", "AV-SQL"]);
  expect([everydayLabel("chase-sql"), everydayLabel("gone")]).toEqual(["CHASE-SQL", "gone"]);
});
