// A realistic event log, written by hand after what a run of AV-SQL on the sample warehouse looks like.

import type {
  EventBody,
  Explanation,
  Headline,
  Page,
  ResultColumn,
  RunEvent,
  ViewAttempt,
} from "../../src/host/bindings";
import { MODEL, page, SETTINGS, Writer } from "./writer";

const SCHEMA = `CREATE TABLE orders ( -- one row per order, 61,204 rows
  order_id INTEGER PRIMARY KEY,
  cust_id INTEGER REFERENCES customers(cust_id),
  store_id INTEGER REFERENCES stores(store_id),
  order_dt TEXT, -- '03/01/2023', '14/11/2024', '27/06/2025'
  chan_cd TEXT, -- 'WEB', 'STR', 'APP'
  status TEXT, -- 'shipped', 'Shipped', 'returned'
);
CREATE TABLE order_items ( -- 183,377 rows
  order_id INTEGER REFERENCES orders(order_id),
  line_no INTEGER,
  prod_id INTEGER REFERENCES products(prod_id),
  qty INTEGER,
  unit_price DECIMAL(10,2),
  disc_pct DECIMAL(5,2),
);
CREATE TABLE products (
  prod_id INTEGER PRIMARY KEY,
  prod_nm TEXT, -- 'Alder Desk Lamp', 'Birch Side Table'
  cat_id INTEGER REFERENCES categories(cat_id),
  attrs JSON, -- {"colour": "oak", "weight_kg": 4.2}
);
CREATE TABLE categories (
  cat_id INTEGER PRIMARY KEY,
  cat_nm TEXT, -- 'Lighting', 'Seating', 'Storage'
);`;

const SYSTEM = {
  rewriter:
    "You rewrite a question about a database so that nothing is left implicit.\nState the task, the output columns in order, the filters, and the ordering.\nDo not invent conditions that the question does not contain.",
  view: "You write views over one part of a schema.\nEach view is a named CTE with one purpose. Select only tables and columns that the question needs.\nIf nothing in this part is needed, return no view.",
  planner: "You plan the final query over the views below, step by step, in a few short sentences.",
  generator: "You write one read-only query in DuckDB's dialect that answers the question. Use the views below.",
  revisor:
    "You check a query against the question: columns, order, limit, ties.\nAnswer UNCHANGED, or the corrected query. Change nothing else.",
};

const V_LINES = `SELECT
  o.order_id,
  i.prod_id,
  i.qty * i.unit_price * (1 - COALESCE(i.disc_pct, 0) / 100) AS revenue
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
WHERE year(strptime(o.order_dt, '%d/%m/%Y')) = 2024
  AND lower(o.status) <> 'returned'`;
const V_LINES_BAD = `SELECT
  o.order_id,
  o.prod_id,
  o.qty * o.unit_price AS revenue
FROM orders AS o
WHERE year(o.order_dt) = 2024`;
const V_PRODUCTS = `SELECT p.prod_id, p.prod_nm, c.cat_nm
FROM products AS p
JOIN categories AS c ON c.cat_id = p.cat_id`;
const V_REVENUE = `SELECT prod_id, SUM(revenue) AS revenue
FROM sold_lines_2024
GROUP BY prod_id`;
const V_STORES = `SELECT store_id, store_nm, region
FROM stores`;

const FINAL_BEFORE = `WITH sold_lines_2024 AS (
  SELECT
    o.order_id,
    i.prod_id,
    i.qty * i.unit_price * (1 - COALESCE(i.disc_pct, 0) / 100) AS revenue
  FROM orders AS o
  JOIN order_items AS i ON i.order_id = o.order_id
  WHERE year(strptime(o.order_dt, '%d/%m/%Y')) = 2024
    AND lower(o.status) <> 'returned'
),
product_names AS (
  SELECT p.prod_id, p.prod_nm, c.cat_nm
  FROM products AS p
  JOIN categories AS c ON c.cat_id = p.cat_id
),
revenue_by_product AS (
  SELECT prod_id, SUM(revenue) AS revenue
  FROM sold_lines_2024
  GROUP BY prod_id
)
SELECT
  n.prod_nm AS product,
  n.cat_nm AS category,
  ROUND(r.revenue, 2) AS revenue
FROM revenue_by_product AS r
JOIN product_names AS n ON n.prod_id = r.prod_id
ORDER BY r.revenue DESC`;
export const FINAL = `${FINAL_BEFORE}
LIMIT 10`;

