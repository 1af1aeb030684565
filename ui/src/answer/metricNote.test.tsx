// Answers by metrics: whose definition they follow, and how the question was understood.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { SAMPLE } from "../../test/fake/data";
import type { FakeHost } from "../../test/fake/host";
import { directLog } from "../../test/fake/log";
import { start } from "../../test/start";
import type { MetricAnswer, RunEvent } from "../host/bindings";
import { navigate } from "../navigation/route";

const ANSWER: MetricAnswer = {
  metrics: [
    {
      name: "revenue",
      label: "Revenue",
      owner: "Finance",
      description: "Net amount of all order lines.",
      unit: "USD",
      filters: ["order__status <> 'cancelled'"],
    },
  ],
  by: ["Region"],
  filters: ["Channel: web"],
  period: "2024-01-01 to 2024-12-31",
  calculation: null,
  order: null,
  limit: null,
  parts: [
    { text: "sales", role: "metric", meaning: "Revenue" },
    { text: "by region", role: "group", meaning: "Region" },
    { text: "in", role: "filler" },
    { text: "2024", role: "time", meaning: "2024-01-01 to 2024-12-31" },
  ],
  query: {
    metrics: ["revenue"],
    by: ["order__store__region"],
    filters: ["order__channel = 'web'"],
    from: "2024-01-01",
    to: "2024-12-31",
    compare: null,
    share: false,
    runningTotal: false,
    order: [],
    limit: null,
  },
};

/** Plays a run, with the event that metrics answer it before the answer. */
function play(host: FakeHost, runId: string, answer: MetricAnswer | null) {
  const events = directLog(runId, SAMPLE, new Date().toISOString());
  const at = events.findIndex((event) => event.body.type === "resultReady");
  const before = events[at]!;
  const applied: RunEvent[] =
    answer === null ? [] : [{ ...before, body: { type: "metricsApplied", node: "metrics", answer } }];
  const all = [...events.slice(0, at), ...applied, ...events.slice(at)].map((event, index) => ({
    ...event,
    seq: index + 1,
  }));
  act(() => {
    for (const event of all) host.emit({ kind: "run", event });
    navigate({ page: "run", runId, tab: "answer" });
  });
}

it("names the owner of the definition, which is one click away", async () => {
  const host = await start();
  play(host, "by-metrics", ANSWER);
  const note = await screen.findByRole("region", { name: "Definition of the answer" });
  expect(note.textContent).not.toContain("Net amount");
  await userEvent.click(within(note).getByRole("button", { name: "Revenue, as defined by Finance" }));
  for (const text of [
    "Net amount of all order lines.",
    "USD",
    "order__status <> 'cancelled'",
    "Channel: web",
    "Region",
  ])
    expect(note.textContent).toContain(text);
  expect(note.textContent).toContain("“sales” (Revenue)");
  expect(note.textContent).not.toContain("“in”");
});

it("says that a definition without an owner is the connection's", async () => {
  const host = await start();
  play(host, "unowned", { ...ANSWER, metrics: [{ ...ANSWER.metrics[0]!, owner: null }] });
  await screen.findByRole("button", { name: "Revenue, as defined for this connection" });
});

it("explains why the metric changed, by contributions that sum to the change", async () => {
  const host = await start();
  play(host, "changed", ANSWER);
  await userEvent.click(await screen.findByRole("button", { name: "Why did it change?" }));
  const panel = await screen.findByRole("region", { name: "Why it changed" });
  await within(panel).findByText(/Revenue fell by 100 EUR/);
  const table = within(panel).getByRole("table", { name: "Contributions to the change by Region" });
  expect(within(table).getByRole("row", { name: /South/ }).textContent).toContain("-80.00");
  expect(within(table).getByRole("row", { name: /3 others/ }).textContent).toContain("-20.00");
  await userEvent.click(within(panel).getByRole("radio", { name: "the year before" }));
  await within(panel).findByText(/Revenue fell by 100 EUR/);
  const requests = host.calls.filter(([name]) => name === "metricChange").map(([, args]) => args[1]);
  expect(requests).toHaveLength(2);
  expect(requests[0]).toMatchObject({ from: "2023-01-01..2023-12-31", to: "2024-01-01..2024-12-31" });
});

it("offers no comparison without a period", async () => {
  const host = await start();
  play(host, "always", { ...ANSWER, period: null, query: { ...ANSWER.query, from: null, to: null } });
  await screen.findByRole("region", { name: "Definition of the answer" });
  expect(screen.queryByRole("button", { name: "Why did it change?" })).toBeNull();
});

it("is absent where a model wrote the query", async () => {
  const host = await start();
  play(host, "by-model", null);
  await waitFor(() => expect(document.querySelector('[data-tour="answer"]')).toBeTruthy());
  expect(screen.queryByRole("region", { name: "Definition of the answer" })).toBeNull();
});
