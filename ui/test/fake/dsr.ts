// A made-up run of DSR-SQL: the data is looked at, then the query grows, once looking aside and once put right.

import type { EventBody, Page, RunEvent } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

const QUESTION = "Which stores missed their target in 2024, and by how much?";

interface Step extends Pick<Extract<EventBody, { type: "stateReached" }>, "action" | "aim" | "sql"> {
  fixes?: number;
  result: Page | string;
}

const SOLD = `SELECT
  o.store_id,
  SUM(i.qty * i.unit_price * (1 - COALESCE(i.disc_pct, 0) / 100)) AS revenue
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
WHERE year(strptime(o.order_dt, '%d/%m/%Y')) = 2024
  AND o.store_id IS NOT NULL
GROUP BY o.store_id`;

const TARGETS = `SELECT store_id, m01 + m02 + m03 + m04 + m05 + m06 + m07 + m08 + m09 + m10 + m11 + m12 AS target
FROM targets_2024`;

const FINAL = `WITH sold AS (
${SOLD.replace(/^/gm, "  ").replace("\n  GROUP BY", "\n    AND lower(o.status) <> 'returned'\n  GROUP BY")}
),
targets AS (
  SELECT store_id, m01 + m02 + m03 + m04 + m05 + m06 + m07 + m08 + m09 + m10 + m11 + m12 AS target
  FROM targets_2024
)
SELECT s.store_nm AS store, t.target, sold.revenue, t.target - sold.revenue AS missing
FROM targets AS t
JOIN stores AS s ON s.store_id = t.store_id
JOIN sold ON sold.store_id = t.store_id
WHERE sold.revenue < t.target
ORDER BY missing DESC`;

const REVENUE = page(
  [
    ["store_id", "integer"],
    ["revenue", "decimal"],
  ],
  [
    ["1", "412840.10"],
    ["2", "388117.75"],
    ["3", "291004.00"],
  ],
  48,
);

const MISSED = page(
  [
    ["store", "text"],
    ["target", "decimal"],
    ["revenue", "decimal"],
    ["missing", "decimal"],
  ],
  [
    ["York Coppergate", "402000.00", "291004.00", "110996.00"],
    ["Cardiff Queens", "366500.00", "301772.40", "64727.60"],
    ["Bath Southgate", "318000.00", "287350.25", "30649.75"],
    ["Derby Intu", "297000.00", "281904.10", "15095.90"],
  ],
  11,
);

const STEPS: Step[] = [
  { action: "extend", aim: "Revenue of each store in 2024", sql: SOLD, fixes: 1, result: REVENUE },
  {
    action: "explore",
    aim: "How targets are kept: a row per store or per month?",
    sql: "SELECT * FROM targets_2024 LIMIT 20",
    result: page(
      [
        ["store_id", "integer"],
        ["m01", "decimal"],
        ["m02", "decimal"],
        ["m03", "decimal"],
      ],
      [
        ["1", "31000.00", "29500.00", "33800.00"],
        ["2", "28400.00", "27000.00", "30100.00"],
      ],
      20,
    ),
  },
  {
    action: "explore",
    aim: "Whether returned orders are written in one way",
    sql: "SELECT status, COUNT(*) FROM orders GROUP BY ALL ORDER BY 2 DESC",
    result: page(
      [
        ["status", "text"],
        ["count", "integer"],
      ],
      [
        ["shipped", "39120"],
        ["Shipped", "11884"],
        ["returned", "2210"],
        ["Returned", "910"],
      ],
      5,
    ),
  },
  {
    action: "extend",
    aim: "Join the targets, twelve months added up",
    sql: `WITH sold AS (\n${SOLD}\n)\nSELECT t.store_id, t.target, sold.revenue\nFROM (${TARGETS}) AS t\nJOIN sold ON sold.id = t.store_id`,
    fixes: 5,
    result: 'Binder Error: Table "sold" does not have a column named "id". Candidates: "store_id", "revenue"',
  },
  {
    action: "revise",
    aim: "Join on store_id and leave returned orders out",
    sql: FINAL.replace("ORDER BY missing DESC", "").trim(),
    result: MISSED,
  },
  { action: "finalize", aim: "Stores below their target, the largest gap first", sql: FINAL, result: MISSED },
];

