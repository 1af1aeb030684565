// Answers of every form: a series, two names, no rows, many columns, one row; and what is said of them at a glance.

import type { Explanation, Headline, Page, ResultColumn, RunEvent } from "../../src/host/bindings";
import { directLog } from "./log";
import { Story } from "./story";
import { page } from "./writer";

export function glance(columns: number, over: Partial<Headline>): Headline {
  return {
    shape: "rows",
    labels: [],
    measure: null,
    addsUp: false,
    highest: null,
    lowest: null,
    meanings: Array<null>(columns).fill(null),
    tables: [],
    conditions: [],
    limited: false,
    ...over,
  };
}

interface Example {
  runId: string;
  question: string;
  sql: string;
  page: Page;
  headline: Headline;
  explanation?: Explanation;
}

const MONTHS = [41200.5, 38950, 52310.25, 60120, 58875.75, 71400, 69980.1, 73150, 64020.4, 58110, 81240.9, 97310.55];

const series = page(
  [
    ["month", "text"],
    ["revenue", "decimal"],
  ],
  MONTHS.map((value, m) => [`2024-${String(m + 1).padStart(2, "0")}`, value.toFixed(2)]),
);

const REGIONS = ["North", "East", "South", "West"];
const CHANNELS = ["Web", "Store", "App"];
const pairs = page(
  [
    ["region", "text"],
    ["channel", "text"],
    ["orders", "integer"],
  ],
  REGIONS.flatMap((region, r) =>
    CHANNELS.map((channel, c) => [region, channel, String(420 + 137 * ((r * 3 + c * 5) % 7) + 31 * r)]),
  ),
);

const WIDE: [string, ResultColumn["type"]][] = [
  ["store_nm", "text"],
  ["region", "text"],
  ["opened", "date"],
  ["orders", "integer"],
  ["revenue", "decimal"],
  ["returns", "integer"],
  ["avg_basket", "decimal"],
  ["staff", "integer"],
  ["note", "text"],
];
const wide = page(
  WIDE,
  Array.from({ length: 24 }, (_, i) => [
    `Store ${String.fromCharCode(65 + i)}`,
    REGIONS[i % 4]!,
    `20${10 + (i % 12)}-0${1 + (i % 9)}-15`,
    String(1902 - 61 * i),
    (184230.4 - 5911.35 * i).toFixed(2),
    i % 7 === 3 ? null : String(12 + ((i * 7) % 23)),
    (61.4 + ((i * 13) % 17)).toFixed(2),
    String(8 + (i % 5)),
    i % 3 === 0 ? "Under renovation until the end of the second quarter" : null,
  ]),
);

function emptied(): Explanation {
  const s = new Story();
  s.table("stores", 48, [{ column: "region", uses: ["filtered"] }]);
  const kept = s.step({
    kind: "table",
    as: "stores",
    note: "Takes the rows of stores where region is “Lapland”.",
    reads: ["stores"],
    columns: [],
    rows: 0,
  });
  s.step({ kind: "order", as: "order", note: "Sorts by store nm.", reads: [kept], columns: [], rows: 0 });
  return s.told({ understood: ["Shows store nm", "Only where region is “Lapland”"], question: null });
}

