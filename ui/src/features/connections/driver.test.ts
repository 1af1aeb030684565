import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  DRIVER_DIALECTS,
  type DriverParts,
  driverAddress,
  driverOf,
  lackingOfDriver,
  NO_DRIVER,
  splitDriverPassword,
  splitUri,
} from "./driver";
import { pathOf } from "./words";

describe("the address of a database behind a driver", () => {
  it.each([
    "adbc:mssql?uri=mssql://sql.example:1433?database=sales",
    "adbc:mine?dialect=trino&uri=https://trino.example&http.timeout=30",
    "adbc:postgresql?dialect=duckdb&uri=postgresql://db",
    "adbc:sqlite?uri=/data/my+größe%2B%23%2525.db&mode=a=b%26c",
  ])("%s is taken apart and put together again", (address) => {
    expect(driverAddress(driverOf(address))).toBe(address);
  });

  it("is shown as people write it", () => {
    const parts = driverOf("adbc:trino?uri=grpc%3A%2F%2Fdb%3A1%3Fa%3D1&username=ann+lee");
    expect(pathOf(driverAddress(parts))).toBe("adbc:trino?uri=grpc://db:1?a=1&username=ann+lee");
  });

  it("keeps its password apart", () => {
    for (const [typed, address, password] of [
      ["adbc:mssql?uri=mssql%3A%2F%2Fann%3As%2540fe%40db", "adbc:mssql?uri=mssql://ann@db", "s@fe"],
      ["adbc:trino?username=ann&password=s%40fe", "adbc:trino?username=ann", "s@fe"],
      ["adbc:trino?uri=grpc%3A%2F%2Fdb%3A1", "adbc:trino?uri=grpc%3A%2F%2Fdb%3A1", ""],
      ["adbc:trino", "adbc:trino", ""],
    ] as const)
      expect(splitDriverPassword(typed)).toEqual({ address, password });
    expect(splitUri("mssql://ann:a%zz@db")).toEqual({ uri: "mssql://ann@db", password: "a%zz" });
    expect(splitUri("ann:word@tcp(db)/shop")).toEqual({ uri: "ann:word@tcp(db)/shop", password: "" });
  });

  it("says the dialect only where the driver's name does not", () => {
    const parts = driverOf("adbc:sqlserver?uri=x");
    expect(parts.dialect).toBe("mssql");
    expect(driverAddress({ ...parts, dialect: "trino" })).toBe("adbc:sqlserver?dialect=trino&uri=x");
    expect(driverAddress(parts)).toBe("adbc:sqlserver?uri=x");
  });

  it.each<[Partial<DriverParts>, string | null]>([
    [{}, "Choose a driver."],
    [{ driver: "trino" }, "Enter the driver's address."],
    [{ driver: "trino", options: "a=1\nhttp timeout" }, "Enter each option as name=value: http timeout"],
    [{ driver: "trino", options: "a=1\n\nb=" }, null],
    [{ driver: "trino", uri: "https://trino.example" }, null],
  ])("says what is missing of %o", (parts, missing) => {
    expect(lackingOfDriver({ ...NO_DRIVER, ...parts })).toBe(missing);
  });

  it("knows the names that Rust knows", () => {
    const file = "../../../../src-tauri/crates/warehouse/src/adbc/address.rs";
    const rust = readFileSync(resolve(import.meta.dirname, file), "utf8");
    const list = /const DIALECTS[^=]*= \[([\s\S]*?)\];/.exec(rust)![1]!;
    const names = [...list.matchAll(/\("(\w+)", Dialect::(\w+)\)/g)].map(
      ([, name, of]) => `${name} ${of!.toLowerCase()}`,
    );
    const ours = Object.entries(DRIVER_DIALECTS).flatMap(([of, { names }]) => names.map((name) => `${name} ${of}`));
    expect(names.length).toBeGreaterThan(9);
    expect(ours.sort()).toEqual(names.sort());
  });
});
