// Mirror of the Rust types (domain and api crates). Replaced by the file that specta generates.

export type Dialect = "sqlite" | "duckdb" | "snowflake" | "bigquery" | "postgres";
export type ErrorCode =
  | "usage"
  | "connection"
  | "model"
  | "modelMissing"
  | "notReadOnly"
  | "query"
  | "cancelled"
  | "notFound"
  | "internal";
export type AppError = { code: ErrorCode; message: string; hint: string | null; detail: string | null };

export type TableName = { catalog: string | null; schema: string | null; name: string };
export type TableKind = "table" | "view";
export type Column = { name: string; dataType: string; nullable: boolean; comment: string | null };
export type ForeignKey = { columns: string[]; refTable: TableName; refColumns: string[] };
export type Table = {
  name: TableName;
  kind: TableKind;
  comment: string | null;
  rowCount: number | null;
  columns: Column[];
  primaryKey: string[];
  foreignKeys: ForeignKey[];
};
export type Catalog = { database: string; dialect: Dialect; fingerprint: string; tables: Table[] };

export type CellType =
  | "boolean"
  | "integer"
  | "decimal"
  | "float"
  | "text"
  | "date"
  | "time"
  | "timestamp"
  | "binary"
  | "nested"
  | "null";
export type ResultColumn = { name: string; type: CellType };
export type Page = { columns: ResultColumn[]; rows: (string | null)[][]; rowCount: number; truncated: boolean };

export type SemanticKind = "identifier" | "dimension" | "metric" | "time" | "text" | "nested" | "geo" | "empty";
export type ColumnProfile = {
  name: string;
  kind: SemanticKind;
  nullRatio: number;
  distinct: number;
  min: string | null;
  max: string | null;
  mean: string | null;
  top: [string, number][];
  samples: string[];
  complete: boolean;
  hidden: string | null;
  paths: [string, string][];
};
export type TableProfile = { table: TableName; rowCount: number; profiledRows: number; columns: ColumnProfile[] };
export type Profile = { fingerprint: string; tables: TableProfile[]; complete: boolean };

export type ModelId = string;
export type StrategyName = "av-sql" | "direct";
export type Agent = "rewriter" | "view-generator" | "planner" | "generator" | "revisor";
export type Switch = "rewriter" | "planner" | "revisor" | "view-feedback" | "sql-feedback";
export type AskSettings = {
  strategy: StrategyName;
  model: ModelId | null;
  agentModels: { [key in Agent]?: ModelId };
  candidates: number;
  without: Switch[];
  seed: number;
  maxRounds: number;
  chunkBudget: number | null;
  editThreshold: number;
  semanticThreshold: number;
  rowLimit: number;
  timeoutS: number;
};
export type RewrittenQuestion = { task: string; outputs: string[]; filters: string[]; ordering: string };
export type SelectedTable = { name: string; columns: string[] };
export type SchemaSelection = { tables: SelectedTable[] };

export type RunStatus = "running" | "answered" | "failed" | "cancelled";
export type NodeId = string;
export type StageKind =
  | "schema"
  | "rewriter"
  | "chunk"
  | "selection"
  | "planner"
  | "generator"
  | "revisor"
  | "result";
export type Usage = {
  llm_calls: number;
  prompt_tokens: number;
  cached_prompt_tokens: number;
  completion_tokens: number;
  db_calls: number;
  wall_ms: number;
};
export type ChunkSummary = { index: number; tables: string[]; tokens: number };
export type ValueMatch = {
  literal: string;
  table: string;
  column: string;
  value: string;
  edit: number;
  semantic: number | null;
};
export type ViewStatus = "valid" | "empty" | "error";
export type ViewAttempt = {
  name: string;
  sql: string;
  rationale: string;
  dependsOn: string[];
  status: ViewStatus;
  error: string | null;
  page: Page | null;
};
export type ChunkOutcome = "irrelevant" | "valid" | "partial" | "failed";
export type PromptMessage = { role: string; content: string };
export type RunEvent = { runId: string; seq: number; atMs: number; body: EventBody };
export type EventBody =
  | {
      type: "runStarted";
      question: string;
      knowledge: string | null;
      warehouse: string;
      dialect: Dialect;
      settings: AskSettings;
      models: { [key in Agent]?: ModelId };
      startedAt: string;
    }
  | { type: "stageStarted"; node: NodeId; kind: StageKind; title: string; inputs: NodeId[] }
  | { type: "stageFinished"; node: NodeId; summary: string }
  | {
      type: "schemaPrepared";
      node: NodeId;
      tables: number;
      columns: number;
      groups: number;
      tokensRaw: number;
      tokensCompressed: number;
      chunks: ChunkSummary[];
    }
  | {
      type: "modelCallStarted";
      node: NodeId;
      call: number;
      agent: Agent;
      model: ModelId;
      messages: PromptMessage[];
      samples: number;
      temperature: number;
      seed: number;
    }
  | { type: "modelCallProgress"; node: NodeId; call: number; text: string }
  | {
      type: "modelCallFinished";
      node: NodeId;
      call: number;
      agent: Agent;
      replies: string[];
      usage: Usage;
      error: string | null;
    }
  | { type: "rewritten"; node: NodeId; rewritten: RewrittenQuestion }
  | { type: "valuesRetrieved"; node: NodeId; literals: string[]; matches: ValueMatch[] }
  | {
      type: "viewsAttempted";
      node: NodeId;
      chunk: number;
      attempt: number;
      views: ViewAttempt[];
      selection: SchemaSelection;
      consistent: boolean;
      feedback: string[];
    }
  | {
      type: "chunkFinished";
      node: NodeId;
      chunk: number;
      outcome: ChunkOutcome;
      keptAttempt: number | null;
      keptViews: string[];
    }
  | { type: "aggregated"; node: NodeId; selection: SchemaSelection; views: string[] }
  | { type: "planned"; node: NodeId; plan: string }
  | {
      type: "sqlAttempted";
      node: NodeId;
      candidate: number;
      attempt: number;
      sql: string;
      repairs: string[];
      error: string | null;
      rowCount: number | null;
      digest: string | null;
    }
  | {
      type: "candidateChosen";
      node: NodeId;
      candidate: number;
      votes: number;
      of: number;
      sql: string;
      reason: string;
    }
  | { type: "revised"; node: NodeId; before: string; after: string; kept: boolean; reason: string }
  | {
      type: "queryExecuted";
      node: NodeId;
      agent: Agent;
      sql: string;
      ms: number;
      rowCount: number | null;
      error: string | null;
    }
  | { type: "warning"; node: NodeId | null; message: string }
  | { type: "resultReady"; node: NodeId; sql: string; page: Page }
  | { type: "runFinished"; error: AppError | null; usage: Usage; usageByAgent: { [key in Agent]?: Usage } };

