import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../../test/fake/answers";
import { ownOrder } from "./rowOrder";

const { page, headline } = EXAMPLES.find((example) => example.runId === "a-series")!;
const turned = { ...page, rows: [...page.rows].reverse() };
const run = (over: object = {}) => ({ sql: "SELECT 1 GROUP BY month", code: null, headline, ...over });

describe("rows of an answer whose query gives no order", () => {
  it("stand by their months", () => {
    expect(ownOrder(turned, run())).toEqual({ column: 0, down: false });
  });
  it("stay as they are where they stand so already, where the query orders, and where some are missing", () => {
    expect(ownOrder(page, run())).toBeNull();
    expect(ownOrder(turned, run({ sql: "SELECT 1 GROUP BY month\nORDER  BY revenue" }))).toBeNull();
    expect(ownOrder({ ...turned, truncated: true }, run())).toBeNull();
    expect(ownOrder(turned, run({ code: "result" }))).toBeNull();
  });
  it("stay as they are where no time names them", () => {
    const pairs = EXAMPLES.find((example) => example.runId === "a-pairs")!;
    expect(ownOrder(pairs.page, run({ headline: pairs.headline }))).toBeNull();
  });
});