/** `more` puts further steps before the last, to see a long path. */
export function dsrLog(runId: string, warehouse: string, startedAt: string, more = 0): RunEvent[] {
  const w = new Writer(runId);
  w.put(begin("dsr-sql", QUESTION, warehouse, startedAt, { linker: MODEL, explorer: MODEL, generator: MODEL }));
  schemaRead(w);

  w.put({
    type: "stageStarted",
    node: "linking",
    kind: "linking",
    title: "Select tables and columns",
    inputs: ["schema"],
  });
  w.call("linking", "linker", "You draft queries.", QUESTION, [SOLD, FINAL, SOLD], [2980, 2860], 3400);
  w.put({
    type: "schemaLinked",
    node: "linking",
    pass: "drafts",
    round: 1,
    kept: {
      tables: [
        { name: "orders", columns: ["order_id", "store_id", "order_dt", "status"] },
        { name: "order_items", columns: ["order_id", "qty", "unit_price", "disc_pct"] },
        { name: "stores", columns: ["store_id", "store_nm", "region"] },
        { name: "targets_2024", columns: ["store_id", "m01", "m02", "m03", "m04", "m05", "m06"] },
      ],
    },
    changed: [],
    tokens: 860,
  });
  w.put({ type: "stageFinished", node: "linking", summary: "4 tables, 18 columns" });

  w.put({
    type: "stageStarted",
    node: "exploration",
    kind: "exploration",
    title: "Look at the data",
    inputs: ["linking"],
  });
  w.call("exploration", "explorer", "You write probing queries.", QUESTION, ['{"probes": []}'], [1100, 880], 2600);
  const probe = (body: Extract<EventBody, { type: "probed" }>["probe"]) => {
    w.query("exploration", "explorer", body.sql, 12, body.page?.rowCount ?? null, body.error);
    w.put({ type: "probed", node: "exploration", probe: body });
  };
  probe({
    number: 1,
    purpose: "How dates of orders are written",
    sql: "SELECT order_dt FROM orders LIMIT 20",
    carriedFrom: null,
    fixes: 0,
    error: null,
    page: page([["order_dt", "text"]], [["03/01/2023"], ["14/11/2024"], ["27/06/2025"]], 20),
  });
  probe({
    number: 2,
    purpose: "Whether every store has a target for 2024",
    sql: "SELECT COUNT(*) FROM stores WHERE store_id NOT IN (SELECT store_id FROM targets_2024)",
    carriedFrom: null,
    fixes: 0,
    error: null,
    page: page([["count_star()", "integer"]], [["0"]]),
  });
  probe({
    number: 3,
    purpose: "Which regions have stores that opened after the targets were set, so that a gap would say nothing",
    sql: "SELECT region, COUNT(*) FROM stores WHERE opened_dt > '2024-01-01' GROUP BY region",
    carriedFrom: null,
    fixes: 2,
    error: 'Binder Error: Referenced column "opened_dt" not found in FROM clause!',
    page: null,
  });
  probe({
    number: 4,
    purpose: "Orders without a store",
    sql: "SELECT chan_cd, COUNT(*) FROM orders WHERE store_id IS NULL GROUP BY chan_cd",
    carriedFrom: null,
    fixes: 1,
    error: null,
    page: page(
      [
        ["chan_cd", "text"],
        ["count_star()", "integer"],
      ],
      [
        ["WEB", "30108"],
        ["APP", "7226"],
      ],
    ),
  });
  w.call("exploration", "explorer", "You say what the data shows.", QUESTION, ["- dates are text"], [900, 700], 1500);
  w.put({
    type: "summarised",
    node: "exploration",
    facts: [
      "orders.order_dt is text in the form day/month/year.",
      "Orders of the channels WEB and APP have no store and cannot count towards a store's target.",
      "Every store has one row in targets_2024 with a column for each month.",
    ],
  });
  w.put({ type: "stageFinished", node: "exploration", summary: "3 facts" });

  const filler = Array.from({ length: more }, (_, i): Step => {
    const aside = i % 3 === 1;
    return {
      action: aside ? "explore" : "revise",
      aim: aside ? `Look at month ${i + 1} alone` : `Narrow the period, part ${i + 1}`,
      sql: SOLD,
      result: REVENUE,
    };
  });
  let from: string[] = ["exploration"];
  [...STEPS.slice(0, -1), ...filler, STEPS.at(-1)!].forEach((step, i) => {
    from = stepLog(w, i + 1, step, from);
  });
  const last = from[0]!;
  w.put({
    type: "candidateChosen",
    node: last,
    candidate: Number(last.replace("step-", "")),
    votes: 1,
    of: 1,
    sql: FINAL,
    reason: `Final after ${STEPS.length + more} steps`,
    others: [],
  });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Answer", inputs: [last] });
  w.put({ type: "resultReady", node: "result", sql: FINAL, page: MISSED });
  w.put({ type: "stageFinished", node: "result", summary: "11 rows" });
  w.finish();
  return w.events;
}

/** One step; the nodes that the next one goes on from. */
function stepLog(w: Writer, number: number, step: Step, from: string[]): string[] {
  const node = `step-${number}`;
  const error = typeof step.result === "string" ? step.result : null;
  const result = typeof step.result === "string" ? null : step.result;
  w.put({ type: "stageStarted", node, kind: "step", title: `Step ${number}`, inputs: from });
  w.call(
    node,
    "generator",
    "You take the next step.",
    step.aim,
    [`{"action": "${step.action}"}`],
    [1300, 1100],
    2100,
  );
  w.query(node, "generator", step.sql, 31, result?.rowCount ?? null, error);
  w.put({
    type: "stateReached",
    node,
    step: number,
    action: step.action,
    aim: step.aim,
    sql: step.sql,
    fixes: step.fixes ?? 0,
    error,
    page: result,
  });
  w.put({ type: "stageFinished", node, summary: error ? "failed" : `${result?.rowCount} rows` });
  return step.action === "explore" ? [...from, node] : [node];
}
