// What the host says of how answers come about: the main question in 5 steps, others in 15 and 40.

import type { Explanation, MetricChange, QuestionMatch, RowsBehind } from "../../src/host/bindings";
import { column, kept, Story } from "./story";
import { page } from "./writer";

/** A question in pieces: `[words]{what answers to them}`. */
function matched(text: string, unanswered: string[] = [], unsaid: string[] = []): QuestionMatch {
  const parts = [...text.matchAll(/\[([^\]]+)\]\{([^}]+)\}|[^[]+/g)].map((m) =>
    m[1] === undefined ? { text: m[0], answeredBy: null } : { text: m[1], answeredBy: m[2]! },
  );
  return { parts, unanswered, unsaid };
}

function bestSelling(): Explanation {
  const s = new Story();
  s.table("orders", 61204, [
    { column: "order_id", uses: ["joined"] },
    { column: "order_dt", uses: ["filtered"] },
    { column: "status", uses: ["filtered"] },
  ]);
  s.table("order_items", 183377, [
    { column: "order_id", uses: ["joined"] },
    { column: "prod_id", uses: ["joined", "grouped"] },
    { column: "qty", uses: ["computed"] },
    { column: "unit_price", uses: ["computed"] },
    { column: "disc_pct", uses: ["computed"] },
  ]);
  s.table("products", 412, [
    { column: "prod_nm", uses: ["shown"] },
    { column: "prod_id", uses: ["joined"] },
    { column: "cat_id", uses: ["joined"] },
  ]);
  s.table("categories", 14, [
    { column: "cat_nm", uses: ["shown"] },
    { column: "cat_id", uses: ["joined"] },
  ]);
  const orders = s.step({
    kind: "table",
    as: "orders",
    note: "Takes the rows of orders where order dt is from 2024-01-01 on and before 2025-01-01 and status is not “returned”.",
    reads: ["orders"],
    columns: kept("orders", "order_id"),
    rows: 19740,
    grain: "one row of orders",
    sample: [["20411"], ["20412"], ["20413"]],
    sql: "SELECT order_id\nFROM orders\nWHERE year(strptime(order_dt, '%d/%m/%Y')) = 2024\n  AND lower(status) <> 'returned'",
  });
  const lines = s.step({
    kind: "join",
    as: "order_items",
    note: "Matches order items to orders by order id; rows without a match drop out.",
    reads: [orders, "order_items"],
    columns: [
      ...kept(orders, "order_id"),
      ...kept("order_items", "prod_id"),
      column("revenue", "order_items.qty", "order_items.unit_price", "order_items.disc_pct"),
    ],
    rows: 59118,
    grain: "one row of order items",
    sample: [
      ["20411", "118", "239.20"],
      ["20411", "7", "89.90"],
      ["20412", "203", "1184.00"],
    ],
    sql: "SELECT o.order_id, i.prod_id,\n  i.qty * i.unit_price * (1 - COALESCE(i.disc_pct, 0) / 100) AS revenue\nFROM s1_orders AS o\nJOIN order_items AS i ON i.order_id = o.order_id",
    view: "sold_lines_2024",
  });
  const grouped = s.step({
    kind: "group",
    as: "group",
    note: "For each prod id: sum of revenue.",
    reads: [lines],
    columns: [...kept(lines, "prod_id"), column("revenue", `${lines}.revenue`)],
    rows: 409,
    grain: "one row for each prod id",
    sample: [
      ["118", "184230.40"],
      ["203", "176512.00"],
      ["41", "91877.25"],
    ],
    sql: `SELECT prod_id, SUM(revenue) AS revenue\nFROM ${lines}\nGROUP BY prod_id`,
    view: "revenue_by_product",
  });
  const named = s.step({
    kind: "join",
    as: "products",
    note: "Joins products and categories to the groups where prod id of products is prod id and cat id of categories is cat id of products.",
    reads: [grouped, "products", "categories"],
    columns: [
      column("product", "products.prod_nm"),
      column("category", "categories.cat_nm"),
      ...kept(grouped, "revenue"),
    ],
    rows: 409,
    grain: "one row for each prod id",
    sample: [
      ["Harbour Sofa, 3 seats", "Seating", "184230.40"],
      ["Oak Dining Table 220", "Tables", "176512.00"],
      ["Nordlys Pendant", "Lighting", "91877.25"],
    ],
    sql: `SELECT p.prod_nm AS product, c.cat_nm AS category, r.revenue\nFROM ${grouped} AS r\nJOIN products AS p ON p.prod_id = r.prod_id\nJOIN categories AS c ON c.cat_id = p.cat_id`,
  });
  const sorted = s.step({
    kind: "order",
    as: "order",
    note: "Sorts by revenue, largest first, and keeps the first 10 rows.",
    reads: [named],
    columns: kept(named, "product", "category", "revenue"),
    rows: 10,
    grain: "one row for each prod id",
    sample: [
      ["Harbour Sofa, 3 seats", "Seating", "184230.40"],
      ["Oak Dining Table 220", "Tables", "176512.00"],
      ["Nordlys Pendant", "Lighting", "151094.80"],
    ],
    sql: `SELECT *\nFROM ${named}\nORDER BY revenue DESC\nLIMIT 10`,
  });
  s.check(
    lines,
    "rows-lost",
    "At least 12 of the 19,740 rows of orders have no partner in order items and are left out",
    true,
  );
  s.check(lines, "rows-multiplied", "One row of orders becomes 3 rows on average");
  s.check(sorted, "limit-cuts", "Shows 10 of 409 rows");
  return s.told({
    understood: [
      "Shows product, category and sum of quantity times unit price less discount",
      "For each product",
      "Only where order dt is from 2024-01-01 on and before 2025-01-01 and status is not “returned”",
      "Sorted by revenue, largest first",
      "Keeps the first 10 rows",
    ],
    question: matched(
      "What were the [ten]{first 10 rows} best-selling [products]{products} by [revenue]{order_items.unit_price} in [2024]{orders.order_dt}, with their [category]{categories.cat_nm}? Leave out [returned]{orders.status = 'returned'} orders.",
      ["“best-selling” is read as the largest revenue, and not as the most pieces sold"],
      ["Revenue is lowered by the discount of the line (order_items.disc_pct)"],
    ),
  });
}