export const EXAMPLES: Example[] = [
  {
    runId: "a-series",
    question: "What was the revenue in each month of 2024?",
    sql: "SELECT strftime(order_dt, '%Y-%m') AS month, SUM(revenue) AS revenue\nFROM sold_lines\nGROUP BY month\nORDER BY month",
    page: series,
    headline: glance(2, {
      shape: "series",
      labels: [0],
      measure: 1,
      addsUp: true,
      highest: { row: 11, rows: 1 },
      lowest: { row: 1, rows: 1 },
      tables: ["orders", "order_items"],
      conditions: ["order dt is from 2024-01-01 on and before 2025-01-01"],
    }),
  },
  {
    runId: "a-pairs",
    question: "How many orders were there for each region and channel?",
    sql: "SELECT region, channel, COUNT(*) AS orders\nFROM orders JOIN stores USING (store_id)\nGROUP BY region, channel",
    page: pairs,
    headline: glance(3, {
      shape: "ranked",
      labels: [0, 1],
      measure: 2,
      addsUp: true,
      highest: { row: 6, rows: 1 },
      lowest: { row: 0, rows: 1 },
      tables: ["orders", "stores"],
    }),
  },
  {
    runId: "a-empty",
    question: "Which stores are in Lapland?",
    sql: "SELECT store_nm\nFROM stores\nWHERE region = 'Lapland'\nORDER BY store_nm",
    page: page([["store_nm", "text"]], []),
    headline: glance(1, { shape: "empty", tables: ["stores"], conditions: ["region is “Lapland”"] }),
    explanation: emptied(),
  },
  {
    runId: "a-wide",
    question: "Show all stores with their figures of 2024, the largest revenue first",
    sql: "SELECT *\nFROM store_figures\nORDER BY revenue DESC",
    page: wide,
    headline: glance(9, {
      shape: "ranked",
      labels: [0],
      measure: 4,
      addsUp: true,
      highest: { row: 0, rows: 1 },
      lowest: { row: 23, rows: 1 },
      tables: ["stores", "orders", "order_items", "staff"],
    }),
  },
  {
    runId: "a-row",
    question: "Which product had the largest revenue in 2024?",
    sql: "SELECT prod_nm, SUM(revenue) AS revenue\nFROM sold_lines\nGROUP BY prod_nm\nORDER BY revenue DESC\nLIMIT 1",
    page: page(
      [
        ["prod_nm", "text"],
        ["revenue", "decimal"],
      ],
      [["Harbour Sofa, 3 seats", "184230.40"]],
    ),
    headline: glance(2, {
      shape: "row",
      labels: [0],
      measure: 1,
      addsUp: true,
      limited: true,
      tables: ["order_items"],
    }),
  },
];

/** The run of an example. */
export function exampleLog(
  { runId, question, sql, page, headline, explanation }: Example,
  warehouse: string,
  startedAt: string,
): RunEvent[] {
  const told = directLog(runId, warehouse, startedAt).map((event): RunEvent => {
    const { body } = event;
    if (body.type === "runStarted") return { ...event, body: { ...body, question } };
    if (body.type === "resultReady") return { ...event, body: { ...body, sql, page, headline } };
    return event;
  });
  if (!explanation) return told;
  const end = told.pop()!;
  return [
    ...told,
    { ...end, body: { type: "explained", node: "result", explanation } },
    { ...end, seq: end.seq + 1 },
  ];
}

/** Three questions, each a follow-up of the one before; and "chips", whose query has two conditions. */
export function threadLogs(warehouse: string, ago: (hours: number) => string): RunEvent[][] {
  const asked: [Example, string, string][] = [
    [EXAMPLES[0]!, "What was the revenue in each month of 2024?", ""],
    [EXAMPLES[4]!, "Which product had the largest revenue in 2024?", "and the best product?"],
    [EXAMPLES[1]!, "How many orders were there for each region and channel in 2024?", "orders by region and channel"],
  ];
  const edited = {
    ...EXAMPLES[0]!,
    runId: "chips",
    question: "What was the revenue of the web shop in each month of 2024?",
    sql: "SELECT month, SUM(revenue) AS revenue FROM sold_lines WHERE channel = 'web' AND order_dt >= '2024-01-01' AND order_dt < '2025-01-01' GROUP BY month ORDER BY month",
  };
  const thread = asked.map(([example, question, text], at) => {
    const events = exampleLog({ ...example, runId: `thread-${at + 1}`, question }, warehouse, ago(0.3 - at / 10));
    const before = asked[at - 1];
    const follows = before ? { runId: `thread-${at}`, question: before[1], text } : null;
    return events.map(
      (event): RunEvent =>
        event.body.type === "runStarted" && follows ? { ...event, body: { ...event.body, follows } } : event,
    );
  });
  return [exampleLog(edited, warehouse, ago(0.4)), ...thread];
}
