// A made-up run of ProSPy: a schema that gets smaller round by round, views that are fetched, and their analysis.

import type { LinkingPass, RunEvent, SavedView, SchemaSelection } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

export const QUESTION =
  "Which product categories lost revenue from 2024 to 2025, in which regions, and was it price or quantity?";

const TABLES: Record<string, string[]> = {
  orders: ["order_id", "store_id", "order_dt", "status"],
  order_items: ["order_id", "prod_id", "qty", "unit_price", "disc_pct"],
  products: ["prod_id", "cat_id"],
  categories: ["cat_id", "cat_nm"],
  stores: ["store_id", "region"],
};
const selection = (names: string[], more: Record<string, string[]> = {}): SchemaSelection => ({
  tables: names.map((name) => ({ name, columns: [...(TABLES[name] ?? []), ...(more[name] ?? [])] })),
});
const CORE = ["orders", "order_items", "products", "categories"];
const WIDE = { orders: ["cust_id", "chan_cd"], products: ["prod_nm", "attrs"], order_items: ["line_no"] };

const ROUNDS: [LinkingPass, number, SchemaSelection, string[], number][] = [
  [
    "coarseTables",
    1,
    selection([...CORE, "stores", "customers", "returns", "inventory"], {
      ...WIDE,
      customers: ["cust_id", "full_nm", "ctry", "signup_dt", "prefs"],
      returns: ["order_id", "reason"],
      inventory: ["prod_id", "on_hand"],
      stores: ["store_nm"],
    }),
    ["staff", "targets_2023", "targets_2024", "targets_2025", "suppliers", "promo", "tmp_import_old"],
    1940,
  ],
  [
    "coarseTables",
    2,
    selection([...CORE, "customers"], { ...WIDE, customers: ["cust_id", "full_nm", "ctry", "signup_dt", "prefs"] }),
    ["returns", "inventory", "stores"],
    1420,
  ],
  [
    "coarseColumns",
    1,
    selection([...CORE, "customers"], { customers: ["cust_id", "ctry"] }),
    ["orders.chan_cd", "products.attrs", "products.prod_nm", "order_items.line_no", "customers.prefs"],
    980,
  ],
  ["fineTables", 1, selection(CORE), ["customers"], 760],
  ["fineColumns", 1, selection(CORE), ["orders.store_id"], 720],
  ["broughtBack", 1, selection([...CORE, "stores"]), ["stores", "stores.region", "orders.store_id"], 870],
];

const REVENUE = `SELECT c.cat_nm AS category, s.region, year(o.order_dt) AS year,
  SUM(i.qty * i.unit_price) AS revenue, SUM(i.qty) AS quantity
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
JOIN products AS p ON p.prod_id = i.prod_id
JOIN categories AS c ON c.cat_id = p.cat_id
JOIN stores AS s ON s.store_id = o.store_id
WHERE o.status = 'paid' AND year(o.order_dt) IN (2024, 2025)
GROUP BY ALL`;
const STORES = `SELECT region, COUNT(*) AS stores
FROM stores
GROUP BY region`;

export const QUERIES = `-- category_revenue\n${REVENUE};\n\n-- region_stores\n${STORES}`;
export const VIEWS: SavedView[] = [
  { name: "category_revenue", sql: REVENUE },
  { name: "region_stores", sql: STORES },
];

export const CODE = `years = category_revenue.pivot_table(
    index=["category", "region"], columns="year", values=["revenue", "quantity"], aggfunc="sum"
)
lost = years[years["revenue"][2025] < years["revenue"][2024]]
price = lost["revenue"] / lost["quantity"]
print(len(years), "pairs of category and region,", len(lost), "lost revenue")
fell = lost["quantity"][2025] < lost["quantity"][2024]
result = lost["revenue"].assign(cause=fell.map({True: "quantity", False: "price"})).reset_index()`;

export const LOST = page(
  [
    ["category", "text"],
    ["region", "text"],
    ["revenue_2024", "decimal"],
    ["revenue_2025", "decimal"],
    ["cause", "text"],
  ],
  [
    ["Lighting", "North", "184230.40", "151094.80", "quantity"],
    ["Lighting", "Wales", "97310.55", "88120.00", "quantity"],
    ["Storage", "South West", "148820.00", "141005.10", "price"],
  ],
);