const TABLES: [string, number, string[]][] = [
  ["orders", 61204, ["order_id", "cust_id", "store_id", "order_dt"]],
  ["order_items", 183377, ["order_id", "prod_id", "qty", "unit_price"]],
  ["products", 412, ["prod_id", "prod_nm", "cat_id"]],
  ["categories", 14, ["cat_id", "cat_nm"]],
  ["stores", 48, ["store_id", "store_nm", "region"]],
  ["customers", 21870, ["cust_id", "ctry", "signup_dt"]],
];

/** Years side by side: each a branch of filters, joins and groups, joined one after another. */
function years(branches: number, joins: number, tail: number): Explanation {
  const s = new Story();
  for (const [table, rows, columns] of TABLES.slice(0, 2 + joins))
    s.table(
      table,
      rows,
      columns.map((name, i) => ({ column: name, uses: i === 0 ? ["joined"] : ["shown", "computed"] })),
    );
  const parts = Array.from({ length: branches }, (_, b) => {
    const year = 2024 - b;
    let last = s.step({
      kind: "table",
      as: `orders_${year}`,
      note: `Takes the rows of orders where order dt is from ${year}-01-01 on and before ${year + 1}-01-01.`,
      reads: ["orders"],
      columns: kept("orders", "order_id", "store_id", "cust_id"),
      rows: 19740 - 1210 * b,
      grain: "one row of orders",
    });
    last = s.step({
      kind: "join",
      as: "order_items",
      note: "Matches order items to orders by order id; rows without a match drop out.",
      reads: [last, "order_items"],
      columns: [
        ...kept(last, "store_id", "cust_id"),
        ...kept("order_items", "prod_id"),
        column("revenue", "order_items.qty", "order_items.unit_price"),
      ],
      rows: 59118 - 3011 * b,
      grain: "one row of order items",
    });
    if (b === 0)
      s.check(last, "rows-lost", "At least 12 of the 19,740 rows of orders have no partner in order items", true);
    for (const [table, , names] of TABLES.slice(2, 2 + joins)) {
      const before: string = last;
      last = s.step({
        kind: "join",
        as: table,
        note: `Joins ${table} where ${names[0]!.replace("_", " ")} is ${names[0]!.replace("_", " ")} of ${table}; rows without a match stay, with ${names[1]!.replace("_", " ")} empty.`,
        reads: [before, table],
        columns: [...s.steps.at(-1)!.columns.flatMap((c) => kept(before, c.name)), ...kept(table, names[1]!)],
        rows: 59118 - 3011 * b,
        grain: "one row of order items",
      });
    }
    const joined = last;
    last = s.step({
      kind: "filter",
      as: "filter",
      note: "Keeps the rows where revenue is above 0.",
      reads: [joined],
      columns: s.steps.at(-1)!.columns.flatMap((c) => kept(joined, c.name)),
      rows: 59003 - 3011 * b,
      grain: "one row of order items",
    });
    const group = s.step({
      kind: "group",
      as: "group",
      note: `For each store: sum of revenue in ${year}, number of different customers and number of rows.`,
      reads: [last],
      columns: [
        ...kept(last, "store_id"),
        column(`revenue_${year}`, `${last}.revenue`),
        column(`customers_${year}`, `${last}.cust_id`),
        column(`lines_${year}`),
      ],
      rows: 48,
      grain: "one row for each store",
      sample: [
        ["1", "91877.25", "902", "2611"],
        ["2", "80411.00", "811", "2204"],
      ],
      view: `sales_${year}`,
    });
    if (b === 1) s.check(group, "few-rows", "2 of the 48 groups have fewer than 5 rows", true);
    return group;
  });
  let all = parts[0]!;
  for (const part of parts.slice(1)) {
    const before: string = all;
    all = s.step({
      kind: "join",
      as: "years",
      note: `Joins the groups of another year where store id of one is store id of the other; stores without a match stay, with the other year empty.`,
      reads: [before, part],
      columns: [
        ...s.steps.find((step) => step.name === before)!.columns.flatMap((c) => kept(before, c.name)),
        ...s.steps
          .find((step) => step.name === part)!
          .columns.slice(1)
          .flatMap((c) => kept(part, c.name)),
      ],
      rows: 48,
      grain: "one row for each store",
    });
  }
  for (let i = 0; i < tail; i++) {
    const before = all;
    const last = i === tail - 1;
    all = s.step({
      kind: last ? "order" : i % 2 ? "filter" : "project",
      as: last ? "order" : i % 2 ? "filter" : "growth",
      note: last
        ? "Sorts by growth, largest first, and keeps the first 20 rows."
        : i % 2
          ? "Keeps the rows where revenue 2024 is not empty."
          : "Computes growth: revenue 2024 less revenue 2023, divided by revenue 2023, or empty where that is 0.",
      reads: [before, ...(last && tail > 1 ? [parts[0]!] : [])],
      columns: [
        ...kept(before, "store_id", "revenue_2024"),
        i === 0
          ? column("growth", `${before}.revenue_2024`, ...(branches > 1 ? [`${before}.revenue_2023`] : []))
          : column("growth", `${before}.growth`),
      ],
      rows: last ? 20 : 48,
      grain: "one row for each store",
    });
  }
  return s.told({
    understood: [
      "Shows store, revenue of 2024 and its growth",
      "For each store",
      "Only where order dt is from 2024-01-01 on and before 2025-01-01",
      "Sorted by growth, largest first",
    ],
    question: matched(
      "Which [stores]{stores} grew the most from 2023 to [2024]{orders.order_dt}?",
      ["The query does not use the number 2023"],
      [],
    ),
  });
}

