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

it("is absent where a model wrote the query", async () => {
  const host = await start();
  play(host, "by-model", null);
  await waitFor(() => expect(document.querySelector('[data-tour="answer"]')).toBeTruthy());
  expect(screen.queryByRole("region", { name: "Definition of the answer" })).toBeNull();
});