function fetched(w: Writer) {
  const node = "fetch";
  const view = (name: string, rationale: string, attempt: number) => ({
    type: "viewFetched" as const,
    node,
    name,
    rationale,
    spec: null,
    attempt,
  });
  const why = "Revenue and quantity of each category in each region, by year";
  w.put({ type: "stageStarted", node, kind: "fetch", title: "Fetch views", inputs: ["linking"] });
  w.call(node, "view-generator", "You describe views.", QUESTION, ['{"views": []}'], [1300, 870], 3100);
  w.put({
    ...view("category_revenue", why, 0),
    spec: {
      name: "category_revenue",
      source: ["orders", "order_items", "products", "categories"].map((table) => ({ table })),
      dimensions: [],
      metrics: [],
    },
    sql: "",
    columns: [],
    error:
      "region is not a column of orders, order_items, products or categories: add the table that has it to source",
    page: null,
    bytes: null,
  });
  w.call(node, "view-generator", "You describe views.", QUESTION, ['{"views": []}'], [1700, 1300], 3400);
  w.query(node, "view-generator", REVENUE, 41, 1196);
  w.put({
    ...view("category_revenue", why, 1),
    sql: REVENUE,
    columns: [
      "category: categories.cat_nm",
      "region: stores.region",
      "year: the year of orders.order_dt",
      "revenue: the sum of order_items.qty * order_items.unit_price",
      "quantity: the sum of order_items.qty",
    ],
    error: null,
    page: page(
      [
        ["category", "text"],
        ["region", "text"],
        ["year", "integer"],
        ["revenue", "decimal"],
        ["quantity", "integer"],
      ],
      [
        ["Lighting", "North", "2024", "184230.40", "5120"],
        ["Lighting", "North", "2025", "151094.80", "4203"],
        ["Storage", "South West", "2024", "148820.00", "3977"],
      ],
      1196,
    ),
    bytes: 18_400,
  });
  w.query(node, "view-generator", STORES, 6, 8);
  w.put({
    ...view("region_stores", "How many stores each region has", 1),
    sql: STORES,
    columns: ["region: stores.region", "stores: the number of rows"],
    error: null,
    page: page(
      [
        ["region", "text"],
        ["stores", "integer"],
      ],
      [
        ["North", "31"],
        ["Wales", "12"],
      ],
      8,
    ),
    bytes: 1_100,
  });
  w.put({ type: "stageFinished", node, summary: "2 views, 1204 rows" });
}

function analysed(w: Writer) {
  const node = "analysis";
  const call = (ms: number) => w.call(node, "analyst", "You analyse views.", QUESTION, [CODE], [900, 400], ms);
  w.put({ type: "stageStarted", node, kind: "analysis", title: "Analyse in Python", inputs: ["fetch"] });
  call(2900);
  w.put({
    type: "analysed",
    node,
    execution: 1,
    code: CODE.replaceAll('"category"', '"cat_nm"'),
    printed: "",
    error: "KeyError: 'cat_nm' (line 1)",
    page: null,
  });
  call(2600);
  w.put({
    type: "analysed",
    node,
    execution: 2,
    code: CODE,
    printed: "152 pairs of category and region, 3 lost revenue\n",
    error: null,
    page: LOST,
  });
  w.put({ type: "stageFinished", node, summary: "3 rows" });
}

export function prospyLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const w = new Writer(runId);
  w.put(
    begin("prospy", QUESTION, warehouse, startedAt, {
      linker: MODEL,
      "view-generator": MODEL,
      analyst: MODEL,
    }),
  );
  schemaRead(w);
  w.put({
    type: "stageStarted",
    node: "linking",
    kind: "linking",
    title: "Select tables and columns",
    inputs: ["schema"],
  });
  for (const [pass, round, kept, changed, tokens] of ROUNDS) {
    if (pass !== "broughtBack") {
      w.call(
        "linking",
        "linker",
        "You leave out what is not needed.",
        QUESTION,
        ['{"out": []}'],
        [tokens + 400, 0],
        900,
      );
    }
    w.put({ type: "schemaLinked", node: "linking", pass, round, kept, changed, tokens });
  }
  w.put({ type: "stageFinished", node: "linking", summary: "5 tables, 15 columns" });

  fetched(w);
  analysed(w);
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Answer", inputs: ["analysis"] });
  w.put({
    type: "resultReady",
    node: "result",
    sql: QUERIES,
    code: CODE,
    page: LOST,
  });
  w.put({ type: "stageFinished", node: "result", summary: "3 rows" });
  w.finish();
  return w.events;
}
