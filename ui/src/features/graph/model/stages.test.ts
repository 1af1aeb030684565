import { describe, expect, it } from "vitest";
import { avSqlLog, directLog, failedLog } from "../../../../test/fake/log";
import { foldRun } from "./fold";
import { expectedKinds, stageLines, worstStatus } from "./stages";

const AT = "2026-11-21T10:00:00Z";
const events = avSqlLog("r", "duckdb:/x", AT);
const upTo = (find: (type: string, node: string) => boolean) =>
  foldRun(
    events.slice(0, events.findIndex((e) => find(e.body.type, "node" in e.body ? (e.body.node ?? "") : "")) + 1),
  );

describe("the stage list", () => {
  it("shows stages to come while the run goes on", () => {
    const lines = stageLines(upTo((type, node) => type === "stageStarted" && node === "rewriter"));
    expect(lines.map((l) => l.status)).toEqual([
      "done",
      "running",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
      "waiting",
    ]);
    expect(lines[1]!.label).toBe("Understanding the question");
  });

  it("has one line for all chunks, running until the last has ended", () => {
    const line = stageLines(upTo((type, node) => type === "stageFinished" && node === "chunk-1")).find(
      (l) => l.kind === "chunk",
    )!;
    expect(line.status).toBe("running");
    expect(line.detail).toBe("part 2 of 2, 3 views so far");
    expect(line.endMs).toBeNull();
  });

  it("says at the end what was kept", () => {
    const lines = stageLines(foldRun(events));
    expect(lines.find((l) => l.kind === "chunk")).toMatchObject({
      status: "done",
      detail: "2 parts, 3 of 4 views kept",
    });
    expect(lines.map((l) => l.status)).not.toContain("waiting");
  });

  it("ends where a failed run ended", () => {
    const lines = stageLines(foldRun(failedLog("f", "duckdb:/x", AT)));
    expect(lines.at(-1)).toMatchObject({ kind: "planner", status: "failed" });
  });

  it("leaves out what is switched off and what the baseline lacks", () => {
    const run = foldRun(events.slice(0, 1));
    const off = { ...run, settings: { ...run.settings!, without: ["rewriter" as const, "revisor" as const] } };
    expect(expectedKinds(off)).toEqual(["schema", "chunk", "selection", "planner", "generator", "result"]);
    expect(expectedKinds(foldRun(directLog("d", "x", AT)))).toEqual(["schema", "generator", "result"]);
  });
});

describe("the status of several nodes", () => {
  it("is running as long as one runs", () => expect(worstStatus(["done", "running", "failed"])).toBe("running"));
  it("is a warning when one of several failed", () => expect(worstStatus(["done", "failed"])).toBe("warning"));
  it("is failed when all failed", () => expect(worstStatus(["failed", "failed"])).toBe("failed"));
  it("is done when some were not needed", () => expect(worstStatus(["done", "skipped"])).toBe("done"));
  it("is not needed when none was", () => expect(worstStatus(["skipped", "skipped"])).toBe("skipped"));
});
