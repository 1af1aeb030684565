// A made-up run of CHASE-SQL: three ways of writing, a fixer, examples, and six results compared in pairs.

import type { RunEvent } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

const QUESTION = "How has the share of orders on the web changed from month to month?";

const month = "strftime(strptime(order_dt, '%d/%m/%Y'), '%Y-%m')";
const share = (what: string, extra = "") =>
  `SELECT ${month} AS month, ${what} AS web_share\nFROM orders${extra}\nGROUP BY month\nORDER BY month`;

/** Queries by their result; the first is what was meant. */
const RESULTS: { sql: string; digest: string; rows: number }[] = [
  { sql: share("AVG(CASE WHEN chan_cd = 'WEB' THEN 1.0 ELSE 0 END)"), digest: "a1", rows: 36 },
  { sql: share("ROUND(100.0 * COUNT(*) FILTER (chan_cd = 'WEB') / COUNT(*), 1)"), digest: "b2", rows: 36 },
  { sql: share("COUNT(*) FILTER (chan_cd = 'WEB')"), digest: "c3", rows: 36 },
  { sql: share("AVG(chan_cd = 'WEB')", "\nWHERE status IS NOT NULL"), digest: "d4", rows: 36 },
  {
    sql: "SELECT AVG(CASE WHEN chan_cd = 'WEB' THEN 1.0 ELSE 0 END) AS web_share\nFROM orders",
    digest: "e5",
    rows: 1,
  },
  {
    sql: share("COUNT(*) FILTER (chan_cd = 'WEB') / SUM(COUNT(*)) OVER ()").replace("AS month", "AS m"),
    digest: "f6",
    rows: 36,
  },
];

/** Which result each candidate of a generator came to; -1 never ran. A negative part means that it was put right. */
const WAYS: { node: string; title: string; results: number[]; fixed: number[] }[] = [
  { node: "divide-and-conquer", title: "Divide and conquer", results: [0, 0, 2, 0, 1, 0, -1], fixed: [2, 7] },
  { node: "query-plan", title: "Plan like a query optimizer", results: [0, 1, 0, 3, 0, 2, 4], fixed: [9] },
  { node: "synthetic", title: "Follow examples", results: [0, 1, 0, 0, 5, 1, 0], fixed: [] },
];

const WINS = [
  [0, 1, 2, 2, 2, 2],
  [1, 0, 2, 1, 2, 2],
  [0, 0, 0, 1, 2, 1],
  [0, 1, 1, 0, 2, 2],
  [0, 0, 0, 0, 0, 1],
  [0, 0, 1, 0, 1, 0],
];