/** A story whose picture has about so many cards: each year has 15 with the tables that it reads. */
export const storyOf = (cards: number): Explanation => years(Math.max(2, Math.round(cards / 15)), 4, 5);

/** What the host makes of the main answer's query. */
export const EXPLAINED = bestSelling();

export const STORIES: Record<number, Explanation> = { 5: EXPLAINED, 15: years(2, 2, 2), 40: years(4, 4, 5) };

/** The question of the longer stories, and its rows. */
export const GROWTH = "Which stores grew the most from 2023 to 2024?";
export const GROWN = page(
  [
    ["store_id", "integer"],
    ["revenue_2024", "decimal"],
    ["growth", "decimal"],
  ],
  Array.from({ length: 20 }, (_, i) => [String(i + 1), (91877.25 - 1211 * i).toFixed(2), (0.41 - i / 50).toFixed(2)]),
);

/** The rows behind a cell of the main answer. */
export const BEHIND: RowsBehind[] = [
  { source: "orders", isTable: true, note: "", sql: "SELECT * FROM orders WHERE order_id IN (…)", rows: 140 },
  { source: "order_items", isTable: true, note: "", sql: "SELECT * FROM order_items WHERE prod_id = 118", rows: 154 },
  ...EXPLAINED.steps.slice(0, 4).map((step, i) => ({
    source: step.name,
    isTable: false,
    note: step.note,
    sql: `${step.runs} WHERE prod_id = 118`,
    rows: [140, 154, 1, 1][i]!,
  })),
];

/** Why revenue changed, as `metric_change` explains it. */
export const METRIC_CHANGE: MetricChange = {
  metric: "revenue",
  title: "Revenue",
  unit: "EUR",
  before: { title: "March 2024", value: "1200.00", sql: "SELECT 1200.00 AS revenue" },
  after: { title: "April 2024", value: "1100.00", sql: "SELECT 1100.00 AS revenue" },
  change: "-100.00",
  changeShare: -100 / 1200,
  sentence: "Revenue fell by 100 EUR (8%) from March 2024 to April 2024. Region South explains 80 EUR of it.",
  notes: [],
  notAdditive: null,
  inputs: [],
  dimensions: [
    {
      name: "store__region",
      title: "Region",
      power: 0.5,
      members: [
        {
          member: "South",
          presence: "both",
          before: "500.00",
          after: "420.00",
          contribution: "-80.00",
          share: 0.8,
          rate: null,
          mix: null,
          weightBefore: null,
          weightAfter: null,
        },
      ],
      others: { count: 3, contribution: "-20.00", share: 0.2, rate: null, mix: null },
      rate: null,
      mix: null,
      notes: [],
      beforeSql: "SELECT region, sum(amount) FROM sales WHERE month = 3 GROUP BY region",
      afterSql: "SELECT region, sum(amount) FROM sales WHERE month = 4 GROUP BY region",
    },
  ],
  leftOut: [],
};