const V_LINES_COLUMNS: [string, ResultColumn["type"]][] = [
  ["order_id", "integer"],
  ["prod_id", "integer"],
  ["revenue", "decimal"],
];

const view = (
  name: string,
  sql: string,
  rationale: string,
  dependsOn: string[],
  result: Page | string,
): ViewAttempt => ({
  name,
  sql,
  rationale,
  dependsOn,
  status: typeof result === "string" ? "error" : result.rowCount === 0 ? "empty" : "valid",
  repairs: [],
  error: typeof result === "string" ? result : null,
  page: typeof result === "string" ? null : result,
});

const LINES_PAGE = page(
  V_LINES_COLUMNS,
  [
    ["20411", "118", "239.20"],
    ["20411", "7", "89.90"],
    ["20412", "203", "1184.00"],
    ["20413", "41", "57.60"],
    ["20415", "118", "478.40"],
  ],
  10000,
);
const PRODUCTS_PAGE = page(
  [
    ["prod_id", "integer"],
    ["prod_nm", "text"],
    ["cat_nm", "text"],
  ],
  [
    ["1", "Alder Desk Lamp", "Lighting"],
    ["2", "Birch Side Table", "Tables"],
    ["3", "Cedar Bench", "Seating"],
    ["4", "Oak Shelf 120", "Storage"],
  ],
  412,
);
const REVENUE_PAGE = page(
  [
    ["prod_id", "integer"],
    ["revenue", "decimal"],
  ],
  [
    ["118", "184230.40"],
    ["203", "176512.00"],
    ["41", "91877.25"],
  ],
  409,
);

export const ANSWER_PAGE = page(
  [
    ["product", "text"],
    ["category", "text"],
    ["revenue", "decimal"],
  ],
  [
    ["Harbour Sofa, 3 seats", "Seating", "184230.40"],
    ["Oak Dining Table 220", "Tables", "176512.00"],
    ["Nordlys Pendant", "Lighting", "151094.80"],
    ["Birch Wardrobe", "Storage", "148820.00"],
    ["Cedar Bench", "Seating", "131406.75"],
    ["Lund Bookcase", "Storage", "127115.20"],
    ["Alder Desk", "Tables", "119873.00"],
    ["Fjord Armchair", "Seating", "108442.10"],
    ["Linen Duvet, double", "Textiles", "97310.55"],
    ["Alder Desk Lamp", "Lighting", "91877.25"],
  ],
);

const BEST_SELLING: Headline = {
  shape: "ranked",
  labels: [0],
  measure: 2,
  addsUp: true,
  highest: { row: 0, rows: 1 },
  lowest: null,
  meanings: [null, null, null],
  tables: ["orders", "order_items", "products", "categories"],
  conditions: ["order dt is from 2024-01-01 on and before 2025-01-01", "status is not “returned”"],
  limited: true,
};

const ACTIVE: Headline = {
  shape: "value",
  labels: [],
  measure: 0,
  addsUp: false,
  highest: null,
  lowest: null,
  meanings: ["number of different cust id"],
  tables: ["orders"],
  conditions: ["order dt is from 2025-01-01 on and before 2026-01-01"],
  limited: false,
};

const QUESTION =
  "What were the ten best-selling products by revenue in 2024, with their category? Leave out returned orders.";

