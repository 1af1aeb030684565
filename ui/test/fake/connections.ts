// Connections of the fake host: named databases, a test that goes stage by stage, definitions, tables by page.

import { kindOf, NEW_SETTINGS } from "../../src/features/connections/connection";
import type {
  AppEvent,
  Connection,
  ConnectionTest,
  Definition,
  Definitions,
  DriverInfo,
  Preparation,
  TestStage,
  TestStep,
  WarehouseEntry,
} from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";
import { CATALOG, ENTRIES, SAMPLE } from "./data";

export const SHOP: Connection = {
  id: "c-shop",
  name: "Shop",
  address: "postgresql://ann@db.example/shop",
  environment: { name: "production", color: "red" },
  schemas: ["sales"],
  settings: NEW_SETTINGS,
  createdAt: "2026-11-01T10:00:00Z",
  usedAt: "2026-11-20T10:00:00Z",
};

const CRM: Connection = {
  id: "c-crm",
  name: "CRM",
  address: "sqlite:/data/crm/customers.sqlite",
  environment: null,
  schemas: [],
  settings: NEW_SETTINGS,
  createdAt: "2026-11-02T10:00:00Z",
  usedAt: null,
};

const DEFINED: Definitions = {
  text: "Amounts are in euros. Leave out orders of the test store (store_id = 0).",
  entries: [
    {
      term: "active customer",
      synonyms: ["aktiver Kunde", "buyer"],
      meaning: "ordered at least once in the last twelve months",
      condition: "last_order >= current_date - interval 12 month",
      always: false,
      subject: null,
      source: "user",
    },
    {
      term: "net total",
      synonyms: [],
      meaning: "Total of an order without tax and shipping.",
      condition: null,
      always: false,
      subject: "orders.net_total",
      source: "dbt",
    },
  ],
};

/** What an import finds. */
export const FOUND: Definition = {
  term: "channel",
  synonyms: [],
  meaning: "Where the order was placed: web, store, phone.",
  condition: null,
  always: false,
  subject: "orders.chan_cd",
  source: "dbt",
};

const STEPS: [TestStage, Partial<TestStep>][] = [
  [
    "name",
    {
      state: "ok",
      message: "The address is understood, and its host is found.",
      detail: ["db.example: 10.0.0.5:5432"],
    },
  ],
  ["reach", { state: "ok", message: "Something listens at 10.0.0.5:5432." }],
  [
    "tls",
    {
      state: "warning",
      message: "Encrypted with TLS 1.3; the certificate was not verified.",
      detail: ["It is signed by an authority that this computer does not know."],
      advice: "Install its authority's certificate here and add sslmode=verify-full to the address.",
    },
  ],
  ["login", { state: "ok", message: "Signed in to the database shop.", wallMs: 140 }],
  ["role", { state: "ok", message: "This login is ann, no superuser.", detail: ["PostgreSQL 15.14"] }],
  ["readable", { state: "ok", message: "14 tables in 2 schemas can be read.", detail: ["sales: 12", "stock: 2"] }],
  [
    "rights",
    {
      state: "warning",
      message:
        "This login may do more than read. Vitrine's own sessions are read-only to the server, and it only sends reads.",
      detail: ["INSERT on 3 tables: sales.notes, sales.orders, stock.levels"],
      advice: "Ask for a login that can only read (docs/connections.md).",
    },
  ],
];