export function chaseLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const w = new Writer(runId);
  w.put(begin("chase-sql", QUESTION, warehouse, startedAt, { exemplar: MODEL, generator: MODEL, judge: MODEL }));
  schemaRead(w);
  w.put({
    type: "stageStarted",
    node: "grounding",
    kind: "grounding",
    title: "Look up names and values",
    inputs: ["schema"],
  });
  w.wait(120).put({
    type: "valuesRetrieved",
    node: "grounding",
    literals: ["web"],
    matches: [{ literal: "web", table: "orders", column: "chan_cd", value: "WEB", edit: 0.98, semantic: 0.91 }],
  });
  w.put({ type: "stageFinished", node: "grounding", summary: "1 value" });

  let first = 1;
  const clusters: number[][] = RESULTS.map(() => []);
  for (const [index, way] of WAYS.entries()) {
    if (way.node === "synthetic") examplesLog(w);
    const inputs = [way.node === "synthetic" ? "examples" : "grounding"];
    w.put({ type: "stageStarted", node: way.node, kind: "generator", title: way.title, inputs });
    if (index > 0) {
      w.put({
        type: "schemaShuffled",
        node: way.node,
        seed: 42 + index,
        tables: ["stores", "orders", "products", "returns", "customers", "order_items", "categories", "promo"],
      });
    }
    const sqlOf = (result: number) => RESULTS[result]?.sql ?? "SELECT month, share FROM web_orders";
    w.call(way.node, "generator", "You write SQL.", QUESTION, way.results.map(sqlOf), [3020, 2860], 5200);
    way.results.forEach((result, i) => {
      const candidate = first + i;
      const found = RESULTS[result];
      const rounds = found ? (way.fixed.includes(candidate) ? 2 : 1) : 4;
      for (let attempt = 0; attempt < rounds; attempt++) {
        const last = attempt === rounds - 1 && found !== undefined;
        const sql = last ? found.sql : sqlOf(result).replace("chan_cd", "channel");
        const error = last ? null : 'Binder Error: Referenced column "channel" not found in FROM clause!';
        w.query(way.node, "generator", sql, 18, last ? found.rows : null, error);
        w.put({
          type: "sqlAttempted",
          node: way.node,
          candidate,
          attempt,
          sql,
          repairs: [],
          error,
          rowCount: last ? found.rows : null,
          digest: last ? found.digest : null,
        });
      }
      if (found) clusters[result]!.push(candidate);
    });
    const ran = way.results.filter((r) => r >= 0).length;
    w.put({ type: "stageFinished", node: way.node, summary: `${ran} of ${way.results.length} queries ran` });
    first += way.results.length;
  }

  w.put({
    type: "stageStarted",
    node: "choice",
    kind: "choice",
    title: "Choose between the results",
    inputs: WAYS.map((way) => way.node),
  });
  for (let i = 0; i < 4; i++)
    w.call("choice", "judge", "You compare two results.", QUESTION, ["A"], [1400, 1200], 700);
  const named = clusters.map((candidates) => ({ candidates, suspicious: null }));
  w.put({
    type: "compared",
    node: "choice",
    clusters: named,
    wins: WINS,
    scores: named.map(
      (c, row) =>
        c.candidates.length - 1 + WINS[row]!.reduce((sum, wins, i) => sum + wins * named[i]!.candidates.length, 0),
    ),
  });
  const sql = RESULTS[0]!.sql;
  w.put({
    type: "candidateChosen",
    node: "choice",
    candidate: clusters[0]![0]!,
    votes: clusters[0]!.length,
    of: 20,
    sql,
    reason: `Most points in comparison, ${clusters[0]!.length} of 20 queries`,
    others: [],
  });
  w.put({ type: "stageFinished", node: "choice", summary: "Result A of 6" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Answer", inputs: ["choice"] });
  const rows = Array.from({ length: 12 }, (_, i) => [
    `2024-${String(i + 1).padStart(2, "0")}`,
    (0.41 + i * 0.013).toFixed(4),
  ]);
  w.put({
    type: "resultReady",
    node: "result",
    sql,
    page: page(
      [
        ["month", "text"],
        ["web_share", "decimal"],
      ],
      rows,
      36,
    ),
  });
  w.put({ type: "stageFinished", node: "result", summary: "36 rows" });
  w.finish();
  return w.events;
}

function examplesLog(w: Writer) {
  w.put({
    type: "stageStarted",
    node: "examples",
    kind: "examples",
    title: "Write examples",
    inputs: ["grounding"],
  });
  w.call("examples", "exemplar", "You write examples.", "6 examples", ['{"examples": []}'], [2900, 2860], 6100);
  w.put({
    type: "examplesWritten",
    node: "examples",
    examples: [
      {
        question: "How many orders came through each channel in 2025?",
        sql: "SELECT chan_cd, COUNT(*) AS orders\nFROM orders\nWHERE order_dt LIKE '%/2025'\nGROUP BY chan_cd",
      },
      {
        question: "Which five products were returned most often, and in which category are they?",
        sql: "SELECT p.prod_nm, c.cat_nm, COUNT(*) AS returns\nFROM returns AS r\nJOIN order_items AS i ON i.order_id = r.order_id\nJOIN products AS p ON p.prod_id = i.prod_id\nJOIN categories AS c ON c.cat_id = p.cat_id\nGROUP BY ALL\nORDER BY returns DESC\nLIMIT 5",
      },
      {
        question: "What is the average discount of orders on the web?",
        sql: "SELECT AVG(i.disc_pct) FROM order_items AS i JOIN orders AS o USING (order_id) WHERE o.chan_cd = 'WEB'",
      },
      {
        question: "How many stores are there per region?",
        sql: "SELECT region, COUNT(*) FROM stores GROUP BY region",
      },
    ],
    dropped: 2,
  });
  w.put({ type: "stageFinished", node: "examples", summary: "4 examples" });
}