export type AppInfo = {
  version: string;
  sampleUri: string;
  dataDir: string;
  defaultModel: ModelId;
  displayName: string;
};
export type WarehouseKind = "sqlite" | "duckdb" | "file" | "ddl";
export type WarehouseEntry = {
  uri: string;
  title: string;
  kind: WarehouseKind;
  lastUsed: string;
  isSample: boolean;
};
export type SampleQuestion = { question: string; level: string };
export type Preparation = {
  uri: string;
  profiled: number;
  tables: number;
  valuesIndexed: number;
  valuesTotal: number;
  done: boolean;
  error: AppError | null;
};
export type WarehouseSummary = {
  uri: string;
  title: string;
  kind: WarehouseKind;
  dialect: Dialect;
  fingerprint: string;
  tables: number;
  columns: number;
  questions: SampleQuestion[];
  preparation: Preparation;
};
export type AskRequest = { warehouse: string; question: string; knowledge: string | null; settings: AskSettings };
export type RunSummary = {
  runId: string;
  question: string;
  strategy: StrategyName;
  status: RunStatus;
  warehouse: string;
  startedAt: string;
  wallMs: number;
  rowCount: number | null;
  saved: boolean;
  error: string | null;
};
export type ResultHandle = {
  resultId: string;
  columns: ResultColumn[];
  rowCount: number;
  complete: boolean;
  truncated: boolean;
  elapsedMs: number;
};
export type CsvRequest = { warehouse: string; sql: string; path: string; guardFormulas: boolean };
export type JobKind = "csvExport" | "modelPull";
export type JobState = "running" | "done" | "failed" | "cancelled";
export type JobEvent = {
  jobId: string;
  kind: JobKind;
  title: string;
  done: number;
  total: number | null;
  unit: string;
  state: JobState;
  error: AppError | null;
  path: string | null;
};
export type SavedStatus = "draft" | "reviewed" | "verified";
export type SavedQuestion = {
  id: string;
  title: string;
  question: string;
  sql: string;
  warehouse: string;
  status: SavedStatus;
  runId: string | null;
  notes: string;
  createdAt: string;
  updatedAt: string;
};
export type SavedDraft = {
  id: string | null;
  title: string;
  question: string;
  sql: string;
  warehouse: string;
  status: SavedStatus;
  runId: string | null;
  notes: string;
};
export type ModelPlace = "embedded" | "remote";
export type ModelStatus = {
  id: ModelId;
  title: string;
  kind: ModelPlace;
  bytes: number;
  licence: string;
  sources: string[];
  sha256: string | null;
  present: boolean;
  inUse: boolean;
  removable: boolean;
  loaded: boolean;
  detail: string;
};
export type RemoteProvider = "openai" | "azure" | "ollama" | "lmStudio" | "vllm" | "other";
export type RemoteModel = {
  id: ModelId;
  title: string;
  provider: RemoteProvider;
  baseUrl: string;
  model: string;
  contextTokens: number;
  hasKey: boolean;
};
export type Settings = {
  defaultModel: ModelId;
  agentModels: { [key in Agent]?: ModelId };
  threads: number;
  contextTokens: number;
  strategy: StrategyName;
  candidates: number;
  maxRounds: number;
  rowLimit: number;
  timeoutS: number;
  memoryMb: number;
  csvGuardFormulas: boolean;
};
export type AppEvent =
  | { kind: "run"; event: RunEvent }
  | { kind: "job"; event: JobEvent }
  | { kind: "preparation"; event: Preparation };
