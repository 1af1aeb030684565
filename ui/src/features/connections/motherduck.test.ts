import { describe, expect, it } from "vitest";
import {
  isEndpoint,
  isMotherduck,
  lackingOfMotherduck,
  motherduckAddress,
  motherduckOf,
  NO_MOTHERDUCK,
} from "./motherduck";

describe("a database of MotherDuck as parts of a form", () => {
  it("is written as it was read", () => {
    for (const address of [
      "motherduck://us-east-1/sample_data",
      "motherduck://eu-central-1/my%20data",
      "motherduck://pg.other.motherduck.com/d",
      "motherduck://127.0.0.1:7/d",
    ]) {
      expect(motherduckAddress(motherduckOf(address))).toBe(address);
    }
  });
  it("takes what MotherDuck shows, without its token", () => {
    const shown =
      "postgresql://postgres:hidden@pg.us-east-1-aws.motherduck.com:5432/sample_data?sslmode=verify-full&sslrootcert=system";
    expect(isEndpoint(shown)).toBe(true);
    expect(motherduckOf(shown)).toEqual({ region: "us-east-1", database: "sample_data" });
    const host = { region: "pg.eu-central-1-aws.motherduck.com", database: "md:shop" };
    expect(motherduckAddress(host)).toBe("motherduck://eu-central-1/shop");
    expect(motherduckOf("motherduck://postgres:hidden@us-east-1/d")).toEqual({ region: "us-east-1", database: "d" });
    for (const other of [
      "postgresql://ann@db.example/shop?application_name=x.motherduck.com",
      "postgresql://ann@motherduck.com.evil.example/shop",
      "mysql://ann@pg.us-east-1-aws.motherduck.com/d",
    ]) {
      expect(isEndpoint(other), other).toBe(false);
    }
  });
  it("says what is missing", () => {
    expect(lackingOfMotherduck(NO_MOTHERDUCK)).toBe("Enter a region.");
    expect(lackingOfMotherduck({ region: "us-east-1", database: " md: " })).toBe("Enter a database.");
    expect(lackingOfMotherduck({ region: "us-east-1", database: "d" })).toBeNull();
    expect([isMotherduck("MotherDuck://us-east-1/d"), isMotherduck("motherduck.db")]).toEqual([true, false]);
  });
});
