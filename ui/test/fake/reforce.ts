// A made-up run of ReFoRCE: a tie, a look at the columns, and a second vote that is clear.

import type { RunEvent } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

const QUESTION = "For each country, what part of revenue comes from customers in their first year?";

const query = (country: string, firstYear: string) => `SELECT
  ${country} AS country,
  SUM(CASE WHEN ${firstYear} THEN i.qty * i.unit_price ELSE 0 END) / SUM(i.qty * i.unit_price) AS first_year_part
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
JOIN customers AS c ON c.cust_id = o.cust_id
GROUP BY country
ORDER BY country`;

const DATE = "strptime(o.order_dt, '%d/%m/%Y')";
const RESULTS = [
  { sql: query("c.ctry", `${DATE} < c.signup_dt + INTERVAL 1 YEAR`), rows: 9, suspicious: null },
  { sql: query("c.ctry", `year(${DATE}) = year(c.signup_dt)`), rows: 9, suspicious: null },
  { sql: query("c.ctry", "o.order_dt < c.signup_dt"), rows: 9, suspicious: "first_year_part is 0 in every row" },
  { sql: query("c.country", `${DATE} < c.signup_dt + 365`), rows: 0, suspicious: "it has no rows" },
];
const CLEAN = {
  sql: query(
    "CASE WHEN c.ctry IN ('UK', 'United Kingdom') THEN 'UK' ELSE c.ctry END",
    `${DATE} < c.signup_dt + INTERVAL 1 YEAR`,
  ),
  rows: 7,
  suspicious: null,
};

/** `votes` candidates a round; with more than eight the rest of the first round gives results of their own. */
export function reforceLog(runId: string, warehouse: string, startedAt: string, votes = 8): RunEvent[] {
  const w = new Writer(runId);
  w.put(begin("reforce", QUESTION, warehouse, startedAt, { explorer: MODEL, generator: MODEL }));
  schemaRead(w);
  const spread = [0, 1, 0, 2, 1, -1, 0, 1];
  const first = Array.from({ length: votes }, (_, i) => spread[i] ?? (i % 5 === 0 ? -1 : i % 2));
  round(w, { node: "generator", vote: "vote-1", number: 1, from: "schema", first: 1, results: first });

  w.put({
    type: "stageStarted",
    node: "exploration",
    kind: "exploration",
    title: "Look at the data",
    inputs: ["vote-1"],
  });
  w.call("exploration", "explorer", "You write probing queries.", QUESTION, ['{"probes": []}'], [3100, 2860], 4100);
  probes(w);
  w.put({ type: "stageFinished", node: "exploration", summary: "5 of 6 queries ran" });

  const second = Array.from({ length: votes }, (_, i) => (i % 7 === 3 ? 0 : i % 8 === 5 ? 3 : 4));
  const chosen = round(w, {
    node: "generator-2",
    vote: "vote-2",
    number: 2,
    from: "exploration",
    first: votes + 1,
    results: second,
  });
  const agree = second.filter((r) => r === 4).length;
  w.put({
    type: "candidateChosen",
    node: "vote-2",
    candidate: chosen,
    votes: agree,
    of: votes,
    sql: CLEAN.sql,
    reason: `${agree} of ${votes} queries agree`,
    others: [],
  });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Answer", inputs: ["vote-2"] });
  w.put({
    type: "resultReady",
    node: "result",
    sql: CLEAN.sql,
    page: page(
      [
        ["country", "text"],
        ["first_year_part", "decimal"],
      ],
      [
        ["DE", "0.3812"],
        ["FR", "0.3540"],
        ["NL", "0.4107"],
        ["NO", "0.2985"],
        ["SE", "0.3321"],
        ["UK", "0.2874"],
        ["US", "0.4419"],
      ],
    ),
  });
  w.put({ type: "stageFinished", node: "result", summary: "7 rows" });
  w.finish();
  return w.events;
}

interface Round {
  node: string;
  vote: string;
  number: number;
  from: string;
  first: number;
  /** Which result each candidate came to; -1 never ran. */
  results: number[];
}

