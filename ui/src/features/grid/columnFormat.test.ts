import { expect, it } from "vitest";
import { currencies, type Format, formatKinds, isFormat, placesOf, sheetFormat, showAs } from "./columnFormat";

const percent = (places: number, whole = false): Format => ({ kind: "percent", places, whole });
const decimals = (places: number): Format => ({ kind: "decimals", places });
const euro: Format = { kind: "currency", currency: "EUR", places: 2 };
/** Blanks that do not break, as those that do. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

it("rounds and groups decimals without a float between", () => {
  const show = showAs(decimals(2), "en");
  expect(show("1234.5")).toBe("1,234.50");
  expect(show("123456789012345678.125")).toBe("123,456,789,012,345,678.13");
  expect(show("-2.675")).toBe("-2.68");
  expect(show("-0.001")).toBe("0.00");
  expect(show("1.5e3")).toBe("1,500.00");
  expect(showAs(decimals(0), "de")("1234567.5")).toBe("1.234.568");
});

it("leaves what is no number, or too long a one, as it is", () => {
  for (const value of ["NaN", "inf", "", "about 5", "1e308", "<b>"])
    expect(showAs(decimals(2), "en")(value)).toBe(value);
});

it("shows shares and whole percentages as percent", () => {
  expect(showAs(percent(1), "en")("0.2537")).toBe("25.4%");
  expect(showAs(percent(1), "en")("-0.2537")).toBe("-25.4%");
  expect(showAs(percent(0, true), "en")("25.37")).toBe("25%");
  expect(plain(showAs(percent(1), "de")("0.25"))).toBe("25,0 %");
});

it("shows a currency where the language has it, and converts nothing", () => {
  expect(showAs(euro, "en")("1234.5")).toBe("€1,234.50");
  expect(plain(showAs(euro, "de")("-1234.5"))).toBe("-1.234,50 €");
  expect(plain(showAs(euro, "fr")("12345678901234567.891"))).toBe("12 345 678 901 234 567,89 €");
  expect(placesOf("JPY")).toBe(0);
  expect(currencies("en").find(({ code }) => code === "CHF")?.name).toBe("Swiss Franc");
});

it("offers numbers more than what is no number", () => {
  expect(formatKinds("decimal")).toEqual(["exact", "decimals", "percent", "currency"]);
  expect(formatKinds("timestamp")).toEqual(["exact"]);
});

it("knows a format that was remembered from anything else", () => {
  for (const format of [{ kind: "exact" }, decimals(2), percent(0), euro]) expect(isFormat(format)).toBe(true);
  const others = [
    null,
    "exact",
    { kind: "decimals" },
    decimals(99),
    { ...euro, currency: "€" },
    { kind: "percent", places: 1 },
  ];
  for (const other of others) expect(isFormat(other)).toBe(false);
});

it("is written for a spreadsheet as it was chosen, and groups numbers that are no identifiers or years", () => {
  const total = { name: "total", type: "decimal" as const };
  expect(sheetFormat(total, decimals(2))).toBe("#,##0.00");
  expect(sheetFormat(total, decimals(0))).toBe("#,##0");
  expect(sheetFormat(total, percent(1))).toBe("#,##0.0%");
  expect(sheetFormat(total, percent(0, true))).toBe('#,##0"%"');
  expect(sheetFormat(total, euro)).toBe('#,##0.00 "EUR"');
  expect(sheetFormat(total, { kind: "exact" })).toBeNull();
  expect(sheetFormat(total, undefined)).toBeNull();
  const integer = (name: string) => sheetFormat({ name, type: "integer" }, undefined);
  expect([integer("orders"), integer("count_star()"), integer("order_id"), integer("year")]).toEqual([
    "#,##0",
    "#,##0",
    null,
    null,
  ]);
  expect(sheetFormat({ name: "note", type: "text" }, undefined)).toBeNull();
});
