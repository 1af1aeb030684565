import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeHost } from "../../../test/fake/host";
import { setHost } from "../../host/host";
import { ReadEstimate } from "./ReadEstimate";

test("an estimate stands there as long as its query does", async () => {
  const asked: string[] = [];
  const checkSql = async (sql: string) => {
    asked.push(sql);
    if (sql.includes("nope")) throw new Error("no such column");
    return { columns: [], bytes: 3_000_000_000, money: 17_100 };
  };
  setHost({ ...fakeHost(), checkSql });
  const { rerender } = render(<ReadEstimate fill={async (sql) => sql} sql="SELECT a" warehouse="bigquery://p/d" />);
  expect(await screen.findByText(/Would read 3.00 GB, billed for \$0.02/, {}, { timeout: 5000 })).toBeDefined();
  rerender(<ReadEstimate fill={async (sql) => sql} sql="SELECT nope" warehouse="bigquery://p/d" />);
  expect(screen.queryByText(/Would read/)).toBeNull();
  await expect.poll(() => asked, { timeout: 5000 }).toEqual(["SELECT a", "SELECT nope"]);
  expect(screen.queryByText(/Would read/)).toBeNull();
});
