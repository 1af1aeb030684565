import type { Explanation } from "../../src/host/bindings";

const step = (name: string, kind: string, note: string, sql: string, rows: number) => ({
  name,
  kind,
  note,
  sql,
  runs: `WITH … ${sql}`,
  reads: [],
  rows,
});

/** What the host makes of the answer's query. */
export const EXPLAINED: Explanation = {
  understood: [
    "Shows name and sum of quantity times unit price",
    "For each name",
    "Only where ordered on is from 2023-01-01 on and ordered on is before 2024-01-01",
    "Sorted by revenue, largest first",
    "Keeps the first 5 rows",
  ],
  selection: [
    {
      table: "products",
      columns: [
        { column: "name", uses: ["shown", "grouped"] },
        { column: "id", uses: ["joined"] },
      ],
    },
    { table: "orders", columns: [{ column: "ordered_on", uses: ["filtered"] }] },
  ],
  steps: [
    step(
      "s1_orders",
      "table",
      "Takes the rows of orders where ordered on is from 2023-01-01 on and ordered on is before 2024-01-01.",
      "SELECT id FROM orders WHERE ordered_on >= '2023-01-01' AND ordered_on < '2024-01-01'",
      4210,
    ),
    step(
      "s2_order_lines",
      "join",
      "Joins order lines to orders where order id of order lines is id of orders; rows without a partner are left out.",
      "SELECT product_id, quantity, unit_price FROM s1_orders JOIN order_lines ON order_lines.order_id = s1_orders.id",
      12874,
    ),
    step(
      "s3_group",
      "group",
      "For each name: sum of quantity times unit price.",
      "SELECT name, SUM(…) FROM s2 GROUP BY name",
      61,
    ),
    step(
      "s4_order",
      "order",
      "Sorts by revenue, largest first and keeps the first 5 rows.",
      "SELECT * FROM s3_group ORDER BY 2 DESC LIMIT 5",
      5,
    ),
  ],
  proven: true,
  unproven: null,
  checks: [
    {
      code: "rows-lost",
      step: "s2_order_lines",
      text: "At least 12 of the 12,886 rows of order lines have no partner in orders and are left out",
      mayChange: true,
    },
    { code: "limit-cuts", step: "s4_order", text: "Shows 5 of 61 rows", mayChange: false },
  ],
};
