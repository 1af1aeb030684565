import { describe, expect, it } from "vitest";
import { avSqlLog, directLog } from "../../../../test/fake/log";
import { answerFacts, listNames, mentionedNames, otherResults, resultInWords } from "./answer";
import { foldRun } from "./fold";

const AT = "2026-11-21T10:00:00Z";
const events = avSqlLog("r", "duckdb:/x", AT);

describe("the sentence under an answer", () => {
  const facts = answerFacts(foldRun(events));
  it("names the tables and views that the SQL reads", () => {
    expect(facts.tables).toEqual(["orders", "order_items", "products", "categories"]);
    expect(facts.views).toEqual(["sold_lines_2024", "product_names", "revenue_by_product"]);
  });
  it("finds the baseline's tables among those of the catalog", () => {
    expect(answerFacts(foldRun(directLog("d", "x", AT)), ["orders", "order", "customers"]).tables).toEqual([
      "orders",
    ]);
  });
  it("finds names with odd characters, and no part of a word", () => {
    expect(mentionedNames('SELECT * FROM "Sales 2024" JOIN main.t ON 1', ["Sales 2024", "main.t", "sale"])).toEqual([
      "Sales 2024",
      "main.t",
    ]);
  });
  it("says how long the answer took while it is still being checked, however many calls went on side by side", () => {
    const ready = events.findIndex((event) => event.body.type === "resultReady");
    const beside = events.slice(0, ready + 1);
    const run = foldRun(beside);
    expect(run.status).toBe("running");
    expect(answerFacts({ ...run, usage: { ...run.usage, wall_ms: 1e9 } }).ms).toBe(events[ready]!.atMs);
  });
  it("shortens long lists", () => {
    expect(listNames(["a"])).toBe("a");
    expect(listNames(["a", "b", "c"])).toBe("a, b and c");
    expect(listNames(["a", "b", "c", "d", "e"])).toBe("a, b and 3 more");
  });
});

it("finds what else could be the answer at the last choice", () => {
  const others = [{ candidate: 2, votes: 1, sql: "SELECT 2", meaning: "", rowCount: 1, firstRow: ["12345"] }];
  const chosen = { candidate: 1, votes: 1, of: 1, sql: "SELECT 1", reason: "", others };
  const body = { type: "candidateChosen" as const, node: "generator", ...chosen };
  expect(otherResults(foldRun([{ runId: "r", seq: 1, atMs: 0, body }])).map(resultInWords)).toEqual(["12,345"]);
});

it("tells another result in a few words", () => {
  const result = { rowCount: 12, firstRow: ["Ann", null, "3.5"] };
  expect(resultInWords(result)).toBe("12 rows, starting with Ann, no value, 3.5");
  expect(resultInWords({ ...result, rowCount: 1 })).toBe("1 row: Ann, no value, 3.5");
  const dated = { rowCount: 2, firstRow: ["2024-03-01", "9007199254740993123", "2024"] };
  expect(resultInWords(dated)).toBe("2 rows, starting with Mar 1, 2024, 9,007,199,254,740,993,123, 2024");
  const sql = "SELECT store_nm, COUNT(*) FROM stores GROUP BY store_nm";
  expect(resultInWords({ ...result, sql })).toBe("12 rows, one per store nm, starting with Ann, no value, 3.5");
  // If its meaning is shown beside it, nothing else has to distinguish it from other results.
  expect(resultInWords({ ...result, sql, meaning: "Stores" })).toBe("12 rows, one per store nm");
  expect(resultInWords({ rowCount: 0, firstRow: [] })).toBe("no rows");
});
