import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fakeHost } from "../../../test/fake/host";
import type { Dialect, SqlCheck } from "../../host/bindings";
import { setHost } from "../../host/host";
import { ReadEstimate } from "./ReadEstimate";
import { setPlace, useValues } from "./values";

const PATIENCE = { timeout: 5000 };
let asked: string[];

beforeEach(() => {
  asked = [];
  useValues.setState({ places: {}, constants: {} });
});

function tells(answer: (sql: string) => Pick<SqlCheck, "bytes" | "money">) {
  const checkSql = async (sql: string) => {
    asked.push(sql);
    return { columns: [], ...answer(sql) };
  };
  const host = { ...fakeHost(), checkSql };
  setHost(host);
  return host;
}

const estimate = (sql: string, dialect: Dialect) => (
  <ReadEstimate draftKey="run:r1" sql={sql} dialect={dialect} warehouse="here" />
);

test("an estimate stands there as long as its query does", async () => {
  tells((sql) => {
    if (sql.includes("nope")) throw new Error("no such column");
    return { bytes: 3_000_000_000, money: 17_100 };
  });
  const { rerender } = render(estimate("SELECT a", "bigquery"));
  expect(await screen.findByText(/Would read 3.00 GB, billed for \$0.02/, {}, PATIENCE)).toBeDefined();
  rerender(estimate("SELECT nope", "bigquery"));
  expect(screen.queryByText(/Would read/)).toBeNull();
  await expect.poll(() => asked, PATIENCE).toEqual(["SELECT a", "SELECT nope"]);
  expect(screen.queryByText(/Would read/)).toBeNull();
});

test("it is of the values as they stand there, and comes once the last one is typed", async () => {
  const host = tells((sql) => ({ bytes: sql.includes("2023") ? 1_000_000_000 : 2_000_000_000, money: null }));
  render(estimate("SELECT a FROM t WHERE y = :year", "snowflake"));
  await expect.poll(() => host.calls.filter(([name]) => name === "fillQuery"), PATIENCE).toHaveLength(1);
  expect(asked).toEqual([]);
  act(() => setPlace("here", "year", { kind: null, value: "2023" }));
  expect(await screen.findByText("Would read 1.00 GB.", {}, PATIENCE)).toBeDefined();
  act(() => setPlace("here", "year", { kind: null, value: "2024" }));
  expect(screen.queryByText(/Would read/)).toBeNull();
  expect(await screen.findByText("Would read 2.00 GB.", {}, PATIENCE)).toBeDefined();
  expect(asked).toEqual(["SELECT a FROM t WHERE y = 2023", "SELECT a FROM t WHERE y = 2024"]);
});

test("money is said as what it is: a bill of BigQuery, else the user's own price", async () => {
  tells(() => ({ bytes: 3_000_000_000, money: 1_500_000 }));
  render(estimate("SELECT a", "clickhouse"));
  expect(await screen.findByText("Would read 3.00 GB, $1.50 at your price.", {}, PATIENCE)).toBeDefined();
});

test("a database that tells nothing beforehand is not asked", async () => {
  tells(() => ({ bytes: 3_000_000_000, money: null }));
  const { rerender } = render(estimate("SELECT a", "databricks"));
  rerender(estimate("SELECT b", "snowflake"));
  expect(await screen.findByText("Would read 3.00 GB.", {}, PATIENCE)).toBeDefined();
  expect(asked).toEqual(["SELECT b"]);
});
