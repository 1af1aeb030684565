// The library: what is saved, who has checked it, and what it gave last.

import type { BundleManifest, RunEvent, SavedParameter, SavedQuestion, SavedResult } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";
import { fakeConditions } from "./conditions";
import { UNFILED } from "./data";

type Library = Pick<
  Host,
  | "saved"
  | "saveQuestion"
  | "deleteSaved"
  | "fileSaved"
  | "markSaved"
  | "savedDrift"
  | "savedDrifts"
  | "savedResult"
  | "runSaved"
  | "queryParameters"
  | "setParameters"
  | "filledQuery"
  | "fillQuery"
  | "queryConditions"
  | "verifiedAnswer"
  | "pickFolder"
  | "exportLibrary"
  | "importLibrary"
  | "exportBundle"
  | "inspectBundle"
>;

/** A query with this text does not run. */
export const BROKEN = "SELECT broken";

/** What has changed of the tables of a question. */
export const CHANGED = ["The column orders.channel no longer exists"];

/** The constants of every query here. */
export const PARAMETERS: SavedParameter[] = [
  { name: "year", kind: "number", value: "2024", open: false },
  { name: "order_dt_from", kind: "date", value: "2024-01-01", open: false },
  { name: "channel", kind: "text", value: "web", open: false },
];

/** Places that a query leaves open; of a year it is known to be a number. */
const PLACE = /(?<![:\w]):([a-z]\w*)/g;

function placesOf(sql: string): SavedParameter[] {
  const names = [...new Set([...sql.matchAll(PLACE)].map(([, name]) => name!))];
  return names.map((name) => ({ name, kind: name === "year" ? "number" : "text", value: "", open: true }));
}