/** The main example: two chunks, a failed first attempt, four candidates, a revision. */
export function avSqlLog(runId: string, warehouse: string, startedAt: string, question = QUESTION): RunEvent[] {
  const w = new Writer(runId);
  w.put({
    type: "runStarted",
    question,
    knowledge: null,
    warehouse,
    dialect: "duckdb",
    settings: SETTINGS,
    models: {
      rewriter: MODEL,
      "view-generator": MODEL,
      planner: MODEL,
      generator: MODEL,
      revisor: MODEL,
    },
    startedAt,
  });
  w.put({ type: "stageStarted", node: "schema", kind: "schema", title: "Schema", inputs: [] });
  w.wait(120).put({
    type: "schemaPrepared",
    node: "schema",
    tables: 15,
    columns: 112,
    groups: 2,
    tokensRaw: 4912,
    tokensCompressed: 2860,
    chunks: [
      { index: 1, tables: ["orders", "order_items", "products", "categories", "customers", "returns"], tokens: 1490 },
      { index: 2, tables: ["stores", "staff", "targets_{NUM}", "inventory", "suppliers", "promo"], tokens: 1370 },
    ],
  });
  w.wait(20).put({ type: "stageFinished", node: "schema", summary: "15 tables in 2 parts, 2,860 tokens" });
  w.put({ type: "stageStarted", node: "rewriter", kind: "rewriter", title: "Rewrite the question", inputs: [] });
  w.call(
    "rewriter",
    "rewriter",
    SYSTEM.rewriter,
    `Question: ${question}`,
    [
      '{"task":"Find the ten products with the highest revenue in 2024.","outputs":["product name","category name","revenue in 2024"],"filters":["Order date in 2024.","Returned orders are left out."],"ordering":"revenue descending, first 10"}',
    ],
    [412, 180],
    3100,
  );
  w.put({
    type: "rewritten",
    node: "rewriter",
    rewritten: {
      task: "Find the ten products with the highest revenue in 2024.",
      outputs: ["product name", "category name", "revenue in 2024"],
      filters: ["Order date in 2024.", "Returned orders are left out."],
      ordering: "revenue descending, first 10",
      direction: "descending",
      rows: 10,
      ties: false,
    },
  });
  w.put({ type: "stageFinished", node: "rewriter", summary: "3 columns, 2 conditions, first 10" });

  w.put({
    type: "stageStarted",
    node: "chunk-1",
    kind: "chunk",
    title: "Views from part 1 of 2",
    inputs: ["schema", "rewriter"],
  });
  w.put({
    type: "valuesRetrieved",
    node: "chunk-1",
    literals: ["returned", "2024"],
    matches: [
      { literal: "returned", table: "orders", column: "status", value: "returned", edit: 1, semantic: 1 },
      { literal: "returned", table: "orders", column: "status", value: "Returned", edit: 0.92, semantic: 0.97 },
      {
        literal: "returned",
        table: "returns",
        column: "reason",
        value: "return to sender",
        edit: 0.56,
        semantic: 0.61,
      },
    ],
  });
  w.call(
    "chunk-1",
    "view-generator",
    SYSTEM.view,
    `${SCHEMA}\n\nQuestion: Find the ten products with the highest revenue in 2024.`,
    [`sold_lines_2024 AS (\n${V_LINES_BAD}\n),\nproduct_names AS (\n${V_PRODUCTS}\n)`],
    [1960, 1490],
    4200,
  );
  w.query(
    "chunk-1",
    "view-generator",
    `WITH sold_lines_2024 AS (${V_LINES_BAD}) SELECT * FROM sold_lines_2024`,
    4,
    null,
    'Binder Error: Table "o" does not have a column named "prod_id"',
  );
  w.query("chunk-1", "view-generator", `WITH product_names AS (${V_PRODUCTS}) SELECT * FROM product_names`, 9, 412);
  w.put({
    type: "viewsAttempted",
    node: "chunk-1",
    chunk: 1,
    attempt: 0,
    views: [
      view(
        "sold_lines_2024",
        V_LINES_BAD,
        "Lines of orders in 2024 with their revenue.",
        [],
        'orders has no column prod_id. Did you mean order_items.prod_id? Binder Error: Table "o" does not have a column named "prod_id"',
      ),
      view("product_names", V_PRODUCTS, "Product with the name of its category.", [], PRODUCTS_PAGE),
    ],
    selection: {
      tables: [
        { name: "orders", columns: ["order_id", "order_dt"] },
        { name: "products", columns: ["prod_id", "prod_nm", "cat_id"] },
        { name: "categories", columns: ["cat_id", "cat_nm"] },
      ],
    },
    consistent: false,
    feedback: ["sold_lines_2024 did not run: orders has no column prod_id; order_items has one."],
  });
  w.call(
    "chunk-1",
    "view-generator",
    SYSTEM.view,
    `${SCHEMA}\n\nQuestion: Find the ten products with the highest revenue in 2024.\n\nYour views were run. sold_lines_2024 did not run: orders has no column prod_id; order_items has one.`,
    [
      `sold_lines_2024 AS (\n${V_LINES}\n),\nproduct_names AS (\n${V_PRODUCTS}\n),\nrevenue_by_product AS (\n${V_REVENUE}\n)`,
    ],
    [2240, 1960],
    5200,
  );
  w.query(
    "chunk-1",
    "view-generator",
    `WITH sold_lines_2024 AS (${V_LINES}) SELECT * FROM sold_lines_2024`,
    38,
    10000,
  );
  w.query("chunk-1", "view-generator", `WITH product_names AS (${V_PRODUCTS}) SELECT * FROM product_names`, 7, 412);
  w.query(
    "chunk-1",
    "view-generator",
    `WITH sold_lines_2024 AS (${V_LINES}), revenue_by_product AS (${V_REVENUE}) SELECT * FROM revenue_by_product`,
    44,
    409,
  );
  w.put({
    type: "viewsAttempted",
    node: "chunk-1",
    chunk: 1,
    attempt: 1,
    views: [
      view("sold_lines_2024", V_LINES, "Lines of orders in 2024 with their revenue after discount.", [], LINES_PAGE),
      view("product_names", V_PRODUCTS, "Product with the name of its category.", [], PRODUCTS_PAGE),
      view("revenue_by_product", V_REVENUE, "Revenue of each product.", ["sold_lines_2024"], REVENUE_PAGE),
    ],
    selection: {
      tables: [
        { name: "orders", columns: ["order_id", "order_dt", "status"] },
        { name: "order_items", columns: ["order_id", "prod_id", "qty", "unit_price", "disc_pct"] },
        { name: "products", columns: ["prod_id", "prod_nm", "cat_id"] },
        { name: "categories", columns: ["cat_id", "cat_nm"] },
      ],
    },
    consistent: true,
    feedback: [],
  });
  w.put({
    type: "chunkFinished",
    node: "chunk-1",
    chunk: 1,
    outcome: "valid",
    keptAttempt: 1,
    keptViews: ["sold_lines_2024", "product_names", "revenue_by_product"],
  });
  w.put({ type: "stageFinished", node: "chunk-1", summary: "3 views kept after one repair" });

  w.put({
    type: "stageStarted",
    node: "chunk-2",
    kind: "chunk",
    title: "Views from part 2 of 2",
    inputs: ["schema", "rewriter"],
  });
  w.call(
    "chunk-2",
    "view-generator",
    SYSTEM.view,
    `CREATE TABLE stores (...);\n\nQuestion: Find the ten products with the highest revenue in 2024.`,
    [`store_names AS (\n${V_STORES}\n)`],
    [1820, 420],
    2600,
  );
  w.query("chunk-2", "view-generator", `WITH store_names AS (${V_STORES}) SELECT * FROM store_names`, 3, 48);
  w.put({
    type: "viewsAttempted",
    node: "chunk-2",
    chunk: 2,
    attempt: 0,
    views: [
      view(
        "store_names",
        V_STORES,
        "Stores with their region.",
        [],
        page(
          [
            ["store_id", "integer"],
            ["store_nm", "text"],
            ["region", "text"],
          ],
          [
            ["1", "Leeds Trinity", "North"],
            ["2", "Bristol Cabot", "South West"],
            ["3", "York Coppergate", null],
          ],
          48,
        ),
      ),
    ],
    selection: { tables: [] },
    consistent: false,
    feedback: ["A view is there, but no table is selected."],
  });
  w.put({
    type: "chunkFinished",
    node: "chunk-2",
    chunk: 2,
    outcome: "irrelevant",
    keptAttempt: null,
    keptViews: [],
  });
  w.put({ type: "stageFinished", node: "chunk-2", summary: "Nothing here is needed" });

  w.put({
    type: "stageStarted",
    node: "selection",
    kind: "selection",
    title: "Selection",
    inputs: ["chunk-1", "chunk-2"],
  });
  w.wait(5).put({
    type: "aggregated",
    node: "selection",
    selection: {
      tables: [
        { name: "orders", columns: ["order_id", "order_dt", "status"] },
        { name: "order_items", columns: ["order_id", "prod_id", "qty", "unit_price", "disc_pct"] },
        { name: "products", columns: ["prod_id", "prod_nm", "cat_id"] },
        { name: "categories", columns: ["cat_id", "cat_nm"] },
      ],
    },
    views: ["sold_lines_2024", "product_names", "revenue_by_product"],
  });
  w.put({ type: "stageFinished", node: "selection", summary: "4 tables, 3 views" });

  w.put({ type: "stageStarted", node: "planner", kind: "planner", title: "Plan", inputs: ["selection"] });
  const plan =
    "1. Take revenue_by_product.\n2. Join product_names on prod_id for the product and category names.\n3. Sort by revenue, highest first.\n4. Keep the first ten rows.";
  w.call(
    "planner",
    "planner",
    SYSTEM.planner,
    "Views: sold_lines_2024, product_names, revenue_by_product",
    [plan],
    [980, 610],
    2100,
  );
  w.put({ type: "planned", node: "planner", plan });
  w.put({ type: "stageFinished", node: "planner", summary: "4 steps" });

  w.put({ type: "stageStarted", node: "generator", kind: "generator", title: "Write the SQL", inputs: ["planner"] });
  w.call(
    "generator",
    "generator",
    SYSTEM.generator,
    `Plan:\n${plan}`,
    [FINAL_BEFORE, FINAL_BEFORE, FINAL_BEFORE.replace("prod_nm AS product", "prod_name AS product"), FINAL_BEFORE],
    [1320, 980],
    6400,
  );
  const tries: [number, string, string | null, number | null, string | null, string[]][] = [
    [1, FINAL_BEFORE, null, 409, "9f2a", []],
    [2, FINAL_BEFORE, null, 409, "9f2a", []],
    [3, FINAL_BEFORE, null, 409, "9f2a", ["n.prod_name was read as n.prod_nm, the only column like it."]],
    [4, FINAL_BEFORE, 'Parser Error: syntax error at or near "ORDER"', null, null, []],
  ];
  for (const [candidate, sql, error, rowCount, digest, repairs] of tries) {
    w.query("generator", "generator", sql, 52, rowCount, error);
    w.put({ type: "sqlAttempted", node: "generator", candidate, attempt: 0, sql, repairs, error, rowCount, digest });
  }
  w.put({
    type: "candidateChosen",
    node: "generator",
    candidate: 1,
    votes: 3,
    of: 3,
    sql: FINAL_BEFORE,
    reason: "All three queries that ran gave the same result.",
    others: [],
  });
  w.put({ type: "stageFinished", node: "generator", summary: "3 of 4 queries agree" });

  w.put({ type: "stageStarted", node: "revisor", kind: "revisor", title: "Check the SQL", inputs: ["generator"] });
  w.call(
    "revisor",
    "revisor",
    SYSTEM.revisor,
    `Question: ${question}\n\n${FINAL_BEFORE}`,
    [FINAL],
    [1540, 1100],
    3900,
  );
  w.query("revisor", "revisor", FINAL, 49, 10);
  w.put({
    type: "revised",
    node: "revisor",
    before: FINAL_BEFORE,
    after: FINAL,
    kept: true,
    reason: "The question asks for ten products; the query had no limit.",
  });
  w.put({ type: "stageFinished", node: "revisor", summary: "Added the limit of ten" });

  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Result", inputs: ["revisor"] });
  w.query("result", "generator", FINAL, 48, 10);
  w.put({
    type: "warning",
    node: "result",
    message: "orders.order_dt holds dates as text in the form day/month/year. It was read that way.",
  });
  w.put({ type: "resultReady", node: "result", sql: FINAL, page: ANSWER_PAGE, headline: BEST_SELLING });
  w.put({ type: "stageFinished", node: "result", summary: "10 rows" });
  w.finish();
  return w.events;
}

