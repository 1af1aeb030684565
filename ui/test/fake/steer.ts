// Runs that go on from an earlier one, as the made-up host has them: places and estimates from the log, and a log in which
// the stages before the change are kept.

import { addUsage, NO_USAGE } from "../../src/domain/usage";
import type {
  EventBody,
  RunChange,
  RunComparison,
  RunEvent,
  RunSide,
  SteerEdit,
  SteerPlace,
} from "../../src/host/bindings";

type Body<Kind extends EventBody["type"]> = Extract<EventBody, { type: Kind }>;

const of = <Kind extends EventBody["type"]>(events: RunEvent[], kind: Kind) =>
  events.map((e) => e.body).filter((body): body is Body<Kind> => body.type === kind);

/** What can be set at a stage, by its kind. */
function changesOf(events: RunEvent[], stage: Body<"stageStarted">): RunChange[] {
  const sql = of(events, "resultReady").map(({ sql }): RunChange => ({ kind: "sql", sql }));
  switch (stage.kind) {
    case "rewriter":
      return of(events, "rewritten").map(({ rewritten }) => ({ kind: "rewritten", rewritten }));
    case "chunk": {
      const kept = of(events, "chunkFinished").find((body) => body.node === stage.node)?.keptViews ?? [];
      const views = of(events, "viewsAttempted").flatMap((body) => (body.node === stage.node ? body.views : []));
      return kept.map((name) => ({ kind: "view", name, sql: views.findLast((v) => v.name === name)?.sql ?? "" }));
    }
    case "selection":
      return [{ kind: "tables", added: [], dropped: [] }];
    case "planner":
      return of(events, "planned").map(({ plan }) => ({ kind: "plan", text: plan }));
    case "generator":
    case "result":
      return sql.slice(0, 1);
    default:
      return [];
  }
}

export function fakePlaces(events: RunEvent[]): SteerPlace[] {
  const stages = of(events, "stageStarted");
  const calls = of(events, "modelCallFinished");
  return stages.map((stage, at) => {
    const edits = changesOf(events, stage).map((change): SteerEdit => {
      const after = stages.slice(change.kind === "sql" ? stages.length - 1 : at + 1);
      const again = new Set(after.map(({ node }) => node));
      return {
        change,
        again: after.map(({ title }) => title),
        kept: stages.slice(0, at).map(({ title }) => title),
        took: calls.filter(({ node }) => again.has(node)).reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
      };
    });
    const whyNot = edits.length > 0 ? null : "This step cannot be edited. Edit the SQL";
    return { node: stage.node, edits, whyNot };
  });
}

/** The log of a run that goes on from another with a change at a node. */
export function steeredLog(runId: string, startedAt: string, before: RunEvent[], changes: RunChange[]): RunEvent[] {
  const from = before[0]!.runId;
  const places = fakePlaces(before);
  // A reading stands where the SQL does.
  const kinds = new Set<string>(changes.map(({ kind }) => (kind === "reading" ? "sql" : kind)));
  const changed = (place: SteerPlace) => place.edits.some(({ change }) => kinds.has(change.kind));
  // Without a change the run goes on where it was stopped.
  const at = changes.length === 0 ? places.length : places.findIndex(changed);
  const kept = new Set(places.slice(0, at).map(({ node }) => node));
  const bodies: EventBody[] = [];
  for (const { body } of before) {
    const node = "node" in body ? body.node : null;
    const isWork = ["modelCallStarted", "modelCallProgress", "modelCallFinished", "queryExecuted"].includes(
      body.type,
    );
    if (isWork && node !== null && (kept.has(node) || node === places[at]?.node)) continue;
    if (body.type === "runStarted") bodies.push({ ...body, startedAt, steered: { from, changes, without: [] } });
    else if (body.type === "resultReady" && changes[0]?.kind === "sql") bodies.push({ ...body, sql: changes[0].sql });
    else bodies.push(body);
    if (body.type !== "stageStarted") continue;
    if (kept.has(body.node)) bodies.push({ type: "stageKept", node: body.node, from });
    if (body.node === places[at]?.node)
      for (const change of changes.filter(({ kind }) => kind !== "reading"))
        bodies.push({ type: "stageEdited", node: body.node, change });
  }
  return bodies.map((body, i) => ({ runId, seq: i + 1, atMs: i * 20, body }));
}

export function fakeComparison(one: RunEvent[], other: RunEvent[]): RunComparison {
  const [left, right] = [sideOf(one), sideOf(other)];
  const pages = [one, other].map((events) => of(events, "resultReady").at(-1)?.page);
  const [first, second] = pages;
  if (!first || !second) return { left, right, rows: null };
  const same = JSON.stringify(first.rows) === JSON.stringify(second.rows);
  const columns = first.columns.map(({ name }) => name);
  return {
    left,
    right,
    rows: {
      columns,
      columnsLeft: [],
      columnsRight: [],
      key: columns.slice(0, 1),
      same: same ? first.rows.length : 1,
      changed: same
        ? []
        : [{ key: ["Dried apricots"], cells: [{ column: "revenue_2024", left: "48120.50", right: "51007.25" }] }],
      changedCount: same ? 0 : 1,
      onlyLeft: same ? [] : first.rows.slice(1, 3),
      onlyLeftCount: same ? 0 : 2,
      onlyRight: same ? [] : second.rows.slice(1, 2),
      onlyRightCount: same ? 0 : 1,
      partial: first.truncated || second.truncated,
    },
  };
}

function sideOf(events: RunEvent[]): RunSide {
  const [started] = of(events, "runStarted");
  const ready = of(events, "resultReady").at(-1);
  const finished = of(events, "runFinished").at(-1);
  return {
    runId: events[0]!.runId,
    question: started!.question,
    strategy: started!.settings.strategy,
    status: finished?.error === null ? "answered" : "failed",
    warehouse: started!.warehouse,
    startedAt: started!.startedAt,
    sql: ready?.sql ?? null,
    code: ready?.code ?? null,
    rowCount: ready?.page.rowCount ?? null,
    certainty: of(events, "certaintyEstimated").at(-1)?.certainty ?? null,
    usage: finished?.usage ?? NO_USAGE,
    steered: started!.steered ?? null,
  };
}
