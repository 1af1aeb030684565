import { afterEach, describe, expect, it, vi } from "vitest";
import { AppFailure, toAppError } from "./host";
import { httpHost } from "./http";

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string) {
  const fetch = vi.fn(async () => new Response(body, { status }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

describe("commands over HTTP", () => {
  it("post their arguments by name", async () => {
    const fetch = answer(200, '"run-1"');
    await httpHost().runEvents("run-1", 7);
    const [url, init] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(url).toBe("/api/run_events");
    expect(JSON.parse(String(init.body))).toEqual({ runId: "run-1", afterSeq: 7 });
  });
  it("give nothing for an empty answer", async () => {
    answer(200, "");
    expect(await httpHost().deleteRun("x")).toBeNull();
  });
  it("throw the program's own error", async () => {
    const error = { code: "connection", message: "No such file.", hint: "Check the path.", detail: null };
    answer(400, JSON.stringify(error));
    const thrown = await httpHost()
      .catalog("x")
      .catch((e) => e);
    expect(thrown).toBeInstanceOf(AppFailure);
    expect(toAppError(thrown)).toEqual(error);
  });
  it("say so when nobody answers", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("failed to fetch");
    });
    const thrown = await httpHost()
      .info()
      .catch((e) => e);
    expect(toAppError(thrown)).toMatchObject({ code: "internal", detail: "failed to fetch" });
  });
  it("explain an answer that is not an error of ours", async () => {
    answer(500, "<html>oops</html>");
    const thrown = await httpHost()
      .info()
      .catch((e) => e);
    expect(toAppError(thrown).message).toContain("500");
  });
});
