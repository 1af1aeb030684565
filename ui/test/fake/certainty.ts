// How sure the made-up answers are.

import type { Certainty, EventBody, RunEvent } from "../../src/host/bindings";

const reason = (code: string, supports: boolean, text: string) => ({ code, supports, text });

export const CERTAINTIES: Record<"sure" | "check" | "unlikely", Certainty> = {
  sure: {
    level: "sure",
    probability: 0.968,
    reasons: [
      reason(
        "prompts-agree",
        true,
        "Two queries that were written from different descriptions of the data give the same result.",
      ),
      reason("tokens", true, "The model hesitated nowhere while it wrote the query."),
      reason("covered", true, "Every condition of the question is found in the query."),
    ],
  },
  check: {
    level: "check",
    probability: 0.71,
    reasons: [
      reason(
        "few-agree",
        false,
        "3 of 5 queries give this result; the other two count a customer once for each order.",
      ),
      reason("word-unanswered", false, "Nothing in the query answers to the word “active”."),
      reason("tokens", true, "The model hesitated nowhere while it wrote the query."),
    ],
  },
  unlikely: {
    level: "unlikely",
    probability: 0.22,
    reasons: [
      reason(
        "none-agree",
        false,
        "The question was asked again in other words, and each time the result was another one.",
      ),
      reason("grain", false, "Orders are counted once for each of their items."),
      reason("empty-month", false, "The data ends in March, and the question asks for the whole year."),
    ],
  },
};

const FURTHER = [
  { restated: false, sql: "SELECT COUNT(*) AS orders\nFROM orders\nWHERE order_dt LIKE '%/2025'", same: false },
  {
    restated: true,
    sql: "SELECT COUNT(DISTINCT cust_id) AS n\nFROM orders\nWHERE order_dt LIKE '%/2025'",
    same: true,
  },
];

/** The run with an estimate right after its answer and, where `later` is given, a firm one after some seconds of work. */
export function estimatedLog(events: RunEvent[], first: Certainty, later?: Certainty, ms = 7000): RunEvent[] {
  const at = events.findIndex((e) => e.body.type === "resultReady");
  const { runId, atMs } = events[at]!;
  const end = events.at(-1)!;
  const put = (body: EventBody, after: number): RunEvent => ({ runId, seq: 0, atMs: after, body });
  const estimate = (certainty: Certainty, firm: boolean, after: number) =>
    put({ type: "certaintyEstimated", node: "result", certainty, firm }, after);
  const behind = later
    ? [
        ...FURTHER.map((test, i) =>
          put({ type: "answerTested", node: "result", error: null, ...test }, end.atMs + (ms * (i + 1)) / 3),
        ),
        estimate(later, true, end.atMs + ms),
      ]
    : [];
  const told = [
    ...events.slice(0, at + 1),
    estimate(first, later === undefined, atMs),
    ...events.slice(at + 1, -1),
    ...behind,
    { ...end, atMs: end.atMs + (later ? ms : 0) },
  ];
  return told.map((event, i) => ({ ...event, seq: i + 1 }));
}
