// From a bar of an answer's chart to the rows that its value was computed from.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drawChart } from "../src/features/chart/draw";
import { useCharts } from "../src/features/chart/state";
import { navigate } from "../src/navigation/route";
import { EXAMPLES, exampleLog, glance } from "./fake/answers";
import { SAMPLE } from "./fake/data";
import type { FakeHost } from "./fake/host";
import { page } from "./fake/writer";
import { start } from "./start";

// The test document measures no text, which Vega needs.
vi.mock("../src/features/chart/draw", () => ({
  drawChart: vi.fn(async () => ({ view: null, close: () => {} })),
  asPng: vi.fn(),
  asSvg: vi.fn(),
}));

let host: FakeHost;
beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.mocked(drawChart).mockClear();
  useCharts.setState({ chosen: {} });
  host = await start();
});
afterEach(() => vi.restoreAllMocks());

const chart = async (runId: string) => {
  act(() => navigate({ page: "run", runId, tab: "answer" }));
  return within(await screen.findByRole("region", { name: "Chart" })).findByRole("img");
};
const behind = () => host.calls.filter(([name]) => name === "rowsBehind").map(([, args]) => args);

it("Enter at a bar shows the source rows of its value", async () => {
  const figure = await chart("r1");
  fireEvent.keyDown(figure, { key: "Enter" });
  expect(behind()).toEqual([]);
  fireEvent.keyDown(figure, { key: "ArrowDown" });
  expect(screen.getByText("Click or Enter: source rows")).toBeTruthy();
  fireEvent.keyDown(figure, { key: "Enter" });
  await screen.findByRole("dialog", { name: /^Source rows of revenue/ });
  expect(behind().map((args) => args.slice(2))).toEqual([[["Harbour Sofa, 3 seats", "Seating", "184230.40"], 2]]);
});

it("a click on a bar does the same, in the order in which bars are drawn", async () => {
  await chart("r1");
  await waitFor(() => expect(drawChart).toHaveBeenCalled());
  const [, , , onPick] = vi.mocked(drawChart).mock.lastCall!;
  act(() => onPick(1));
  await screen.findByRole("dialog", { name: /^Source rows of revenue/ });
  expect(behind()[0]!.slice(2)).toEqual([expect.arrayContaining(["Oak Dining Table 220"]), 2]);
});

it("a click on a slice of a pie shows its source rows", async () => {
  const shares = {
    ...EXAMPLES[0]!,
    runId: "shares",
    page: page(
      [
        ["region", "text"],
        ["revenue", "decimal"],
      ],
      [
        ["North", "30.00"],
        ["South", "10.00"],
      ],
    ),
    headline: glance(2, {
      shape: "ranked",
      labels: [0],
      measure: 1,
      addsUp: true,
      highest: { row: 0, rows: 1 },
      lowest: { row: 1, rows: 1 },
    }),
  };
  act(() => {
    for (const event of exampleLog(shares, SAMPLE, new Date().toISOString())) host.emit({ kind: "run", event });
    useCharts.setState({ chosen: { shares: { type: "pie", measure: "revenue" } } });
  });
  await chart("shares");
  await waitFor(() => expect(drawChart).toHaveBeenCalled());
  act(() => vi.mocked(drawChart).mock.lastCall![3](1));
  await screen.findByRole("dialog", { name: /^Source rows of revenue/ });
  expect(behind()[0]!.slice(2)).toEqual([["South", "10.00"], 1]);
});

it("a click on a point of a line does so, too", async () => {
  await chart("a-series");
  await waitFor(() => expect(drawChart).toHaveBeenCalled());
  act(() => vi.mocked(drawChart).mock.lastCall![3](2));
  await screen.findByRole("dialog", { name: /^Source rows of revenue/ });
  expect(behind()[0]!.slice(2)).toEqual([["2024-03", "52310.25"], 1]);
});
