import { describe, expect, it } from "vitest";
import type { CellType } from "../host/bindings";
import { compactJson, isJson, prettyJson } from "./json";
import { instantOf, timeOf } from "./moment";
import { integerKind, showOf, typeable, typedNumber } from "./show";

const shown = (type: CellType, value: string, name = "amount", locale = "en-US") =>
  showOf({ name, type }, locale)(value);

describe("numbers", () => {
  it("are grouped as the desktop groups them", () => {
    expect(shown("integer", "1234567")).toBe("1,234,567");
    expect(shown("decimal", "184230.40")).toBe("184,230.40");
    expect(shown("decimal", "-184230.40", "amount", "de-DE")).toBe("-184.230,40");
    expect(shown("integer", "1234567", "amount", "en-IN")).toBe("12,34,567");
    expect(shown("float", "-0.5")).toBe("-0.5");
  });
  it("keep every digit that a float could not hold", () => {
    expect(shown("integer", "9223372036854775807")).toBe("9,223,372,036,854,775,807");
    expect(shown("integer", "-9223372036854775808")).toBe("-9,223,372,036,854,775,808");
    expect(shown("decimal", "123456789012345678.987654321098765432")).toBe(
      "123,456,789,012,345,678.987654321098765432",
    );
    expect(shown("decimal", "0.100")).toBe("0.100");
  });
  it("are left alone where they are not plain digits", () => {
    for (const value of ["1e21", "NaN", "inf", "-Infinity"]) expect(shown("float", value)).toBe(value);
  });
  it("are not grouped where they name a year or a thing", () => {
    expect(shown("integer", "2024", "year")).toBe("2024");
    expect(shown("integer", "2024", "date_part('year', order_dt)")).toBe("2024");
    expect(shown("integer", "1004211", "cust_id")).toBe("1004211");
    expect(shown("integer", "1004211", "customerId")).toBe("1004211");
    expect(shown("integer", "10115", "zip")).toBe("10115");
  });
  it("are grouped where they only sound like it", () => {
    expect(shown("integer", "12024", "year")).toBe("12,024");
    expect(shown("integer", "2024", "orders")).toBe("2,024");
    expect(shown("integer", "2024", "orders_per_year")).toBe("2,024");
    expect(shown("integer", "61204", "count(DISTINCT cust_id)")).toBe("61,204");
    expect(shown("integer", "61204", "paid")).toBe("61,204");
    expect(integerKind("monkey")).toBe("number");
  });
  it("are understood as they are typed", () => {
    expect(typedNumber("184,230.40", "en-US")).toBe("184230.40");
    expect(typedNumber("184.230,40", "de-DE")).toBe("184230.40");
    expect(typedNumber("184230.40", "de-DE")).toBe("184230.40");
    expect(typedNumber("1.234", "de-DE")).toBe("1234");
    expect(typedNumber("1,5", "de-DE")).toBe("1.5");
    expect(typedNumber("-12", "en-US")).toBe("-12");
    expect(typedNumber("1 234 567,5", "fr-FR")).toBe("1234567.5");
  });
  it("is written so that it is read as the same number again", () => {
    for (const value of ["1.234", "-0.5", "12345.678", "7"])
      for (const locale of ["en-US", "de-DE", "fr-FR"])
        expect(typedNumber(typeable(value, "decimal", locale), locale)).toBe(value);
    expect(typeable("1.234", "text", "de-DE")).toBe("1.234");
  });
});

describe("dates and times", () => {
  it("are written as the desktop writes them", () => {
    expect(shown("date", "2025-01-31")).toBe("Jan 31, 2025");
    expect(shown("date", "2025-01-31", "d", "en-GB")).toBe("31 Jan 2025");
    expect(shown("date", "0044-03-15")).toContain("15, 44");
  });
  it("keep the time of day and its zone as they are", () => {
    expect(shown("timestamp", "2025-01-31 23:59:59.123456")).toBe("Jan 31, 2025, 23:59:59.123456");
    expect(shown("timestamp", "2025-01-31 00:30:00+02:00")).toBe("Jan 31, 2025, 00:30:00 +02:00");
    expect(shown("timestamp", "2025-01-31 00:30:00+00:00")).toBe("Jan 31, 2025, 00:30:00 UTC");
    expect(shown("time", "10:22:33")).toBe("10:22:33");
  });
  it("are left alone where no calendar knows them", () => {
    for (const value of ["infinity", "-0044-03-15", "12000-01-01", "soon"]) expect(shown("date", value)).toBe(value);
  });
  it("have a place in time", () => {
    expect(instantOf("2025-01-31 02:00:00+02:00")).toBe(instantOf("2025-01-31"));
    expect(instantOf("2025-01-31 00:00:00.000000001") > instantOf("2025-01-31")).toBe(true);
    expect(instantOf("-0044-03-15") < instantOf("0001-01-01")).toBe(true);
    expect(instantOf("infinity") > instantOf("9999-12-31")).toBe(true);
    expect(instantOf("soon")).toBeNaN();
    expect(timeOf("09:00:00") < timeOf("10:00")).toBe(true);
  });
});

describe("nested values", () => {
  it("are shown without white space, but keep that of their texts", () => {
    expect(shown("nested", '{ "a": [1,  2], "b c": "x  y" }')).toBe('{"a":[1,2],"b c":"x  y"}');
    expect(compactJson('"a \\" b" : 1')).toBe('"a \\" b":1');
  });
  it("are laid out without touching a digit", () => {
    expect(prettyJson('{"n":12345678901234567890,"e":[],"l":["a",{"b":null}]}')).toBe(
      '{\n  "n": 12345678901234567890,\n  "e": [],\n  "l": [\n    "a",\n    {\n      "b": null\n    }\n  ]\n}',
    );
    expect(prettyJson("{not json")).toBe("{not json");
    expect(isJson("12")).toBe(false);
  });
});

it("texts and flags are shown as they are", () => {
  expect(shown("text", "0012345")).toBe("0012345");
  expect(shown("boolean", "true")).toBe("true");
  expect(shown("binary", "00ff")).toBe("00ff");
});
