import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { avSqlLog } from "../../../../test/fake/log";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { Outline } from "./Outline";
import { StageList } from "./StageList";

const LONG =
  "15 tables in 2 parts, 2,800 columns, and the lines of orders in 2024 whose returns were left out of the sum";

it("what a stage did is there to its end, in the list of stages and in the outline", () => {
  const events = avSqlLog("r", "duckdb:/x", "2026-11-21T10:00:00Z").map((event) =>
    event.body.type === "stageFinished" && event.body.node === "planner"
      ? { ...event, body: { ...event.body, summary: LONG } }
      : event,
  );
  const run = foldRun(events);
  render(
    <HintProvider>
      <StageList run={run} elapsedMs={0} onOpen={() => {}} />
      <Outline run={run} selected={null} onSelect={() => {}} />
    </HintProvider>,
  );
  const lines = screen.getAllByText(LONG);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.title).toBe(LONG);
    expect(line.className).not.toContain("truncate");
  }
});
