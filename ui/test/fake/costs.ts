// What made-up questions cost, and a run that takes long.

import { addUsage, NO_USAGE } from "../../src/domain/usage";
import type {
  Agent,
  AskRequest,
  Estimate,
  EventBody,
  ModelPresetInfo,
  RunEvent,
  Settings,
  Spending,
  SpendingRow,
  Usage,
} from "../../src/host/bindings";
import { begin, MODEL, page, schemaRead, Writer } from "./writer";

export const LARGE = "openai:gpt-4.1-mini";

export function fakeEstimate({ settings }: AskRequest): Estimate {
  const remote = settings.model !== null && settings.model !== MODEL;
  return {
    basis: "warehouse",
    runs: 6,
    calls: { low: 4, high: 9 },
    tokens: { low: 9200, high: 14_100 },
    money: remote ? { low: 3800, high: 8200 } : { low: 0, high: 0 },
    seconds: remote ? { low: 2, high: 6 } : { low: 9, high: 28 },
    unpriced: [],
    refused: null,
    text: "9,200 to 14,100 tokens, 9 to 28 s, as 6 questions on this data took",
  };
}

const spent = (llm_calls: number, prompt: number, completion: number, micro: number): Usage => ({
  ...NO_USAGE,
  llm_calls,
  prompt_tokens: prompt,
  cached_prompt_tokens: Math.round(prompt * 0.6),
  completion_tokens: completion,
  micro_usd: micro,
  priced_calls: llm_calls,
});

const ROWS: SpendingRow[] = [
  { model: LARGE, agent: "generator", remote: true, usage: spent(212, 1_904_000, 96_400, 641_000) },
  { model: LARGE, agent: "judge", remote: true, usage: spent(64, 402_000, 31_000, 158_000) },
  { model: LARGE, agent: "revisor", remote: true, usage: spent(58, 371_000, 22_100, 121_000) },
  { model: MODEL, agent: "view-generator", remote: false, usage: spent(340, 2_210_000, 144_000, 0) },
  { model: MODEL, agent: "rewriter", remote: false, usage: spent(96, 141_000, 18_300, 0) },
];

export function fakeSpending(month: string | null, settings: Settings): Spending {
  const rows = month === "2026-10" ? ROWS.slice(0, 1) : ROWS;
  const sum = (some: SpendingRow[]) => some.map((row) => row.usage).reduce(addUsage, NO_USAGE);
  const remote = rows.filter((row) => row.remote);
  const remoteByAgent: { [key in Agent]?: Usage } = {};
  for (const { agent, usage } of remote) remoteByAgent[agent] = usage;
  return {
    month: month ?? "2026-11",
    months: ["2026-10", "2026-11"],
    rows,
    remote: sum(remote),
    remoteByAgent,
    local: sum(rows.filter((row) => !row.remote)),
    caps: settings.monthly,
    unpriced: [],
  };
}

export function fakePresets(remote: boolean): ModelPresetInfo[] {
  const missing = "No model behind an address is connected: connect one first.";
  const local = { rewriter: MODEL, "view-generator": MODEL, linker: MODEL, explorer: MODEL };
  return [
    {
      name: "local",
      label: "All on this computer",
      note: "Qwen2.5 Coder 1.5B does everything. Nothing leaves this computer, and nothing costs money.",
      usable: true,
      model: MODEL,
      agentModels: {},
    },
    {
      name: "hybrid",
      label: "Views here, queries by the large model",
      note: remote
        ? "Qwen2.5 Coder 1.5B reads the tables, gpt-4.1-mini (OpenAI) writes the queries. Right more often, at little cost."
        : missing,
      usable: remote,
      model: remote ? LARGE : null,
      agentModels: remote ? local : {},
    },
    {
      name: "large",
      label: "All by the large model",
      note: remote ? "gpt-4.1-mini (OpenAI) does everything. Right most often; every question costs money." : missing,
      usable: remote,
      model: remote ? LARGE : null,
      agentModels: {},
    },
  ];
}

const SQL = "SELECT ctry, ROUND(SUM(revenue), 2) AS revenue\nFROM first_year\nGROUP BY ctry\nORDER BY revenue DESC";
const RESULT = page(
  [
    ["ctry", "text"],
    ["revenue", "decimal"],
  ],
  [
    ["UK", "1204411.20"],
    ["DE", "871204.55"],
    ["SE", "402118.00"],
    ["US", "398771.35"],
  ],
);

/** A run that is not done in time: it shows the best so far and waits. What follows depends on the word. */
export function slowLog(runId: string, warehouse: string, startedAt: string, question: string): RunEvent[] {
  const w = new Writer(runId);
  w.put(begin("auto", question, warehouse, startedAt, { generator: LARGE }));
  schemaRead(w);
  w.put({ type: "stageStarted", node: "generator", kind: "generator", title: "Write the SQL", inputs: ["schema"] });
  w.call("generator", "generator", "You write one query.", question, [SQL, SQL, SQL], [6010, 2860], 1800, LARGE);
  w.wait(88_000);
  w.put({
    type: "bestSoFar",
    node: "generator",
    candidate: 2,
    votes: 2,
    of: 3,
    sql: SQL,
    page: RESULT,
    waitsS: 120,
  });
  w.wait(4000).put({ type: "lookingDecided", node: "generator", goesOn: false, waitedMs: 4000 });
  w.put({ type: "warning", node: "generator", message: "This is the best result of 90 seconds." });
  const chosen: EventBody = {
    type: "candidateChosen",
    node: "generator",
    candidate: 2,
    votes: 2,
    of: 3,
    sql: SQL,
    reason: "",
    others: [],
  };
  w.put(chosen);
  w.put({ type: "stageFinished", node: "generator", summary: "2 of 3 agree" });
  w.put({ type: "stageStarted", node: "result", kind: "result", title: "Result", inputs: ["generator"] });
  w.put({ type: "resultReady", node: "result", sql: SQL, page: RESULT });
  w.put({ type: "stageFinished", node: "result", summary: "4 rows" });
  w.finish();
  return w.events;
}
