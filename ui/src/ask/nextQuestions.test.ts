import { expect, it } from "vitest";
import { languageOf, possibleFollowUps } from "./nextQuestions";

const TODAY = new Date("2026-06-01T12:00:00Z");
const follow = (question: string, shape: Parameters<typeof possibleFollowUps>[1] = "value") =>
  possibleFollowUps(question, shape, TODAY);

it("speaks the language of the question", () => {
  expect(languageOf("How many orders did we get in 2024?")).toBe("en");
  expect(languageOf("Wie viel Umsatz hatten wir 2024 je Filiale?")).toBe("de");
  expect(languageOf("Combien de clients avons-nous eus en 2024 ?")).toBe("fr");
  expect(languageOf("Umsatz 2024")).toBe("en");
});

it("offers the years around the only one, none of the future, and grains of time", () => {
  expect(follow("How many orders in 2024?")).toEqual(["and for 2023?", "and for 2025?", "by month", "by quarter"]);
  expect(follow("Wie viele Bestellungen gab es im Jahr 2026?")).toEqual([
    "und für 2025?",
    "nach Monat",
    "nach Quartal",
  ]);
  expect(follow("Quel est le chiffre d'affaires en 2024 ?")[0]).toBe("et pour 2023 ?");
  expect(follow("Revenue of 2023 and 2024 by store")).toEqual(["by month", "by quarter", "by year"]);
});

it("offers nothing about time where there is none", () => {
  expect(follow("How many stores are there?")).toEqual([]);
  expect(follow("Which orders have the number 120245?")).toEqual([]);
  expect(follow("What is the revenue by month?", "series")).toEqual(["by month", "by quarter", "by year"]);
});
