// What models behind an address may be told of the sample warehouse, and runs that asked one.

import type { Agent, EgressInfo, EgressPolicy, PersonalColumn, RunEvent } from "../../src/host/bindings";
import { AppFailure } from "../../src/host/host";
import { LARGE } from "./costs";
import { CATALOG } from "./data";
import { begin, page, schemaRead, Writer } from "./writer";

const LOOKS: Omit<PersonalColumn, "masked">[] = [
  { table: "customers", column: "full_nm", kind: "personName" },
  { table: "customers", column: "email", kind: "email" },
  { table: "staff", column: "mobile", kind: "phone" },
];

const COLUMNS = CATALOG.tables.flatMap((table) => table.columns.map((c) => `${table.name.name}.${c.name}`));

function told(policy: EgressPolicy): EgressInfo {
  const chosen = policy.masked.filter((name) => !LOOKS.some((c) => `${c.table}.${c.column}` === name));
  const others = chosen.map((name): Omit<PersonalColumn, "masked"> => {
    const [table, column] = name.split(".");
    return { table: table!, column: column!, kind: "chosen" };
  });
  const personal = [...LOOKS, ...others].map((column) => {
    const name = `${column.table}.${column.column}`;
    const masked = policy.masked.includes(name) || (policy.maskPersonal && !policy.allowed.includes(name));
    return { ...column, masked };
  });
  return { policy, personal };
}

/** Knows the columns of the sample, and says no to others as the program does. */
export function fakeEgress() {
  let policy: EgressPolicy = { level: "results", maskPersonal: true, allowed: [], masked: [] };
  return {
    egress: async (_: string) => told(policy),
    setEgress: async (_: string, next: EgressPolicy) => {
      const unknown = [...next.masked, ...next.allowed].find((name) => !COLUMNS.includes(name));
      if (unknown)
        throw new AppFailure({
          code: "notFound",
          message: `Column '${unknown}' not found in retail`,
          hint: "Name it as TABLE.COLUMN",
          detail: null,
        });
      policy = next;
      return told(policy);
    },
  };
}

const TO = "https://api.openai.com";
const QUESTION = "Which countries do our newest customers come from?";
const SQL = "SELECT ctry, count(*) AS customers\nFROM customers\nGROUP BY ctry\nORDER BY customers DESC";

const SCHEMA = `CREATE TABLE customers ( -- 21,870 rows
  cust_id INTEGER PRIMARY KEY,
  full_nm TEXT, -- [masked]
  email TEXT, -- [masked]
  ctry TEXT, -- 'US', 'UK', 'United Kingdom', 'DE', 'SE'
  signup_dt DATE, -- '2019-02-11' to '2025-12-30'
);
CREATE TABLE stores ( -- 48 rows
  store_id INTEGER PRIMARY KEY,
  store_nm TEXT, -- 'Leeds Trinity', '<img src=x onerror=alert(1)>'
);`;

/** Written as the program writes it: no space, a number that a float cannot hold. */
function body(system: string, user: string, samples = 1): string {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: `${SCHEMA}\n\n${user}` },
  ];
  const text = JSON.stringify({ model: "gpt-4.1-mini", messages, n: samples, temperature: 0.8, stop: [] });
  return text.replace(/}$/, ',"seed":9007199254740993}');
}

/** The body of the first request. */
export const FIRST_BODY = body("You rewrite a question about a database so that nothing is left implicit.", QUESTION);

/** A run that asked a model behind an address, with what it sent. */
export function sentLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const policy: EgressPolicy = { level: "samples", maskPersonal: true, allowed: [], masked: ["stores.region"] };
  const w = new Writer(runId);
  const agents: Agent[] = ["rewriter", "generator"];
  w.put(begin("auto", QUESTION, warehouse, startedAt, Object.fromEntries(agents.map((a) => [a, LARGE])), policy));
  schemaRead(w);
  const ask = (node: string, agent: Agent, call: number, text: string, valuesOf: string[], reply: string) => {
    w.call(node, agent, "System", QUESTION, [reply], [2100, 0], 1400, LARGE);
    // A request goes once its call has begun.
    const began = w.events.findIndex((e) => e.body.type === "modelCallStarted" && e.body.call === call);
    const at = w.events[began]!;
    w.events.splice(began + 1, 0, {
      ...at,
      atMs: at.atMs + 4,
      body: { type: "requestSent", node, call, to: TO, body: text, valuesOf },
    });
    w.events.forEach((event, index) => {
      event.seq = index + 1;
    });
  };
  w.put({ type: "stageStarted", node: "rewriter", kind: "rewriter", title: "Make it explicit", inputs: ["schema"] });
  ask("rewriter", "rewriter", 1, FIRST_BODY, ["customers", "stores"], "Count customers per country.");
  w.put({ type: "stageFinished", node: "rewriter", summary: "Task, columns, order" });
  w.put({ type: "stageStarted", node: "generator", kind: "generator", title: "Write", inputs: ["rewriter"] });
  ask("generator", "generator", 2, body("You write one query.", QUESTION, 3), ["customers", "stores"], SQL);
  ask("generator", "generator", 3, body("Correct the query.", `${SQL}\n\nThe query gave no row.`), [], SQL);
  w.query("generator", "generator", SQL, 31, 3);
  w.put({
    type: "candidateChosen",
    node: "generator",
    candidate: 1,
    votes: 1,
    of: 1,
    sql: SQL,
    reason: "",
    others: [],
  });
  w.put({ type: "stageFinished", node: "generator", summary: "Ran at the second try" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Result", inputs: ["generator"] });
  const rows = [
    ["DE", "8120"],
    ["UK", "7404"],
    ["SE", "6346"],
  ];
  const result = page(
    [
      ["ctry", "text"],
      ["customers", "integer"],
    ],
    rows,
  );
  w.put({ type: "resultReady", node: "result", sql: SQL, page: result });
  w.put({ type: "stageFinished", node: "result", summary: "3 rows" });
  w.finish();
  return w.events;
}

/** The same, by a version that did not keep what it sent. */
export function unrecordedLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  return sentLog(runId, warehouse, startedAt)
    .filter((event) => event.body.type !== "requestSent")
    .map((event, index): RunEvent => {
      const numbered = { ...event, seq: index + 1 };
      if (event.body.type !== "runStarted") return numbered;
      const { egress: _, ...body } = event.body;
      return { ...numbered, body: { ...body, question: "In which month of 2025 did most customers sign up?" } };
    });
}
