// A host that makes everything up, for component tests and for looking at pages without the program.

import { NO_USAGE } from "../../src/domain/usage";
import type {
  AppError,
  AppEvent,
  AuditRow,
  CodeOutcome,
  JobEvent,
  KeptTable,
  MethodName,
  Page,
  ResultHandle,
  RunEvent,
  RunSummary,
  Settings,
} from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";
import { EXAMPLES, exampleLog, threadLogs } from "./answers";
import { approvalLog, fakeApprovals } from "./approval";
import { fakeBackup } from "./backup";
import { CERTAINTIES, estimatedLog } from "./certainty";
import { chaseLog } from "./chase";
import { fakeConnections } from "./connections";
import { fakeEstimate, fakePresets, fakeSpending, slowLog } from "./costs";
import {
  CATALOG,
  DEFAULTS,
  EVALUATED,
  EVALUATIONS,
  INFERRED_KEYS,
  MODELS,
  PROFILE,
  QUESTIONS,
  REMOTES,
  SAMPLE,
  SAVED,
} from "./data";
import { dsrLog } from "./dsr";
import { fakeEgress, sentLog, unrecordedLog } from "./egress";
import { fakeEngine } from "./engine";
import { fakeAddresses } from "./engines";
import { BEHIND, EXPLAINED, GROWN, GROWTH, METRIC_CHANGE, STORIES, storyOf } from "./explained";
import { READINGS, readAs } from "./files";
import { fakeGoogle } from "./google";
import { fakeCatalog } from "./large";
import { fakeLibrary } from "./library";
import { ANSWER_PAGE, avSqlLog, bigPage, directLog, explainedLog, failedLog, longLog, unsureLog } from "./log";
import { METHODS } from "./methods";
import { PLAN } from "./plan";
import { fakeProfiles, SERVED } from "./profiles";
import { LOST, prospyLog } from "./prospy";
import { fakeReadings, waitsForChoice, withReading } from "./readings";
import { reforceLog } from "./reforce";
import { BY_STORE, RULES, rulesLog } from "./rules";
import { SAFETY } from "./safety";
import { sizedLog } from "./sized";
import { fakeComparison, fakePlaces, steeredLog } from "./steer";
import { fakeRows, fakeText, manyTables } from "./tables";
import { fakeWatches } from "./watches";
import { page } from "./writer";

const AUDIT: AuditRow[] = (["ran", "refused"] as const).map((verdict, index) => ({
  number: 2 - index,
  at: "2026-11-20T10:00:00.000Z",
  warehouse: "duckdb:/data/shop.duckdb",
  question: verdict === "ran" ? "How many customers do we have?" : null,
  sql: verdict === "ran" ? "SELECT count(*) FROM customers" : "DROP TABLE customers",
  sqlSha256: "3a".repeat(32),
  verdict,
  reason: verdict === "ran" ? null : "It is not a query",
  rows: verdict === "ran" ? 1 : null,
  bytes: verdict === "ran" ? 4 : null,
  model: verdict === "ran" ? "qwen2.5-coder-1.5b" : null,
  tokens: verdict === "ran" ? 1200 : null,
  runId: null,
  hash: "5f".repeat(32),
  author: verdict === "ran" ? "model" : "user",
}));

export interface FakeOptions {
  /** 1 plays a run in its own time, 0 all at once. */
  speed?: number;
  modelMissing?: boolean;
  /** Why code cannot be run here. */
  noPython?: string;
  /** Python was set up when the runs were made, and is no longer. */
  pythonGone?: boolean;
  /** False on a machine without a keychain. */
  keychain?: boolean;
  /** A run of somebody else was taken in. */
  imported?: boolean;
  /** A thread of three questions was asked last: "thread-1" to "thread-3". */
  thread?: boolean;
  /** Nothing was asked yet. */
  fresh?: boolean;
  /** Nobody has named a connection yet. */
  unnamed?: boolean;
  /** Runs by the number of their nodes, "nodes-N" each. */
  sized?: number[];
  /** Runs by the number of cards of their data flow, "flow-N" each. */
  flows?: number[];
  /** Addresses whose server takes connections and answers nothing. */
  silent?: string[];
  /** A database of so many tables in place of the sample. */
  tables?: number;
  now?: Date;
}

export interface FakeHost extends Host {
  emit(event: AppEvent): void;
  reconnect(): void;
  calls: [keyof Host, unknown[]][];
}