export function fakeConnections(
  emit: (event: AppEvent) => void,
  server: { uri: string; password: string },
  first: Connection[] = [SHOP, CRM],
) {
  let list = structuredClone(first);
  let counter = 0;
  const known = new Map<string, Definitions>([[SAMPLE, structuredClone(DEFINED)]]);
  const preparations = new Map<string, Preparation>();
  const stops = new Map<string, () => void>();

  const entries = (): WarehouseEntry[] => {
    const own = ENTRIES.map((entry) => {
      const connection = list.find((c) => c.address === entry.uri) ?? null;
      return { ...entry, title: connection?.name ?? entry.title, connection };
    });
    const others = list.filter((c) => !ENTRIES.some((entry) => entry.uri === c.address));
    return [
      ...own,
      ...others.map((connection) => ({
        uri: connection.address,
        title: connection.name,
        kind: kindOf(connection.address),
        lastUsed: connection.usedAt ?? "",
        isSample: false,
        connection,
      })),
    ];
  };
  const preparation = (uri: string, part: Partial<Preparation>): Preparation => {
    const before = preparations.get(uri) ?? {
      uri,
      profiled: 9,
      tables: 15,
      valuesIndexed: 0,
      valuesTotal: 0,
      begun: true,
      paused: false,
      done: false,
      error: null,
      sample: null,
    };
    const next = { ...before, ...part };
    preparations.set(uri, next);
    emit({ kind: "preparation", event: next });
    return next;
  };

  let added: DriverInfo[] = [];
  const UNKNOWN = { version: "", licence: "", from: "", present: true, preview: true };
  let driver: DriverInfo = {
    name: "snowflake",
    version: "1.11.0",
    licence: "Apache-2.0",
    sha256: "b8e73a14204681d32ef68e1df606dcdd43d6819fc04b187427fe7f979c6ca785",
    bytes: 74_023_384,
    from: "adbc-driver-snowflake of the Python package index",
    path: "/cache/drivers/snowflake/libadbc_driver_snowflake.so",
    present: false,
    preview: false,
  };

  const commands: Pick<
    Host,
    | "connections"
    | "keepConnection"
    | "removeConnection"
    | "testConnection"
    | "drivers"
    | "getDriver"
    | "chooseDriver"
    | "removeDriver"
    | "definitions"
    | "setDefinitions"
    | "importDefinitions"
    | "tables"
    | "startPreparation"
    | "pausePreparation"
  > = {
    connections: async () => structuredClone(list),
    drivers: async () => [driver, ...added],
    chooseDriver: async () => {
      added = [{ ...driver, ...UNKNOWN, name: "mssql", path: "/opt/adbc/libadbc_driver_mssql.so" }];
      return added[0] ?? null;
    },
    removeDriver: async (name) => {
      added = added.filter((one) => one.name !== name);
    },
    getDriver: async () => {
      driver = { ...driver, present: true };
      return driver;
    },
    keepConnection: async (draft) => {
      const other = list.find((c) => c.name.toLowerCase() === draft.name.toLowerCase() && c.id !== draft.id);
      if (other) {
        throw new AppFailure({
          code: "usage",
          message: `The connection '${other.name}' has this name already.`,
          hint: "Choose another name.",
          detail: null,
        });
      }
      const before = list.find((c) => c.id === draft.id);
      const connection: Connection = {
        id: before?.id ?? `c-${++counter}`,
        name: draft.name,
        address: draft.address,
        environment: draft.environment,
        schemas: draft.schemas,
        settings: draft.settings,
        createdAt: before?.createdAt ?? new Date().toISOString(),
        usedAt: before?.usedAt ?? null,
      };
      list = [...list.filter((c) => c.id !== connection.id), connection].sort((a, b) => a.name.localeCompare(b.name));
      return { connection, password: draft.password ? "keychain" : "none", note: null };
    },
    removeConnection: async (id) => {
      list = list.filter((c) => c.id !== id);
    },
    testConnection: async (_address, password) => {
      const testId = `test-${++counter}`;
      const steps: TestStep[] = STEPS.map(([stage]) => ({
        stage,
        state: "waiting",
        message: "",
        detail: [],
        advice: null,
        wallMs: 2,
      }));
      const test: ConnectionTest = { steps, schemas: [], passwordWanted: false, done: false };
      const tell = () => emit({ kind: "test", event: { testId, test: structuredClone(test) } });
      let stopped = false;
      stops.set(testId, () => {
        stopped = true;
      });
      const end = () => {
        for (const step of steps) if (step.state === "waiting") step.state = "skipped";
        test.done = true;
        tell();
      };
      const next = (at: number) => {
        const step = steps[at];
        if (!step || stopped) {
          end();
          return;
        }
        Object.assign(step, STEPS[at]![1]);
        if (step.stage === "login" && password !== null && password !== server.password) {
          Object.assign(step, {
            state: "failed",
            message: "The server refused the password.",
            advice: "Type it again.",
          });
          test.passwordWanted = true;
          end();
          return;
        }
        if (step.stage === "readable") {
          test.schemas = [
            { name: "sales", tables: 12 },
            { name: "stock", tables: 2 },
          ];
        }
        tell();
        setTimeout(() => next(at + 1), 0);
      };
      setTimeout(() => next(0), 0);
      return testId;
    },
    definitions: async (uri) => structuredClone(known.get(uri) ?? { text: "", entries: [] }),
    setDefinitions: async (uri, next) => {
      known.set(uri, structuredClone({ ...next, text: next.text.trim() }));
      return structuredClone(known.get(uri)!);
    },
    importDefinitions: async (_uri, path) =>
      path === null
        ? { found: [], known: 0, notes: [] }
        : { found: [FOUND], known: 1, notes: ["2 descriptions of tables and columns that this database lacks"] },
    tables: async (_uri, search, offset, limit) => {
      const words = search.toLowerCase().split(/\s+/);
      const all = Array.from({ length: 5_200 }, (_, n) => CATALOG.tables[n] ?? { ...CATALOG.tables[0]!, n });
      const named = all.map((table, n) => ({
        table: table.name,
        hits: [],
        name: n < CATALOG.tables.length ? table.name.name : `archive_${n}`,
        isView: table.kind === "view",
        columns: table.columns.length,
        rows: table.rowCount,
        comment: table.comment,
      }));
      const found = named.filter((table) => words.every((word) => table.name.includes(word)));
      return { found: found.length, total: named.length, tables: found.slice(offset, offset + limit) };
    },
    startPreparation: async (uri) => preparation(uri, { begun: true, paused: false }),
    pausePreparation: async (uri) => preparation(uri, { paused: true }),
  };
  return { commands, entries, stop: (id: string) => stops.get(id)?.() };
}