/** Candidates and their vote; the first candidate of the leading result. */
function round(w: Writer, { node, vote, number, from, first, results }: Round): number {
  const all = [...RESULTS, CLEAN];
  w.put({ type: "stageStarted", node, kind: "generator", title: "Write the SQL", inputs: [from] });
  w.call(
    node,
    "generator",
    "You write SQL.",
    QUESTION,
    results.map((r) => all[r]?.sql ?? "SELECT ctry FROM customer"),
    [3050, 2860],
    7400,
  );
  const clusters = new Map<number, number[]>();
  results.forEach((result, i) => {
    const candidate = first + i;
    const found = all[result];
    const rounds = found ? (i === 4 ? 3 : 1) : 2;
    for (let attempt = 0; attempt < rounds; attempt++) {
      const ran = attempt === rounds - 1 ? found : undefined;
      const error = ran ? null : "Catalog Error: Table with name customer does not exist! Did you mean customers?";
      const sql = ran?.sql ?? all[Math.max(0, result)]!.sql.replace("customers AS c", "customer AS c");
      w.query(node, "generator", sql, 22, ran?.rows ?? null, error);
      w.put({
        type: "sqlAttempted",
        node,
        candidate,
        attempt,
        sql,
        repairs: ran && i === 1 ? ["o.orderdt was read as o.order_dt, the only column like it."] : [],
        error,
        rowCount: ran?.rows ?? null,
        digest: ran ? `digest-${result}` : null,
      });
    }
    if (found) clusters.set(result, [...(clusters.get(result) ?? []), candidate]);
  });
  const ran = results.filter((r) => r >= 0).length;
  w.put({ type: "stageFinished", node, summary: `${ran} of ${results.length} queries ran` });

  const counted = [...clusters.entries()]
    .map(([result, candidates]) => ({ candidates, suspicious: all[result]!.suspicious }))
    .sort(
      (a, b) =>
        Number(a.suspicious !== null) - Number(b.suspicious !== null) || b.candidates.length - a.candidates.length,
    );
  const low = counted[0]!.candidates.length === counted[1]?.candidates.length;
  w.put({ type: "stageStarted", node: vote, kind: "choice", title: "Vote by result", inputs: [node] });
  w.put({ type: "voted", node: vote, round: number, clusters: counted, confidence: low ? "low" : "high" });
  const most = counted[0]!.candidates.length;
  w.put({
    type: "stageFinished",
    node: vote,
    summary: low ? `No clear winner among ${counted.length} results` : `${most} of ${ran} queries agree`,
  });
  return counted[0]!.candidates[0]!;
}

function probes(w: Writer) {
  const put = (
    number: number,
    purpose: string,
    sql: string,
    result: ReturnType<typeof page> | string,
    fixes = 0,
    carriedFrom: number | null = null,
  ) => {
    const error = typeof result === "string" ? result : null;
    const rows = typeof result === "string" ? null : result;
    w.query("exploration", "explorer", sql, 14, rows?.rowCount ?? null, error);
    w.put({
      type: "probed",
      node: "exploration",
      probe: { number, purpose, sql, carriedFrom, fixes, error, page: rows },
    });
  };
  put(
    1,
    "In which writings countries occur",
    "SELECT ctry, COUNT(*) AS customers\nFROM customers\nGROUP BY ctry\nORDER BY 2 DESC\nLIMIT 20",
    page(
      [
        ["ctry", "text"],
        ["customers", "integer"],
      ],
      [
        ["US", "8204"],
        ["UK", "3120"],
        ["United Kingdom", "2988"],
        ["DE", "2750"],
        ["SE", "1904"],
      ],
      9,
    ),
  );
  put(
    2,
    "The first and the last day on which a customer signed up",
    "SELECT MIN(signup_dt), MAX(signup_dt) FROM customers",
    page(
      [
        ["min(signup_dt)", "date"],
        ["max(signup_dt)", "date"],
      ],
      [["2019-02-11", "2025-12-30"]],
    ),
  );
  put(
    3,
    "Whether anybody ordered before signing up",
    "SELECT COUNT(*)\nFROM orders AS o\nJOIN customers AS c ON c.cust_id = o.cust_id\nWHERE strptime(o.order_dt, '%d/%m/%Y') < c.signup_dt",
    page([["count_star()", "integer"]], [["0"]]),
    1,
  );
  put(
    4,
    "Orders within a year of signing up, by calendar year",
    "SELECT year(strptime(o.order_dt, '%d/%m/%Y')) AS y, COUNT(*)\nFROM orders AS o\nJOIN customers AS c ON c.cust_id = o.cust_id\nWHERE strptime(o.order_dt, '%d/%m/%Y') < c.signup_dt + INTERVAL 1 YEAR\nGROUP BY y",
    page(
      [
        ["y", "integer"],
        ["count_star()", "integer"],
      ],
      [
        ["2023", "6120"],
        ["2024", "7904"],
        ["2025", "8011"],
      ],
    ),
    0,
    3,
  );
  put(
    5,
    "Revenue of returned orders",
    "SELECT SUM(amount) FROM returns",
    'Binder Error: Referenced column "amount" not found in FROM clause!',
    2,
  );
  put(
    6,
    "Customers without a country",
    "SELECT cust_id FROM customers WHERE ctry IS NULL LIMIT 20",
    page([["cust_id", "integer"]], []),
  );
}
