import { beforeAll, expect, test } from "vitest";
import { fakeHost } from "../../../test/fake/host";
import { loadEngines } from "../../domain/engines";
import { setHost } from "../../host/host";
import { capOf, capText, dollarsOf, effectiveLimits } from "./billing";
import { NEW_SETTINGS } from "./connection";

beforeAll(async () => {
  setHost(fakeHost());
  await loadEngines();
});

test("a limit is read as it is written", () => {
  for (const [text, bytes, money] of [
    ["", null, null],
    ["50 GB", 50e9, null],
    ["$2.5", null, 2_500_000],
    ["1.5 TB or $20", 1.5e12, 20e6],
    ["300 MB", 300e6, null],
  ] as const) {
    expect(capOf(text)).toEqual({ bytes, money });
    expect(capText({ bytes, money })).toBe(text);
  }
  expect(capOf("2gib")).toEqual({ bytes: 2 ** 31, money: null });
});

test("a database that bills has a price and a limit of a question without a word, and another one has neither", () => {
  const { scans } = NEW_SETTINGS;
  expect(effectiveLimits(scans, "bigquery")).toMatchObject({ price: 6_250_000, question: { bytes: 100e9 } });
  expect(effectiveLimits(scans, "clickhouse")).toEqual({ price: null, question: capOf(""), month: capOf("") });
  expect(effectiveLimits({ ...scans, question: { bytes: null, money: null } }, "bigquery").question).toEqual(
    capOf(""),
  );
});

test("what is no limit is not taken for one", () => {
  for (const text of ["50", "many", "-1 GB", "$", "1 GB or many", "5 EUR"]) expect(capOf(text)).toBeNull();
  expect(dollarsOf("6.25")).toBe(6_250_000);
  expect(dollarsOf("a lot")).toBeNull();
});
