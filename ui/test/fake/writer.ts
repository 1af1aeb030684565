// Writes the events of made-up runs.

import { addUsage, NO_USAGE } from "../../src/domain/usage";
import type {
  Agent,
  AppError,
  AskSettings,
  EgressPolicy,
  EventBody,
  MethodName,
  Page,
  ResultColumn,
  RunEvent,
  Usage,
} from "../../src/host/bindings";
import { DEFAULT_PARAMETERS } from "./methods";

export const MODEL = "qwen2.5-coder-1.5b";

export const SETTINGS: AskSettings = {
  strategy: "av-sql",
  model: null,
  agentModels: {},
  candidates: 4,
  without: [],
  withoutRules: [],
  seed: 42,
  maxRounds: 5,
  chunkBudget: null,
  editThreshold: 0.5,
  semanticThreshold: 0.5,
  rowLimit: 10000,
  timeoutS: 60,
  budget: { seconds: null, tokens: null, money: null },
  agentBudgets: {},
  answerWithinS: 0,
  askWhenUnsure: true,
  methods: DEFAULT_PARAMETERS,
};

export function page(columns: [string, ResultColumn["type"]][], rows: Page["rows"], rowCount = rows.length): Page {
  return { columns: columns.map(([name, type]) => ({ name, type })), rows, rowCount, truncated: false };
}

/** Dollars for a million tokens of models behind an address. */
const PRICE = { input: 0.4, cached: 0.1, output: 1.6 };

function usage(prompt: number, cached: number, completion: number, wall: number, remote: boolean): Usage {
  const micro = (prompt - cached) * PRICE.input + cached * PRICE.cached + completion * PRICE.output;
  return {
    ...NO_USAGE,
    llm_calls: 1,
    prompt_tokens: prompt,
    cached_prompt_tokens: cached,
    completion_tokens: completion,
    wall_ms: wall,
    micro_usd: remote ? Math.round(micro) : 0,
    priced_calls: 1,
  };
}

/** Writes events one after another; `at` moves the clock. */
export class Writer {
  readonly events: RunEvent[] = [];
  private at = 0;
  private calls = 0;
  private spent: { [key in Agent]?: Usage } = {};
  constructor(private readonly runId: string) {}

  wait(ms: number) {
    this.at += ms;
    return this;
  }

  put(body: EventBody) {
    this.events.push({ runId: this.runId, seq: this.events.length + 1, atMs: Math.round(this.at), body });
    return this;
  }

  private spend(agent: Agent, u: Usage) {
    this.spent[agent] = addUsage(this.spent[agent] ?? NO_USAGE, u);
  }

  call(
    node: string,
    agent: Agent,
    system: string,
    user: string,
    replies: string[],
    tokens: [number, number],
    ms: number,
    model = MODEL,
  ) {
    const call = ++this.calls;
    this.put({
      type: "modelCallStarted",
      node,
      call,
      agent,
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      samples: replies.length,
      temperature: replies.length > 1 ? 0.8 : 0,
      seed: 42,
    });
    this.wait(ms * 0.35);
    const text = replies[0] ?? "";
    const steps = Math.max(1, Math.ceil(text.length / 18));
    for (let i = 0; i < steps; i++) {
      this.put({ type: "modelCallProgress", node, call, text: text.slice(i * 18, (i + 1) * 18) });
      this.wait((ms * 0.65) / steps);
    }
    const u = usage(tokens[0], tokens[1], Math.ceil(replies.join("").length / 3.6), ms, model !== MODEL);
    this.spend(agent, u);
    return this.put({ type: "modelCallFinished", node, call, agent, replies, usage: u, error: null });
  }

  query(node: string, agent: Agent, sql: string, ms: number, rowCount: number | null, error: string | null = null) {
    this.wait(ms);
    this.spend(agent, { ...NO_USAGE, wall_ms: ms, db_calls: 1 });
    return this.put({ type: "queryExecuted", node, agent, sql, ms, rowCount, bytes: null, error });
  }

  finish(error: AppError | null = null) {
    const total = Object.values(this.spent).reduce(addUsage, NO_USAGE);
    return this.put({
      type: "runFinished",
      error,
      usage: { ...total, wall_ms: Math.round(this.at) },
      usageByAgent: this.spent,
    });
  }
}

/** The beginning of a run. */
export function begin(
  strategy: MethodName,
  question: string,
  warehouse: string,
  startedAt: string,
  models: { [key in Agent]?: string },
  egress?: EgressPolicy,
): EventBody {
  return {
    type: "runStarted",
    question,
    knowledge: null,
    warehouse,
    dialect: "duckdb",
    settings: { ...SETTINGS, strategy },
    models,
    ...(egress && { egress }),
    startedAt,
  };
}

/** The sample warehouse's schema, in one part. */
export function schemaRead(w: Writer) {
  w.put({ type: "stageStarted", node: "schema", kind: "schema", title: "Read the schema", inputs: [] });
  w.wait(80).put({
    type: "schemaPrepared",
    node: "schema",
    tables: 15,
    columns: 112,
    groups: 2,
    tokensRaw: 4912,
    tokensCompressed: 2860,
    chunks: [{ index: 1, tables: ["orders", "order_items", "customers", "stores"], tokens: 2860 }],
  });
  w.put({ type: "stageFinished", node: "schema", summary: "15 tables, 2,860 tokens" });
}