/** The same, with how the answer came about told at its end. */
export function explainedLog(
  runId: string,
  warehouse: string,
  startedAt: string,
  explanation: Explanation,
  question = QUESTION,
  rows: Page | null = null,
): RunEvent[] {
  const events = avSqlLog(runId, warehouse, startedAt, question).map((event): RunEvent => {
    const { body } = event;
    return rows && body.type === "resultReady" ? { ...event, body: { ...body, page: rows, headline: null } } : event;
  });
  return withExplanation(events, explanation);
}

/** The events of a run with its explanation before the end. */
export function withExplanation(all: RunEvent[], explanation: Explanation): RunEvent[] {
  const events = all.slice(0, -1);
  const end = all.at(-1)!;
  const atMs = end.atMs + 900;
  return [
    ...events,
    { ...end, seq: end.seq, atMs, body: { type: "explained", node: "result", explanation } },
    { ...end, seq: end.seq + 1, atMs: atMs + 5 },
  ];
}

/** The baseline: one call; a single number. */
export function directLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const w = new Writer(runId);
  const sql =
    "SELECT COUNT(DISTINCT cust_id) AS active_customers\nFROM orders\nWHERE year(strptime(order_dt, '%d/%m/%Y')) = 2025";
  w.put({
    type: "runStarted",
    question: "How many customers ordered something in 2025?",
    knowledge: null,
    warehouse,
    dialect: "duckdb",
    settings: { ...SETTINGS, strategy: "direct" },
    models: { generator: MODEL },
    startedAt,
  });
  w.put({ type: "stageStarted", node: "schema", kind: "schema", title: "Schema", inputs: [] });
  w.wait(80).put({
    type: "schemaPrepared",
    node: "schema",
    tables: 15,
    columns: 112,
    groups: 2,
    tokensRaw: 4912,
    tokensCompressed: 2860,
    chunks: [{ index: 1, tables: ["orders", "customers"], tokens: 2860 }],
  });
  w.put({ type: "stageFinished", node: "schema", summary: "15 tables, 2,860 tokens" });
  w.put({ type: "stageStarted", node: "generator", kind: "generator", title: "Write the SQL", inputs: ["schema"] });
  w.call("generator", "generator", SYSTEM.generator, SCHEMA, [sql], [3010, 2860], 3000);
  w.query("generator", "generator", sql, 31, 1);
  w.put({
    type: "sqlAttempted",
    node: "generator",
    candidate: 1,
    attempt: 0,
    sql,
    repairs: [],
    error: null,
    rowCount: 1,
    digest: "aa",
  });
  w.put({ type: "candidateChosen", node: "generator", candidate: 1, votes: 1, of: 1, sql, reason: "", others: [] });
  w.put({ type: "stageFinished", node: "generator", summary: "Ran at the first try" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Result", inputs: ["generator"] });
  w.put({
    type: "resultReady",
    node: "result",
    sql,
    page: page([["active_customers", "integer"]], [["18462"]]),
    headline: ACTIVE,
  });
  w.put({ type: "stageFinished", node: "result", summary: "1 row" });
  w.finish();
  return w.events;
}

/** Candidates disagree and the person is asked; in the log the second reading was chosen. */
export function unsureLog(runId: string, warehouse: string, startedAt: string, question: string): RunEvent[] {
  const told = directLog(runId, warehouse, startedAt);
  const chosen = told.findIndex((e) => e.body.type === "candidateChosen");
  const before = told.slice(0, chosen).map((e) => {
    if (e.body.type !== "runStarted") return e;
    return { ...e, body: { ...e.body, question, settings: { ...SETTINGS, strategy: "auto" as const } } };
  });
  const at = before.at(-1)!.atMs;
  const readings = [
    {
      candidate: 1,
      votes: 3,
      sql: "SELECT COUNT(*) FROM customers",
      meaning: "Number of rows of customers",
      rowCount: 1,
      firstRow: ["21350"],
    },
    {
      candidate: 4,
      votes: 2,
      sql: "SELECT COUNT(DISTINCT cust_id) FROM orders WHERE order_dt >= '2025-01-01'",
      meaning: "Number of different customers, from orders, only where order dt is from 2025-01-01 on",
      rowCount: 1,
      firstRow: ["18462"],
    },
    {
      candidate: 5,
      votes: 1,
      sql: "SELECT store_id, COUNT(*) FROM customers GROUP BY store_id",
      meaning: "Store id and number of rows of customers, for each store id",
      rowCount: 24,
      firstRow: ["1", "902"],
    },
  ];
  const asked: EventBody[] = [
    { type: "readingsOffered", node: "generator", readings },
    { type: "readingChosen", node: "generator", candidate: 4, waitedMs: 3000 },
  ];
  const events = [...before, ...asked.map((body) => ({ runId, seq: 0, atMs: at, body })), ...told.slice(chosen)];
  return events.map((e, i) => ({ ...e, seq: i + 1 }));
}

/** Ends in an error after a failed chunk. */
export function failedLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const events = avSqlLog(runId, warehouse, startedAt, "Which supplier has the best weather?");
  const cut = events.findIndex((e) => e.body.type === "modelCallFinished" && e.body.node === "planner");
  const kept = events.slice(0, cut);
  const last = kept.at(-1)!;
  kept.push({
    runId,
    seq: last.seq + 1,
    atMs: last.atMs + 40,
    body: {
      type: "runFinished",
      error: {
        code: "model",
        message: "The model stopped while it was planning the query.",
        hint: "It was started again. Ask once more; if it happens again, choose a smaller context in Settings.",
        detail: "worker exited with signal 9 (killed); 1.6 GB resident",
      },
      usage: {
        llm_calls: 4,
        prompt_tokens: 6400,
        cached_prompt_tokens: 4050,
        cache_write_tokens: 0,
        completion_tokens: 720,
        reasoning_tokens: 0,
        db_calls: 6,
        wall_ms: last.atMs + 40,
        micro_usd: 0,
        priced_calls: 4,
      },
      usageByAgent: {},
    },
  });
  return kept;
}

