// Everything the user interface can ask of the program. Two implementations: the desktop shell (`tauri.ts`) and the
// development host (`http.ts`). Nothing outside this folder touches IPC, fetch or storage.

import type {
  AppError,
  AppEvent,
  AppInfo,
  AskRequest,
  Catalog,
  CodeOutcome,
  CsvFile,
  CsvRequest,
  EvaluationComparison,
  EvaluationQuestion,
  EvaluationRequest,
  EvaluationSummary,
  Explanation,
  InferredKeyRow,
  KeptTable,
  KeyDecision,
  ModelStatus,
  Page,
  Profile,
  PythonStatus,
  RemoteModel,
  ResultHandle,
  RowsBehind,
  RuleInfo,
  RunEvent,
  RunSummary,
  SavedDraft,
  SavedQuestion,
  Settings,
  WarehouseEntry,
  WarehouseSummary,
} from "./bindings";

/** The program's commands, by the names of the api crate. */
export interface Commands {
  info(): Promise<AppInfo>;
  warehouses(): Promise<WarehouseEntry[]>;
  openWarehouse(uri: string): Promise<WarehouseSummary>;
  /** Opens a database on a server with this password, and by its address alone while the program runs. */
  signIn(uri: string, password: string): Promise<void>;
  /** Keeps the password that was typed for a server in the system's keychain. */
  rememberPassword(uri: string): Promise<void>;
  /** Fails with the reason where there is no keychain. */
  checkKeychain(): Promise<void>;
  forgetWarehouse(uri: string): Promise<void>;
  catalog(uri: string): Promise<Catalog>;
  profile(uri: string): Promise<Profile>;

  /** Has the model read the schema ahead, while a question is still being written. */
  warm(uri: string): Promise<void>;
  ask(request: AskRequest): Promise<string>;
  cancelRun(runId: string): Promise<void>;
  /** Says which reading is meant, by its candidate; null leaves the choice to the run. */
  chooseReading(runId: string, candidate: number | null): Promise<void>;
  runEvents(runId: string, afterSeq: number): Promise<RunEvent[]>;
  runs(search: string, limit: number, offset: number): Promise<RunSummary[]>;
  deleteRun(runId: string): Promise<void>;
  exportRun(runId: string, path: string): Promise<void>;

  openResult(warehouse: string, sql: string, rowLimit: number): Promise<ResultHandle>;
  /** The same for a table that code gave. */
  openTable(table: KeptTable, rowLimit: number): Promise<ResultHandle>;
  resultStatus(resultId: string): Promise<ResultHandle>;
  resultRows(resultId: string, offset: number, count: number): Promise<Page>;
  closeResult(resultId: string): Promise<void>;
  cancelResult(resultId: string): Promise<void>;

  exportCsv(request: CsvRequest): Promise<string>;
  exportTable(table: KeptTable, file: CsvFile): Promise<string>;
  cancelJob(jobId: string): Promise<void>;
  formatSql(sql: string, warehouse: string): Promise<string>;
  checkSql(sql: string, warehouse: string): Promise<void>;
  /** Takes a query apart, runs the steps, compares the last with the query, and the question with both. */
  explain(warehouse: string, sql: string, question: string | null): Promise<Explanation>;
  /** The rows that a row of a query's result was made of, or one cell of it, at every step and in every table. */
  rowsBehind(warehouse: string, sql: string, row: (string | null)[], column: number | null): Promise<RowsBehind[]>;
  /** Functions of the database's own that its queries may call. */
  allowedFunctions(warehouse: string): Promise<string[]>;
  /** Sets these functions and gives them as they are kept. */
  allowFunctions(warehouse: string, names: string[]): Promise<string[]>;
  /** Keys that the database does not declare, with what the person says about them. */
  inferredKeys(warehouse: string): Promise<InferredKeyRow[]>;
  /** Confirms or strikes a key by its id; null takes that back. Gives all keys. */
  decideKey(warehouse: string, key: string, decision: KeyDecision | null): Promise<InferredKeyRow[]>;

  saved(search: string): Promise<SavedQuestion[]>;
  saveQuestion(draft: SavedDraft): Promise<SavedQuestion>;
  deleteSaved(id: string): Promise<void>;

  /** Runs code over the views that a run has kept. */
  runCode(runId: string, code: string): Promise<CodeOutcome>;
  /** Fetches the views of a saved question anew and runs code over them. */
  runSavedCode(id: string, code: string): Promise<CodeOutcome>;
  /** Stops the code of a run or of a saved question. */
  stopCode(owner: string): Promise<void>;

  settings(): Promise<Settings>;
  setSettings(settings: Settings): Promise<void>;
  models(): Promise<ModelStatus[]>;
  pullModel(id: string): Promise<string>;
  removeModel(id: string): Promise<void>;
  addGguf(path: string): Promise<ModelStatus>;
  useModel(id: string): Promise<void>;
  remoteModels(): Promise<RemoteModel[]>;
  setRemoteModel(model: RemoteModel, apiKey: string | null): Promise<void>;
  deleteRemoteModel(id: string): Promise<void>;
  testModel(id: string): Promise<string>;

  /** Every rule over queries. */
  rules(): Promise<RuleInfo[]>;

  /** Whether code can be run over fetched views. */
  python(): Promise<PythonStatus>;
  /** Gives the job's id. */
  installPython(): Promise<string>;
  removePython(): Promise<void>;

  evaluations(): Promise<EvaluationSummary[]>;
  /** Gives the job's id; the job's title is the evaluation's id. */
  startEvaluation(request: EvaluationRequest): Promise<string>;
  evaluation(id: string): Promise<EvaluationQuestion[]>;
  compareEvaluations(base: string, id: string): Promise<EvaluationComparison>;
  evaluationEvents(id: string, question: string): Promise<RunEvent[]>;
  deleteEvaluation(id: string): Promise<void>;
}

/** What a file dialog is for. */
export type OpenKind = "sqlite" | "duckdb" | "file" | "folder" | "gguf";

/** The commands, the event stream, and what the surroundings offer: dialogs, preferences, clipboard. */
export interface Host extends Commands {
  /** Calls `onEvent` for each event and `onReconnect` whenever events may have been missed. */
  subscribe(onEvent: (event: AppEvent) => void, onReconnect: () => void): () => void;
  /** Asks for an existing path; null when dismissed. */
  pickOpenPath(kind: OpenKind): Promise<string | null>;
  /** Asks where to save; null when dismissed. */
  pickSavePath(name: string): Promise<string | null>;
  /** A remembered preference of this interface, or null. */
  preference(key: string): Promise<string | null>;
  setPreference(key: string, value: string): Promise<void>;
  copyText(text: string): Promise<void>;
}

/** An `AppError` that is thrown. */
export class AppFailure extends Error {
  readonly app: AppError;
  constructor(app: AppError) {
    super(app.message);
    this.app = app;
  }
}

/** Whatever was thrown, as the error that a person reads. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppFailure) return thrown.app;
  if (isAppError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: "internal",
    message: "Something went wrong in Vitrine itself.",
    hint: "Try again. If it happens every time, restart Vitrine.",
    detail: message,
  };
}

function isAppError(value: unknown): value is AppError {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

let current: Host | null = null;

/** The host in use; set once at start. */
export function host(): Host {
  if (!current) throw new Error("no host");
  return current;
}

export function setHost(next: Host) {
  current = next;
}
