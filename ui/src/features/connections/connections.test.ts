import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SAMPLE } from "../../../test/fake/data";
import { fakeHost, SERVER } from "../../../test/fake/host";
import { loadEngines } from "../../domain/engines";
import type { Preparation } from "../../host/bindings";
import { setHost } from "../../host/host";
import { openWarehouse, takePreparation, useConnections, waitForOpening } from "./state";
import { isServer, pathOf, preparationLine } from "./words";

describe("addresses", () => {
  beforeAll(async () => {
    setHost(fakeHost());
    await loadEngines();
  });
  it("name a server by their scheme", () => {
    expect([isServer("Postgres://db/shop"), isServer("/data/postgresql.db")]).toEqual([true, false]);
    expect([isServer("MariaDB://db/shop"), isServer("/data/mysql.db")]).toEqual([true, false]);
  });
  it("show their path", () => expect(pathOf("sqlite:/data/a.db")).toBe("/data/a.db"));
});

describe("preparation", () => {
  const p = (part: Partial<Preparation>): Preparation => ({
    uri: "u",
    profiled: 0,
    tables: 15,
    valuesIndexed: 0,
    valuesTotal: 0,
    begun: true,
    paused: false,
    done: false,
    error: null,
    sample: null,
    ...part,
  });
  it("is a quiet line, and none when done", () => {
    expect(preparationLine(undefined)).toBeNull();
    expect(preparationLine(p({ profiled: 5 }))).toEqual({ text: "Profiling 15 tables", part: 1 / 3, failed: false });
    expect(preparationLine(p({ profiled: 15, valuesIndexed: 1, valuesTotal: 4 }))?.part).toBe(0.25);
    expect(preparationLine(p({ done: true }))).toBeNull();
  });
  it("says when it failed", () => {
    const error = { code: "connection" as const, message: "The file is gone.", hint: null, detail: null };
    expect(preparationLine(p({ error }))).toMatchObject({ text: "The file is gone.", failed: true });
  });
});

describe("opening", () => {
  beforeEach(() => {
    setHost(fakeHost());
    useConnections.setState({
      starting: false,
      entries: [],
      current: null,
      opening: null,
      failure: null,
      preparations: {},
      dialog: false,
    });
  });
  it("asks for a server's password where it is typed, and keeps it where that is wanted", async () => {
    const host = fakeHost();
    setHost(host);
    expect(await openWarehouse(SERVER.uri)).toBe(false);
    expect(useConnections.getState()).toMatchObject({ dialog: true, failure: { error: { code: "password" } } });
    expect(await openWarehouse(SERVER.uri, { password: SERVER.password, remember: false })).toBe(true);
    const remembered = () => host.calls.filter(([name]) => name === "rememberPassword").map(([, args]) => args);
    expect(remembered()).toEqual([]);
    await openWarehouse(SERVER.uri, { password: SERVER.password, remember: true });
    expect(remembered()).toEqual([[SERVER.uri]]);
    expect(JSON.stringify(useConnections.getState())).not.toContain(SERVER.password);
  });
  it("makes the data current", async () => {
    expect(await openWarehouse(SAMPLE)).toBe(true);
    expect(useConnections.getState().current?.title).toBe("Retail sample");
  });
  it("keeps what was open when it fails, and says why", async () => {
    await openWarehouse(SAMPLE);
    expect(await openWarehouse("sqlite:/nowhere.db")).toBe(false);
    expect(useConnections.getState().current?.uri).toBe(SAMPLE);
    expect(useConnections.getState().failure?.error.message).toContain("/nowhere.db");
  });
  it("can be waited for by a question that was asked early", async () => {
    useConnections.setState({ starting: true });
    const waiting = waitForOpening();
    void openWarehouse(SAMPLE);
    expect(await waiting).toMatchObject({ uri: SAMPLE });
  });
  it("fails a question that waits for what does not open, whatever was open before", async () => {
    await openWarehouse(SAMPLE);
    void openWarehouse("sqlite:/nowhere.db");
    expect(await waitForOpening()).toBe("failed");
    // Asked anew, it is about what is open.
    expect(await waitForOpening()).toMatchObject({ uri: SAMPLE });
  });
  it("does not turn a question to what is opened instead", async () => {
    void openWarehouse("sqlite:/nowhere.db");
    const waiting = waitForOpening();
    void openWarehouse(SAMPLE);
    expect(await waiting).toBe("stopped");
  });
  it("does not go back to older progress", async () => {
    takePreparation({ ...preparationOf(12) });
    await openWarehouse(SAMPLE);
    expect(useConnections.getState().preparations[SAMPLE]?.profiled).toBe(12);
  });
});

function preparationOf(profiled: number): Preparation {
  return {
    uri: SAMPLE,
    profiled,
    tables: 15,
    valuesIndexed: 0,
    valuesTotal: 0,
    begun: true,
    paused: false,
    done: false,
    error: null,
    sample: null,
  };
}
