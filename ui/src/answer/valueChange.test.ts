import { expect, it } from "vitest";
import { glance } from "../../test/fake/answers";
import { EXPLAINED } from "../../test/fake/explained";
import { page } from "../../test/fake/writer";
import type { CellType, Explanation, Headline, Steered } from "../host/bindings";
import { valueChange } from "./valueChange";

type Value = string | null;
const answer = (
  value: Value,
  {
    name = "revenue",
    type = "decimal" as CellType,
    headline = {} as Partial<Headline>,
    code = null as string | null,
  } = {},
  explanation: Explanation | null = EXPLAINED,
) => ({
  page: page([[name, type]], [[value]]),
  headline: glance(1, { shape: "value", meanings: ["sum of net"], tables: ["orders"], ...headline }),
  code,
  explanation,
  steered: null as Steered | null,
});
const change = (now: Value, before: Value) => valueChange(answer(now), answer(before), "en-US");

it("is a percentage of the value before, with every digit of it", () => {
  expect(change("184172.00", "164000.00")).toBe("+12.3% from 164,000.00");
  expect(change("80", "100")).toBe("-20.0% from 100");
  expect(change("0", "100")).toBe("-100.0% from 100");
  expect(change("123456789012345678901234567890.5", "123456789012345678901234567890")).toBe(
    "+0.5 from 123,456,789,012,345,678,901,234,567,890",
  );
  expect(change("100.0", "100")).toBe("Unchanged from 100");
});

it("is a difference where the value before is zero or negative, or the percentage rounds to zero", () => {
  expect(change("5", "0")).toBe("+5 from 0");
  expect(change("5", "-10")).toBe("+15 from -10");
  expect(change("-5", "0")).toBe("-5 from 0");
  expect(change("1000001", "1000000")).toBe("+1 from 1,000,000");
});

it("is not there for other values than numbers, identifiers, and several rows", () => {
  expect(change(null, "5")).toBeNull();
  expect(change("5", null)).toBeNull();
  const one = (over: Parameters<typeof answer>[1]) =>
    valueChange(answer("2024", over), answer("2023", over), "en-US");
  expect(one({ type: "integer", name: "orders" })).toBe("+1 from 2,023");
  expect(one({ type: "integer", name: "best_year" })).toBeNull();
  expect(one({ type: "integer", name: "store_id" })).toBeNull();
  expect(one({ type: "text" })).toBeNull();
  expect(one({ code: "df.sum()" })).toBeNull();
  const rows = { ...answer("5"), page: page([["revenue", "decimal"]], [["5"], ["6"]]) };
  expect(valueChange(answer("5"), rows)).toBeNull();
});

it("is not there after an answer that was changed, whose conditions the question does not say", () => {
  const steered: Steered = { from: "r0", changes: [{ kind: "sql", sql: "SELECT 1" }], without: [] };
  expect(valueChange(answer("12"), { ...answer("10"), steered })).toBeNull();
  expect(valueChange({ ...answer("12"), steered }, answer("10"))).not.toBeNull();
});

it("is only there where nothing but conditions differs", () => {
  const differs = (headline: Partial<Headline>, explanation: Explanation | null = EXPLAINED, name = "revenue") =>
    valueChange(answer("12"), answer("10", { headline, name }, explanation), "en-US");
  expect(differs({ conditions: ["year is 2023"] })).toBe("+20.0% from 10");
  expect(differs({ meanings: ["average of net"] })).toBeNull();
  expect(differs({ limited: true })).toBeNull();
  expect(differs({}, null)).toBeNull();
  expect(differs({}, { ...EXPLAINED, steps: [] })).toBeNull();
  expect(differs({}, { ...EXPLAINED, selection: EXPLAINED.selection.slice(1) })).toBeNull();
  const gross = EXPLAINED.selection.map((table) => ({
    ...table,
    columns: table.columns.filter(({ column }) => column !== "disc_pct"),
  }));
  expect(differs({}, { ...EXPLAINED, selection: gross })).toBeNull();
});
