// A made-up run of ProSPy: a schema that gets smaller round by round, views that are fetched, and their analysis.

import type { LinkingPass, RunEvent, SchemaSelection } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

const QUESTION =
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

  w.put({ type: "stageStarted", node: "fetch", kind: "fetch", title: "Fetch the views", inputs: ["linking"] });
  w.call("fetch", "view-generator", "You describe views.", QUESTION, ['{"views": []}'], [1300, 870], 3100);
  w.put({ type: "stageFinished", node: "fetch", summary: "2 views, 1,204 rows" });
  w.put({ type: "stageStarted", node: "analysis", kind: "analysis", title: "Analyse the views", inputs: ["fetch"] });
  w.call("analysis", "analyst", "You analyse views.", QUESTION, ["import polars as pl"], [900, 400], 2900);
  w.put({ type: "stageFinished", node: "analysis", summary: "Ran at the first try" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Answer", inputs: ["analysis"] });
  const sql = "SELECT cat_nm, region, revenue_2024, revenue_2025, cause\nFROM analysis";
  w.put({
    type: "resultReady",
    node: "result",
    sql,
    page: page(
      [
        ["cat_nm", "text"],
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
    ),
  });
  w.put({ type: "stageFinished", node: "result", summary: "3 rows" });
  w.finish();
  return w.events;
}