/** Many rows. */
export function longLog(runId: string, warehouse: string, startedAt: string, rows: number): RunEvent[] {
  const events = directLog(runId, warehouse, startedAt);
  const sql =
    "SELECT o.order_id, c.full_nm AS customer, o.order_dt, o.chan_cd, o.status, SUM(i.qty) AS items, SUM(i.qty * i.unit_price) AS total\nFROM orders AS o\nJOIN customers AS c ON c.cust_id = o.cust_id\nJOIN order_items AS i ON i.order_id = o.order_id\nGROUP BY ALL\nORDER BY o.order_id";
  return events.map((event): RunEvent => {
    const { body } = event;
    if (body.type === "runStarted")
      return {
        ...event,
        body: { ...body, question: "List every order with its customer, channel, items and total." },
      };
    if (body.type === "resultReady") {
      return {
        ...event,
        body: { ...body, sql, page: { ...bigPage(0, 200, rows), truncated: true }, headline: null },
      };
    }
    if (body.type === "candidateChosen" || body.type === "sqlAttempted") return { ...event, body: { ...body, sql } };
    return event;
  });
}

const NAMES = [
  "Ada Whitfield",
  "Oskar Lindqvist",
  "Mei Tanaka",
  "Luca Ferri",
  "Noor Haddad",
  "Priya Raman",
  "Tom Okafor",
];

export function bigPage(offset: number, count: number, rows: number): Page {
  const data: Page["rows"] = [];
  for (let i = offset; i < Math.min(offset + count, rows); i++) {
    data.push([
      String(100000 + i),
      NAMES[(i * 7) % NAMES.length]!,
      `${String(1 + ((i * 3) % 28)).padStart(2, "0")}/${String(1 + (i % 12)).padStart(2, "0")}/${2023 + (i % 3)}`,
      ["WEB", "STR", "APP"][i % 3]!,
      i % 11 === 0 ? null : ["shipped", "Shipped", "returned"][(i * 5) % 3]!,
      String(1 + (i % 9)),
      (((i * 7919) % 240000) / 100 + 4.5).toFixed(2),
    ]);
  }
  return page(
    [
      ["order_id", "integer"],
      ["customer", "text"],
      ["order_dt", "text"],
      ["chan_cd", "text"],
      ["status", "text"],
      ["items", "integer"],
      ["total", "decimal"],
    ],
    data,
    rows,
  );
}