const METHOD_LOGS: { [name: MethodName]: (runId: string, warehouse: string, startedAt: string) => RunEvent[] } = {
  "dsr-sql": dsrLog,
  "chase-sql": chaseLog,
  reforce: reforceLog,
  prospy: prospyLog,
};

/** No two jobs have one id, as in the program: the interface remembers which have ended. */
let jobs = 0;

/** Data that only a run of somebody else names, and that run. */
export const FOREIGN = { uri: "postgresql://eve@db.elsewhere/shop?sslmode=disable", runId: "foreign" };

/** A server that wants a password, and the password. */
export const SERVER = { uri: "postgresql://ann@db.example/shop", password: "p@ss" };

/** A server that a certificate signs in to, whose key is behind a passphrase. */
export const LOCKED = {
  uri: "postgresql://ann@db.locked/shop?sslcert=/keys/ann.pem&sslkey=/keys/ann.key",
  passphrase: "open sesame",
};

const lockedError = (what: string): AppError => ({
  code: "passphrase",
  message: `${what} the key /keys/ann.key`,
  hint: "Enter the passphrase that the key was written with.",
  detail: null,
});

export function fakeHost({
  speed = 0,
  modelMissing = false,
  noPython,
  pythonGone = false,
  keychain = true,
  imported = false,
  thread = false,
  fresh = false,
  unnamed = false,
  sized = [],
  flows = [],
  silent = [],
  tables,
  now = new Date(),
}: FakeOptions = {}): FakeHost {
  const listeners = new Set<(event: AppEvent) => void>();
  const reconnects = new Set<() => void>();
  const logs = new Map<string, RunEvent[]>();
  const stops = new Map<string, () => void>();
  const preferences = new Map<string, string>();
  const results = new Map<string, Page>();
  const calls: FakeHost["calls"] = [];
  let settings: Settings = structuredClone(DEFAULTS);
  const models = structuredClone(MODELS);
  if (modelMissing)
    for (const m of models) Object.assign(m, { present: false, loaded: false, fetched: 0, detail: "" });
  let remotes = structuredClone(REMOTES);
  let counter = 0;
  const { catalog, profile } = tables ? manyTables(tables) : { catalog: CATALOG, profile: PROFILE };
  let python = false;
  let signedIn = false;
  let unlocked = false;
  let allowed: string[] = [];
  let keys = structuredClone(INFERRED_KEYS);
  const large = fakeCatalog(catalog, profile, () => keys);
  let readings = structuredClone(READINGS);
  let connected = !imported;
  /** What waits for a silent server. */
  const waiting = new Map<string, (failure: AppFailure) => void>();
  const named = fakeConnections((event) => emit(event), SERVER, unnamed ? [] : undefined);
  const google = fakeGoogle(keychain);

  const emit = (event: AppEvent) => {
    for (const listener of listeners) listener(event);
  };
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

  const summaries: RunSummary[] = [];
  const remember = (events: RunEvent[]) => {
    const start = events[0]!;
    const end = events.at(-1)!;
    if (start.body.type !== "runStarted") return;
    logs.set(start.runId, events);
    const ready = events.find((e) => e.body.type === "resultReady");
    const estimate = events.findLast((e) => e.body.type === "certaintyEstimated")?.body;
    const failed = end.body.type === "runFinished" ? end.body.error : null;
    const known = summaries.findIndex((r) => r.runId === start.runId);
    if (known >= 0) summaries.splice(known, 1);
    summaries.unshift({
      runId: start.runId,
      question: start.body.question,
      strategy: start.body.settings.strategy,
      status:
        end.body.type !== "runFinished"
          ? "running"
          : failed
            ? failed.code === "cancelled"
              ? "cancelled"
              : "failed"
            : "answered",
      warehouse: start.body.warehouse,
      startedAt: start.body.startedAt,
      wallMs: end.atMs,
      rowCount: ready?.body.type === "resultReady" ? ready.body.page.rowCount : null,
      saved: false,
      error: failed?.message ?? null,
      certainty: estimate?.type === "certaintyEstimated" ? estimate.certainty.level : null,
      steeredFrom: start.body.steered?.from ?? null,
      changes: start.body.steered?.changes ?? [],
      follows: start.body.follows?.runId ?? null,
      title: null,
      pinned: false,
    });
  };
  const older = (id: string, question: string, hours: number) => {
    const events = avSqlLog(id, SAMPLE, ago(hours), question);
    remember(events);
  };
  for (const nodes of sized) remember(sizedLog(`nodes-${nodes}`, SAMPLE, ago(200), nodes));
  for (const cards of flows) remember(explainedLog(`flow-${cards}`, SAMPLE, ago(201), storyOf(cards), GROWTH, GROWN));
  for (const example of EXAMPLES) remember(exampleLog(example, SAMPLE, ago(110)));
  remember(unrecordedLog("remote-old", SAMPLE, ago(104)));
  remember(sentLog("remote", SAMPLE, ago(103)));
  for (const [steps, story] of Object.entries(STORIES))
    if (story !== EXPLAINED) remember(explainedLog(`steps-${steps}`, SAMPLE, ago(102), story, GROWTH, GROWN));
  remember(prospyLog("prospy", SAMPLE, ago(101)));
  remember(reforceLog("reforce-30", SAMPLE, ago(100), 30));
  remember(reforceLog("reforce", SAMPLE, ago(99)));
  remember(chaseLog("chase", SAMPLE, ago(98)));
  remember(dsrLog("dsr-long", SAMPLE, ago(97), 14));
  remember(dsrLog("dsr", SAMPLE, ago(96)));
  older("r9", "How has the share of orders on the web changed from month to month?", 76);
  older("r8", "Which promo codes were used most in the spring?", 74);
  remember(estimatedLog(avSqlLog("r7", SAMPLE, ago(52), "Average basket by channel"), CERTAINTIES.unlikely));
  older("r6", "Which stores missed their target in 2024, and by how much?", 29);
  remember(failedLog("r5", SAMPLE, ago(27)));
  remember(longLog("r4", SAMPLE, ago(26), 1_000_000));
  remember(estimatedLog(directLog("r3", SAMPLE, ago(2)), CERTAINTIES.check));
  remember(estimatedLog(rulesLog("rules", SAMPLE, ago(1.5)), CERTAINTIES.sure));
  remember(estimatedLog(explainedLog("r1", SAMPLE, ago(1), EXPLAINED), CERTAINTIES.check, CERTAINTIES.sure));
  if (thread) for (const events of threadLogs(SAMPLE, ago)) remember(events);
  if (imported) remember(directLog(FOREIGN.runId, FOREIGN.uri, ago(0.5)));

  if (fresh) {
    logs.clear();
    summaries.length = 0;
  }

  const choices = new Map<string, (candidate: number | null) => void>();
  const words = new Map<string, (goesOn: boolean) => void>();
  const verdicts = new Map<string, (approved: boolean) => void>();
  const meant = fakeReadings();
  const approvals = fakeApprovals();
  const play = (events: RunEvent[]) => {
    const runId = events[0]!.runId;
    logs.set(runId, []);
    let stopped = false;
    stops.set(runId, () => {
      stopped = true;
      const past = logs.get(runId)!;
      const last = past.at(-1)!;
      const end: RunEvent = {
        runId,
        seq: last.seq + 1,
        atMs: last.atMs + 20,
        body: {
          type: "runFinished",
          error: { code: "cancelled", message: "You stopped this question.", hint: null, detail: null },
          usage: { ...NO_USAGE, wall_ms: last.atMs },
          usageByAgent: {},
        },
      };
      remember([...past, end]);
      emit({ kind: "run", event: end });
    });
    /** The event, and what follows it after a while. */
    const emitAt = (i: number, ms: number) => {
      remember([...logs.get(runId)!, events[i]!]);
      emit({ kind: "run", event: events[i]! });
      setTimeout(() => next(i + 1), ms);
    };
    const next = (i: number): void => {
      const event = events[i];
      if (stopped || !event) return;
      remember([...logs.get(runId)!, event]);
      emit({ kind: "run", event });
      if (waitsForChoice(events, i)) {
        choices.set(runId, (candidate) => {
          const chosen = events[i + 1]!;
          if (chosen.body.type === "readingChosen") chosen.body.candidate = candidate;
          if (candidate !== null) meant.keep(events, candidate);
          next(i + 1);
        });
        return;
      }
      if (event.body.type === "approvalAsked") {
        verdicts.set(runId, (approved) => {
          const decided = events[i + 1]!;
          if (decided.body.type === "approvalDecided") decided.body.approved = approved;
          if (approved) next(i + 1);
          else stops.get(runId)?.();
        });
        return;
      }
      if (event.body.type === "bestSoFar" && event.body.waitsS > 0) {
        words.set(runId, (goesOn) => {
          const said = events[i + 1]!;
          if (said.body.type === "lookingDecided") said.body.goesOn = goesOn;
          // Whoever looks on takes a little longer.
          if (goesOn) emitAt(i + 1, 6000 * speed);
          else next(i + 1);
        });
        return;
      }
      const wait = ((events[i + 1]?.atMs ?? 0) - event.atMs) * speed;
      if (wait > 0) setTimeout(() => next(i + 1), wait);
      else next(i + 1);
    };
    next(0);
  };

  /** The log of a question whose reading was chosen before, if it was. */
  const chosenBefore = (events: RunEvent[]): RunEvent[] => {
    const start = events[0]!.body;
    const kept = start.type === "runStarted" ? meant.of(start.question, start.warehouse) : null;
    return kept ? withReading(events, kept.candidate, kept) : events;
  };

  const openPage = (result: Page): ResultHandle => {
    const resultId = `result-${++counter}`;
    results.set(resultId, result);
    const { columns, rowCount } = result;
    return { resultId, columns, rowCount, complete: true, truncated: false, outOfRoom: null, elapsedMs: 48 };
  };
  const ran = new Map<string, Page>();
  const tableOf = (table: KeptTable): Page => {
    const rerun = table.rerun ? ran.get(table.owner) : undefined;
    if (rerun) return rerun;
    const ready = logs.get(table.owner)?.find((e) => e.body.type === "resultReady");
    if (ready?.body.type === "resultReady" && ready.body.code !== null) return ready.body.page;
    throw new AppFailure({
      code: "notFound",
      message: "The table that the code gave is no longer stored",
      hint: "Run the code again, or ask the question again",
      detail: null,
    });
  };

  /** Knows three kinds of code: with `boom`, endless with `while True`, and good. */
  const runCode = async (owner: string, code: string, notes: string[]): Promise<CodeOutcome> => {
    if (noPython || pythonGone) {
      throw new AppFailure({
        code: noPython ? "internal" : "usage",
        message: noPython
          ? `Python code cannot be run safely here: ${noPython}`
          : "Python for analysis is not set up, so this code cannot be run",
        hint: noPython
          ? "Use the queries of its views instead: they need no sandbox."
          : "Set it up in the settings under Methods, or with: vitrine python install",
        detail: null,
      });
    }
    if (/while True/.test(code)) {
      await new Promise<void>((stop) => stops.set(`code-${owner}`, stop));
      throw new AppFailure({ code: "cancelled", message: "it was stopped", hint: null, detail: null });
    }
    const line = code.split("\n").findIndex((text) => text.includes("boom")) + 1;
    if (line > 0) {
      const message = `line ${line}: KeyError: 'boom' (in \`${code.split("\n")[line - 1]}\`)`;
      const error = { code: "query" as const, message, hint: null, detail: null };
      return { result: null, printed: "so far, so good\n", error, elapsedMs: 320, notes };
    }
    const made = code.includes("head(1)") ? { ...LOST, rows: LOST.rows.slice(0, 1), rowCount: 1 } : LOST;
    ran.set(owner, made);
    const printed = "152 pairs of category and region, 3 lost revenue\n";
    return { result: openPage(made), printed, error: null, elapsedMs: 412, notes };
  };

  const job = (
    title: string,
    kind: JobEvent["kind"],
    total: number,
    unit: string,
    path: string | null,
    ms = 4000,
  ) => {
    const jobId = `job-${++jobs}`;
    const pulled = kind === "modelPull" ? models.find((m) => m.title === title) : undefined;
    let done = pulled?.fetched ?? 0;
    const base = { jobId, kind, title, total, unit, path, error: null };
    const tick = () => {
      done = Math.min(total, done + total / 20);
      if (!stops.has(jobId)) return;
      if (pulled) Object.assign(pulled, { fetched: Math.round(done), present: done >= total });
      if (done >= total && kind === "pythonInstall") python = true;
      emit({ kind: "job", event: { ...base, done: Math.round(done), state: done >= total ? "done" : "running" } });
      if (done < total) setTimeout(tick, ms / 20);
    };
    stops.set(jobId, () => {
      stops.delete(jobId);
      emit({ kind: "job", event: { ...base, done: Math.round(done), state: "cancelled" } });
    });
    setTimeout(tick, 10);
    return jobId;
  };

  const questionOf = (runId: string) => {
    const [begun] = known(runId);
    return begun?.body.type === "runStarted" ? begun.body.question : "";
  };
  const known = (runId: string) => {
    const events = logs.get(runId);
    if (events) return events;
    throw new AppFailure({
      code: "notFound",
      message: "This run is not in the history.",
      hint: "It may have been deleted.",
      detail: null,
    });
  };

  const host: FakeHost = {
    calls,
    emit,
    reconnect: () => {
      for (const listener of reconnects) listener();
    },
    setLanguage: async () => {},
    info: async () => ({
      version: "0.1.0",
      sampleUri: SAMPLE,
      dataDir: "/home/ada/.local/share/vitrine",
      defaultModel: settings.defaultModel,
      displayName: "Vitrine",
    }),
    ...named.commands,
    warehouses: async () => named.entries(),
    openWarehouse: async (uri) => {
      if (silent.includes(uri)) return new Promise((_, fail) => waiting.set(uri, fail));
      if (uri === SERVER.uri && !signedIn) {
        throw new AppFailure(passwordError(`The server asks for a password for ${uri}`));
      }
      if (uri === LOCKED.uri && !unlocked) throw new AppFailure(lockedError("A passphrase is needed for"));
      if (uri === FOREIGN.uri) connected = true;
      const isServer = [SERVER.uri, FOREIGN.uri, LOCKED.uri].includes(uri);
      const known = named.entries().find((e) => e.uri === uri);
      const entry = known ?? (isServer ? { title: "shop", kind: "postgres" as const } : undefined);
      if (!entry) {
        throw new AppFailure({
          code: "connection",
          message: `There is no file at ${uri.replace(/^\w+:/, "")}.`,
          hint: "Check the path, or choose the file with the dialog.",
          detail: "No such file or directory (os error 2)",
        });
      }
      return {
        uri,
        title: entry.title,
        kind: entry.kind,
        dialect: entry.kind === "sqlite" ? "sqlite" : "duckdb",
        fingerprint: CATALOG.fingerprint,
        tables: 15,
        columns: 112,
        questions: QUESTIONS,
        connection: known?.connection ?? null,
        preparation: {
          uri,
          profiled: 9,
          tables: 15,
          valuesIndexed: 0,
          valuesTotal: 0,
          begun: entry.kind === "duckdb",
          paused: false,
          done: false,
          error: null,
          sample: null,
        },
      };
    },
    stopOpening: async (uri) => {
      waiting.get(uri)?.(
        new AppFailure({ code: "cancelled", message: "Opening was stopped", hint: null, detail: null }),
      );
      waiting.delete(uri);
    },
    signIn: async (uri, password) => {
      if (password !== SERVER.password) {
        throw new AppFailure(passwordError(`The server refused the password for ${uri}`));
      }
      signedIn = true;
    },
    unlockKey: async (uri, passphrase) => {
      if (passphrase !== LOCKED.passphrase) throw new AppFailure(lockedError("This is not the passphrase of"));
      if (uri === LOCKED.uri) unlocked = true;
    },
    rememberPassword: async () => host.checkKeychain(),
    checkKeychain: async () => {
      if (keychain) return;
      throw new AppFailure({
        code: "internal",
        message: "No keychain is available for keys and passwords.",
        hint: "Install and start a Secret Service, such as gnome-keyring.",
        detail: null,
      });
    },
    ...google.commands,
    ...fakeAddresses(),
    forgetWarehouse: async () => {},
    ...large.commands,
    ...(large.page ? { tables: large.page } : {}),
    catalog: async (uri) => {
      if (uri === FOREIGN.uri && !connected) throw new AppFailure(unconfirmed(uri));
      return large.commands.catalog(uri);
    },
    sampleRows: async (_uri, table) => fakeRows(catalog, table),
    tableText: async (_uri, table, model) => fakeText(table, model),
    warm: async () => undefined,
    ask: async (request) => {
      if (modelMissing) {
        throw new AppFailure({
          code: "modelMissing",
          message: "The model Qwen2.5 Coder 1.5B is not on this computer.",
          hint: "Download it once (1.12 GB), or choose another model.",
          detail: null,
        });
      }
      const runId = `new-${++counter}`;
      const started = new Date().toISOString();
      const method = METHOD_LOGS[request.settings.strategy];
      const events = method
        ? method(runId, request.warehouse, started)
        : /with approval/i.test(request.question)
          ? approvalLog(runId, request.warehouse, started)
          : /each country/i.test(request.question)
            ? slowLog(runId, request.warehouse, started, request.question)
            : /by store/i.test(request.question)
              ? rulesLog(runId, request.warehouse, started)
              : /active/i.test(request.question)
                ? chosenBefore(unsureLog(runId, request.warehouse, started, request.question))
                : /how many/i.test(request.question)
                  ? estimatedLog(directLog(runId, request.warehouse, started), CERTAINTIES.sure, CERTAINTIES.check)
                  : estimatedLog(
                      explainedLog(runId, request.warehouse, started, EXPLAINED, request.question),
                      CERTAINTIES.check,
                      CERTAINTIES.sure,
                    );
      const { follows } = request;
      const told = events.map((event) =>
        event.body.type === "runStarted" && follows ? { ...event, body: { ...event.body, follows } } : event,
      );
      setTimeout(() => play(told), 0);
      return runId;
    },
    cancelRun: async (runId) => stops.get(runId)?.(),
    chooseReading: async (runId, candidate) => choices.get(runId)?.(candidate),
    decideQuery: async (runId, _hash, approved) => verdicts.get(runId)?.(approved),
    ...approvals.commands,
    ...meant.commands,
    sampleQuestions: async () => QUESTIONS,
    steerPlaces: async (runId) => fakePlaces(known(runId)),
    rerun: async (runId, changes) => {
      const next = `new-${++counter}`;
      const steered = steeredLog(next, new Date().toISOString(), known(runId), changes);
      const [change] = changes;
      const events = change?.kind === "reading" ? withReading(steered, change.candidate) : steered;
      if (change?.kind === "reading") meant.keep(events, change.candidate);
      setTimeout(() => play(events), 0);
      return next;
    },
    compareRuns: async (runId, other) => fakeComparison(known(runId), known(other)),
    runEvents: async (runId, afterSeq) =>
      stops.has(runId) || logs.has(runId)
        ? known(runId).filter((e) => e.seq > afterSeq)
        : runId.startsWith("new-")
          ? []
          : known(runId),
    runs: async (search, limit, offset) => {
      const words = search.toLowerCase();
      return summaries.filter((r) => r.question.toLowerCase().includes(words)).slice(offset, offset + limit);
    },
    branches: async (runId) => summaries.filter((r) => r.steeredFrom === runId || r.follows === runId),
    history: async (search, warehouse, limit, offset) => {
      const words = search.toLowerCase();
      const found = summaries.filter(
        (r) =>
          `${r.title ?? ""} ${r.question}`.toLowerCase().includes(words) &&
          (warehouse === null || r.warehouse === warehouse),
      );
      const pinned = found.filter((r) => r.pinned);
      // As they are now: a real host's answers do not change afterwards.
      return [...pinned, ...found.filter((r) => !r.pinned)].slice(offset, offset + limit).map((r) => ({ ...r }));
    },
    nameRun: async (runId, title) => {
      for (const r of summaries) if (r.runId === runId) r.title = title || null;
    },
    pinRun: async (runId, pinned) => {
      for (const r of summaries) if (r.runId === runId) r.pinned = pinned;
    },
    deleteRun: async (runId) => {
      logs.delete(runId);
      summaries.splice(
        summaries.findIndex((r) => r.runId === runId),
        1,
      );
    },
    exportRun: async () => {},
    openResult: async (_warehouse, sql, rowLimit) => {
      approvals.check(sql);
      if (/s\.store_name/.test(sql)) {
        throw new AppFailure({
          code: "query",
          message: 'There is no table or alias named "s".',
          hint: "The query reads orders (o) and order_items (i).",
          detail: 'Binder Error: Referenced table "s" not found! line 2 column 3',
        });
      }
      if (/\bboom\b/i.test(sql)) {
        throw new AppFailure({
          code: "query",
          message: 'Line 2: there is no column named "boom".',
          hint: "Columns of orders are order_id, cust_id, store_id, order_dt, chan_cd and status.",
          detail: 'Binder Error: Referenced column "boom" not found in FROM clause! line 2 column 8',
        });
      }
      if (/^\s*(delete|drop|update|insert)/i.test(sql)) {
        throw new AppFailure({
          code: "notReadOnly",
          message: "This statement would change data.",
          hint: "Vitrine runs single read-only queries only.",
          detail: null,
        });
      }
      const rows = /ORDER BY o\.order_id/.test(sql) ? rowLimit : 0;
      return openPage(
        rows > 0
          ? bigPage(0, 0, rows)
          : /count\(distinct/i.test(sql)
            ? page([["active_customers", "integer"]], [["18462"]])
            : /count\(\*\) from customers$/i.test(sql)
              ? page([["count_star()", "integer"]], [["21350"]])
              : /store_nm/.test(sql)
                ? BY_STORE
                : ANSWER_PAGE,
      );
    },
    stopAsking: async () => {},
    openTable: async (table) => openPage(tableOf(table)),
    resultStatus: async (resultId) => {
      const r = results.get(resultId)!;
      return {
        resultId,
        columns: r.columns,
        rowCount: r.rowCount,
        complete: true,
        truncated: false,
        outOfRoom: null,
        elapsedMs: 48,
      };
    },
    resultRows: async (resultId, offset, count) => {
      const r = results.get(resultId)!;
      if (r.rows.length > 0) return { ...r, rows: r.rows.slice(offset, offset + count) };
      return bigPage(offset, count, r.rowCount);
    },
    ...fakeEngine((resultId) => {
      const r = results.get(resultId)!;
      return r.rows.length > 0 ? r : bigPage(0, r.rowCount, r.rowCount);
    }),
    closeResult: async () => {},
    cancelResult: async () => {},
    exportResult: async (_warehouse, _sql, file) => job("Export", "resultExport", 61204, "rows", file),
    writePicture: async () => {},
    exportReport: async ({ thread }) => ({
      answers: thread ? 2 : 1,
      unanswered: thread ? 1 : 0,
      withheld: thread,
    }),
    showInFolder: async () => {},
    followUp: async ({ runId, text }) => {
      const before = questionOf(runId);
      return withYear(before, text) ?? `${before.replace(/\?$/, "")}, ${text}?`;
    },
    completeFollowUp: async ({ runId, text }) => withYear(questionOf(runId), text),
    exportTable: async (table, file) => job("Export", "resultExport", tableOf(table).rowCount, "rows", file),
    cancelJob: async (jobId) => {
      stops.get(jobId)?.();
      named.stop(jobId);
      google.stop(jobId);
    },
    formatSql: async (sql) =>
      sql.replace(/\s+(FROM|WHERE|GROUP BY|ORDER BY|LIMIT)\b/gi, (_, k: string) => `\n${k.toUpperCase()}`),
    checkSql: async () => ({ columns: [], bytes: null, money: null }),
    explain: async () => EXPLAINED,
    queryPlan: async () => PLAN,
    rowsBehind: async () => BEHIND,
    metricChange: async () => METRIC_CHANGE,
    metricChangeCost: async () => ({ queries: [METRIC_CHANGE.before.sql], bytes: null, money: null }),
    safety: async () => SAFETY,
    ...fakeEgress(),
    allowedFunctions: async () => allowed,
    allowFunctions: async (_, names) => {
      const never = names.find((name) => name.startsWith("pg_"));
      if (never)
        throw new AppFailure({
          code: "usage",
          message: `The function was not allowed: function ${never} can reach beyond the data and is never allowed.`,
          hint: "Name a function of the database, such as margin or sales.margin.",
          detail: null,
        });
      allowed = [...new Set(names.map((name) => name.trim().toLowerCase()))].sort();
      return allowed;
    },
    fileReadings: async () => readings,
    readFileAs: async (_, table, options) => {
      readings = readAs(readings, table, options);
      return readings;
    },
    audit: async (search, author) =>
      AUDIT.filter((row) => author === null || row.author === author).filter((row) =>
        `${row.question} ${row.sql} ${row.verdict}`.includes(search),
      ),
    checkAudit: async () => ({ rows: AUDIT.length, brokenAt: null, lastHash: "5f".repeat(32) }),
    exportAudit: async () => AUDIT.length,
    inferredKeys: async () => keys,
    decideKey: async (_, id, decision) => {
      keys = keys.map((row) => (row.id === id ? { ...row, decision } : row));
    },
    ...fakeLibrary(SAVED, logs),
    ...fakeWatches(SAVED, now, fresh),
    ...fakeBackup(job),
    runCode: (runId, code) => runCode(runId, code, []),
    runSavedCode: (id, code) =>
      runCode(id, code, ["category_revenue has more rows: the first 200,000 of them were fetched"]),
    stopCode: async (owner) => stops.get(`code-${owner}`)?.(),
    methods: async () => structuredClone(METHODS),
    settings: async () => structuredClone(settings),
    setSettings: async (next) => {
      settings = structuredClone(next);
    },
    models: async () => structuredClone(models),
    pullModel: async (id) => {
      const model = models.find((m) => m.id === id)!;
      return job(model.title, "modelPull", model.bytes, "bytes", null, 20_000);
    },
    removeModel: async (id) => {
      for (const m of models) if (m.id === id) Object.assign(m, { present: false, fetched: 0 });
    },
    addGguf: async (path) => ({ ...models[1]!, id: path, title: path, present: true }),
    useModel: async (id) => {
      settings = { ...settings, defaultModel: id };
      for (const m of models) m.inUse = m.id === id;
    },
    remoteModels: async () => structuredClone(remotes),
    setRemoteModel: async (model, key) => {
      const before = remotes.find((r) => r.id === model.id);
      const kept = before?.hasKey === true && URL.parse(before.baseUrl)?.origin === URL.parse(model.baseUrl)?.origin;
      const hasKey = key === null ? kept : key !== "";
      remotes = [...remotes.filter((r) => r.id !== model.id), { ...model, hasKey }];
    },
    deleteRemoteModel: async (id) => {
      remotes = remotes.filter((r) => r.id !== id);
    },
    rules: async () => structuredClone(RULES),
    python: async () => ({
      installed: python,
      bytes: python ? 486_000_000 : 0,
      neededBytes: 500_000_000,
      unavailable: noPython ?? null,
    }),
    installPython: async () => job("Python for analysis", "pythonInstall", 500_000_000, "bytes", null, 20_000),
    removePython: async () => {
      python = false;
    },
    evaluations: async () => structuredClone(EVALUATIONS),
    startEvaluation: async () => "evaluation-job",
    evaluation: async () => structuredClone(EVALUATED),
    compareEvaluations: async () => ({
      questions: 3,
      wins: 1,
      losses: 0,
      difference: 33.3,
      low: 0,
      high: 66.7,
      p: 1,
      won: ["q2"],
      lost: [],
    }),
    evaluationEvents: async () => directLog("q1", "sqlite:/shop.db", "2026-11-21T10:00:00Z"),
    deleteEvaluation: async () => {},
    ...fakeProfiles(),
    servedModels: async () => structuredClone(SERVED),
    estimate: async (request) => fakeEstimate(request),
    spending: async (month) => fakeSpending(month, settings),
    scans: async (month) => ({ month: month ?? "2026-11", rows: [], all: settings.monthlyScans }),
    modelPresets: async () => fakePresets(remotes.length > 0),
    keepLooking: async (runId, goesOn) => words.get(runId)?.(goesOn),
    subscribe: (onEvent, onReconnect) => {
      listeners.add(onEvent);
      reconnects.add(onReconnect);
      return () => {
        listeners.delete(onEvent);
        reconnects.delete(onReconnect);
      };
    },
    pickOpenPath: async (kind) =>
      kind === "workspace" ? "/home/ada/vitrine-2026-11-23.zip" : "/data/nowhere.sqlite",
    pickSaveFile: async (name) => {
      const path = `/home/ada/Downloads/${name}`;
      return { token: path, path };
    },
    preference: async (key) => preferences.get(key) ?? null,
    setPreference: async (key, value) => {
      preferences.set(key, value);
    },
    copyText: async () => {},
    openWindow: async () => {},
  };
  return new Proxy(host, {
    get(target, name: keyof Host | "emit") {
      const value = target[name];
      if (typeof value !== "function" || name === "emit") return value;
      return (...args: unknown[]) => {
        calls.push([name, args]);
        return (value as (...a: unknown[]) => unknown)(...args);
      };
    },
  });
}

/** A question with the year of a follow-up in place of its own; null where one of them has none. */
function withYear(before: string, text: string): string | null {
  const year = /\b(19|20)\d\d\b/;
  const [asked] = year.exec(text) ?? [];
  return asked && year.test(before) ? before.replace(year, asked) : null;
}

function unconfirmed(uri: string): AppError {
  const message = `${uri} has not been opened here, and nothing was sent there`;
  return { code: "unconfirmed", message, hint: "Open it if you trust the address", detail: null };
}

function passwordError(message: string): AppError {
  return { code: "password", message, hint: "Enter the password.", detail: null };
}
