// Rules, and a run in which they changed the query, tried others beside it, and found something.

import type { Definition, RuleInfo, RunEvent } from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

export const RULES: RuleInfo[] = [
  {
    code: "N104",
    name: "join-path",
    summary: "Joins a table that is missing along its foreign key, where that cannot repeat rows.",
    before: "SELECT s.store_nm FROM orders AS o",
    after: "SELECT s.store_nm FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id",
    evidence: ["catalog"],
    applicability: "safe",
  },
  {
    code: "D001",
    name: "standing-condition",
    summary:
      "Adds the condition on a table that is defined for every answer, unless the question or the query asks for the other rows.",
    before: "SELECT SUM(total) FROM orders  -- defined for every answer: status <> 'cancelled'",
    after: "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'",
    evidence: ["definition"],
    applicability: "defined",
  },
  {
    code: "V203",
    name: "count-entities",
    summary: "Counts the things that were asked for, not the rows that a join makes of them.",
    before: "SELECT COUNT(*) FROM orders JOIN order_items USING (order_id)",
    after: "SELECT COUNT(DISTINCT orders.order_id) FROM orders JOIN order_items USING (order_id)",
    evidence: ["catalog", "question"],
    applicability: "variant",
  },
  {
    code: "A002",
    name: "each",
    summary: "Asks whether what each one has is meant, or only what all of them have.",
    before: 'SELECT s.name, p.name FROM stores s JOIN ...  -- "the products that each store sells"',
    after: "SELECT p.name FROM products p WHERE p.product_id IN (...)",
    evidence: ["catalog", "question"],
    applicability: "reading",
  },
  {
    code: "A003",
    name: "vague-word",
    summary: "Asks which of two meanings a word has, if a large model reports that the tables support both.",
    before: 'SELECT name FROM customer ... ORDER BY SUM(amount) DESC LIMIT 1  -- "our best customer"',
    after: "SELECT name FROM customer ... ORDER BY COUNT(*) DESC LIMIT 1",
    evidence: ["question"],
    applicability: "reading",
  },
  {
    code: "H301",
    name: "unmentioned-literal",
    summary: "Finds a value in a condition that the question does not name.",
    before: "WHERE status = 'shipped'",
    after: "The question does not say 'shipped'.",
    evidence: ["question", "storedValues"],
    applicability: "hint",
  },
];

const RULES_QUESTION = "What was the revenue by store in 2024?";

/** As the model wrote it: without the join, and with a status that nobody asked for. */
export const WRITTEN = `SELECT
  s.store_name,
  SUM(i.qty * i.unit_price) AS revenue
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
WHERE year(strptime(o.order_dt, '%d/%m/%Y')) = 2024
  AND o.status = 'shipped'
GROUP BY s.store_name
ORDER BY revenue DESC`;

export const RAN = `SELECT
  s.store_nm,
  SUM(i.qty * i.unit_price) AS revenue
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
JOIN stores AS s ON s.store_id = o.store_id
WHERE year(strptime(o.order_dt, '%d/%m/%Y')) = 2024
  AND o.status = 'shipped'
GROUP BY s.store_nm
ORDER BY revenue DESC`;

const DISCOUNTED = RAN.replace("i.qty * i.unit_price", "i.qty * i.unit_price * (1 - i.disc_pct / 100)");
export const BOTH_SPELLINGS = RAN.replace("o.status = 'shipped'", "o.status IN ('shipped', 'Shipped')");

const WITHOUT_CANCELLED = RAN.replace("o.status = 'shipped'", "o.status = 'shipped' AND o.status <> 'cancelled'");

/** What the last variant offers to keep to. */
export const NOT_CANCELLED: Definition = {
  term: "orders",
  synonyms: [],
  meaning: "cancelled orders do not count",
  condition: "status <> 'cancelled'",
  always: true,
  subject: "orders",
  source: "user",
};

export const BY_STORE = page(
  [
    ["store_nm", "text"],
    ["revenue", "decimal"],
  ],
  [
    ["Leeds Trinity", "412880.40"],
    ["Bristol Cabot", "398112.00"],
    ["York Coppergate", "371094.80"],
    ["Cardiff St David's", "342760.15"],
    ["Exeter Princesshay", "318245.90"],
    ["Hull Prospect", "299871.00"],
    ["Durham Prince Bishops", "271306.35"],
  ],
);

const CHANGES = [
  { rule: "N104", note: "s was not joined; stores was joined along orders.store_id." },
  { rule: "N101", note: "s.store_name was read as s.store_nm, the only column like it." },
];

export function rulesLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const w = new Writer(runId);
  w.put(begin("auto", RULES_QUESTION, warehouse, startedAt, { generator: MODEL }));
  schemaRead(w);
  w.put({ type: "stageStarted", node: "generator", kind: "generator", title: "Write the SQL", inputs: ["schema"] });
  w.call("generator", "generator", "You write one query.", RULES_QUESTION, [WRITTEN], [3010, 2860], 2400);
  w.put({ type: "queryChanged", node: "generator", before: WRITTEN, after: RAN, changes: CHANGES });
  w.query("generator", "generator", RAN, 31, 7);
  w.put({
    type: "sqlAttempted",
    node: "generator",
    candidate: 1,
    attempt: 0,
    sql: RAN,
    repairs: CHANGES.map((c) => c.note),
    error: null,
    rowCount: 7,
    digest: "a1",
  });
  w.query("generator", "generator", BOTH_SPELLINGS, 33, 7);
  const spellings = { rule: "V207", note: "status is also written as 'Shipped'; both count." };
  const described = {
    rule: "V004",
    note: "Excluded rows of orders whose status is 'cancelled': its description states “cancelled orders do not count”",
  };
  const discount = { rule: "V203", note: "Revenue after discount: disc_pct is taken off." };
  w.put({
    type: "variantTried",
    node: "generator",
    candidate: 1,
    ...spellings,
    sql: BOTH_SPELLINGS,
    error: null,
    rowCount: 7,
    sameResult: false,
  });
  w.query("generator", "generator", DISCOUNTED, 29, 7);
  w.put({
    type: "variantTried",
    node: "generator",
    candidate: 1,
    ...discount,
    sql: DISCOUNTED,
    error: null,
    rowCount: 7,
    sameResult: false,
  });
  w.put({
    type: "candidateChosen",
    node: "generator",
    candidate: 1,
    votes: 1,
    of: 1,
    sql: RAN,
    reason: "",
    others: [],
  });
  w.put({ type: "stageFinished", node: "generator", summary: "Ran at the first try" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Result", inputs: ["generator"] });
  w.query("result", "generator", RAN, 28, 7);
  w.put({
    type: "resultReady",
    node: "result",
    sql: RAN,
    page: BY_STORE,
    written: WRITTEN,
    changes: CHANGES,
    variants: [
      { ...spellings, sql: BOTH_SPELLINGS, rowCount: 7, firstRow: ["Leeds Trinity", "455120.90"], always: [] },
      { ...discount, sql: DISCOUNTED, rowCount: 7, firstRow: ["Leeds Trinity", "401223.18"], always: [] },
      {
        ...described,
        sql: WITHOUT_CANCELLED,
        rowCount: 7,
        firstRow: ["Leeds Trinity", "448020.10"],
        always: [NOT_CANCELLED],
      },
    ],
    findings: [{ rule: "H301", note: "The question does not say 'shipped', and the query keeps only such orders." }],
  });
  w.put({ type: "stageFinished", node: "result", summary: "7 rows" });
  w.finish();
  return w.events;
}