export function fakeLibrary(first: SavedQuestion[], logs: Map<string, RunEvent[]>): Library {
  let saved = structuredClone(first);
  const kept = new Map<string, SavedResult>();
  let counter = 0;
  const one = (id: string): SavedQuestion => {
    const found = saved.find((q) => q.id === id);
    if (!found) throw new AppFailure({ code: "notFound", message: "It is gone", hint: null, detail: null });
    return found;
  };
  const put = (question: SavedQuestion) => {
    saved = [question, ...saved.filter((q) => q.id !== question.id)];
    return structuredClone(question);
  };
  const ofRun = (q: SavedQuestion): SavedResult | null => {
    const events = logs.get(q.runId ?? "") ?? [];
    const ready = events.findLast((e) => e.body.type === "resultReady")?.body;
    if (ready?.type !== "resultReady") return null;
    return { at: "2026-11-20T16:05:00Z", page: ready.page, headline: ready.headline ?? null };
  };
  const runs = (q: SavedQuestion) => {
    if (q.sql === BROKEN)
      throw new AppFailure({ code: "query", message: "no such column: broken", hint: null, detail: null });
  };
  const drifts = () => saved.filter((q) => q.id === "s2").map(({ id }) => ({ id, changes: CHANGED }));
  return {
    saved: async () => structuredClone(saved),
    saveQuestion: async (draft) => {
      const stamp = new Date().toISOString();
      const before = saved.find((q) => q.id === draft.id);
      const filing = before?.filing ?? UNFILED;
      return put({
        ...draft,
        id: draft.id ?? `s${++counter}x`,
        createdAt: before?.createdAt ?? stamp,
        updatedAt: stamp,
        filing: { ...filing, checked: draft.status === "draft" ? null : filing.checked },
      });
    },
    deleteSaved: async (id) => {
      saved = saved.filter((q) => q.id !== id);
    },
    fileSaved: async (id, folder, tags) => put({ ...one(id), filing: { ...one(id).filing, folder, tags } }),
    markSaved: async (id, status, by) => {
      const question = one(id);
      if (status === "verified") {
        runs(question);
        const before = kept.get(id) ?? ofRun(question);
        if (before) kept.set(id, { ...before, at: "2026-11-24T09:00:00Z" });
      }
      const result = status === "verified" ? { rows: 10, sha256: "aa" } : null;
      const checked =
        status === "draft" ? null : { by: by ?? "ada", at: "2026-11-24T09:00:00Z", sqlSha256: "bb", result };
      const same = question.filing.checked?.result && result ? true : null;
      return { question: put({ ...question, status, filing: { ...question.filing, checked } }), same };
    },
    savedDrift: async (id) => drifts().find((drift) => drift.id === id)?.changes ?? [],
    savedDrifts: async () => drifts(),
    savedResult: async (id) => kept.get(id) ?? ofRun(one(id)),
    queryParameters: async (_, sql) => [...placesOf(sql), ...structuredClone(PARAMETERS)],
    queryConditions: async (_, sql) => fakeConditions(sql),
    fillQuery: async (_, sql, values) => {
      const missing = placesOf(sql).find(({ name }) => values[name] === undefined);
      if (missing)
        throw new AppFailure({ code: "usage", message: `'${missing.name}' has no value`, hint: null, detail: null });
      const filled = sql.replace(PLACE, (_, name) => {
        const { kind, value } = values[name]!;
        return kind === "number" ? value : `'${value.replaceAll("'", "''")}'`;
      });
      const constants = PARAMETERS.filter(({ name }) => values[name] !== undefined);
      const changed = constants.reduce(
        (text, { name, value }) => text.replaceAll(value, values[name]!.value),
        filled,
      );
      return { sql: changed, parameters: constants.map(({ name }) => name) };
    },
    verifiedAnswer: async (_, question) =>
      saved.find((q) => q.status === "verified" && q.question.toLowerCase() === question.toLowerCase()) ?? null,
    setParameters: async (id, names) => put({ ...one(id), filing: { ...one(id).filing, parameters: names } }),
    filledQuery: async (id, values) =>
      [one(id).sql, ...Object.entries(values).map((pair) => pair.join("="))].join(" "),
    runSaved: async (id, values) => {
      const question = one(id);
      runs(question);
      const result = {
        ...(ofRun(question) ?? {
          page: { columns: [{ name: "n", type: "integer" as const }], rows: [["7"]], rowCount: 1, truncated: false },
          headline: null,
        }),
        at: "2026-11-24T10:30:00Z",
      };
      if (Object.keys(values).length === 0) kept.set(id, result);
      return result;
    },
    pickFolder: async () => ({ token: "folder", path: "/home/ada/library" }),
    exportLibrary: async (ids) => ({
      written: ids.map((id) => `/home/ada/library/${id}.sql`),
      unchanged: 0,
      removed: [],
    }),
    importLibrary: async () => ({
      added: ["Orders by channel"],
      changed: [],
      unchanged: 3,
      notes: ["orders.sql: connection 'Shop' not found; add one to run it"],
      refused: ["old.sql: line 1: its format is not a number"],
    }),
    exportBundle: async (runId) => ({ ...MANIFEST, run_id: runId }),
    inspectBundle: async (_, warehouse) => ({
      manifest: MANIFEST,
      question: "How many orders are there?",
      sql: "SELECT count(*) FROM orders",
      problems: warehouse ? ["the query gives other rows now"] : [],
      replayed: true,
      rerun: warehouse !== null,
    }),
  };
}

const MANIFEST: BundleManifest = {
  format: "vitrine-bundle",
  version: 1,
  program: "vitrine 0.1.0",
  written_at: "2026-11-24T09:00:00Z",
  run_id: "r1",
  asked_at: "2026-11-20T16:05:00Z",
  warehouse: "sample",
  dialect: "duckdb",
  method: "auto",
  models: {},
  rows: 10,
  truncated: false,
  left_out: "The rows, and all of the log but the answer",
  log: { events: 40, sha256: "cc" },
  parts: {},
};
