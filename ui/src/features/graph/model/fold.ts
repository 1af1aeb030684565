// The pure fold of a run's events. The stage list, the graph and the outline show its model.
// Every step returns a new model and shares what did not change, so that React can compare by identity.

import { addUsage, NO_USAGE } from "../../../domain/usage";
import type { Agent, EventBody, RunEvent, RunStatus, Usage, ValueMatch, ViewAttempt } from "../../../host/bindings";
import { updateEstimate } from "./certainty";
import {
  type Call,
  emptyRun,
  type NodeStatus,
  type OfferedReadings,
  type RunModel,
  type StageNode,
  type ViewNode,
} from "./model";
import { newStage } from "./newStage";

/** Folds the events of one run, in order. */
export function foldRun(events: readonly RunEvent[], runId = ""): RunModel {
  return events.reduce(applyEvent, emptyRun(runId));
}

/** Applies the next event. A repeated event changes nothing. */
export function applyEvent(run: RunModel, event: RunEvent): RunModel {
  if (event.seq <= run.lastSeq) return run;
  const next: RunModel = {
    ...run,
    runId: event.runId,
    lastSeq: event.seq,
    lastMs: Math.max(run.lastMs, event.atMs),
  };
  return applyBody(next, event.body, event.atMs);
}

function applyBody(run: RunModel, body: EventBody, at: number): RunModel {
  switch (body.type) {
    case "runStarted":
      return {
        ...run,
        question: body.question,
        knowledge: body.knowledge,
        warehouse: body.warehouse,
        dialect: body.dialect,
        settings: body.settings,
        models: body.models,
        egress: body.egress ?? null,
        follows: body.follows ?? null,
        steered: body.steered ?? null,
        guidedBy: body.guidedBy ?? [],
        startedAt: body.startedAt,
      };
    case "stageStarted":
      return updateStage(run, body.node, at, (s) => ({
        ...s,
        kind: body.kind,
        title: body.title,
        inputs: body.inputs,
        status: "running",
        startMs: at,
        endMs: null,
      }));
    case "stageFinished":
      return updateStage(run, body.node, at, (s) => ({
        ...s,
        status: finishedStatus(s),
        endMs: at,
        summary: body.summary,
      }));
    case "stageKept":
      return updateStage(run, body.node, at, (s) => ({ ...s, keptFrom: body.from }));
    case "stageEdited":
      return updateStage(run, body.node, at, (s) => ({ ...s, edits: [...s.edits, body.change] }));
    case "schemaPrepared": {
      const { type: _, node, ...schema } = body;
      return updateStage(run, node, at, (s) => ({ ...s, schema }));
    }
    case "modelCallStarted": {
      const { type: _, node, ...call } = body;
      const started: Call = {
        ...call,
        text: "",
        replies: null,
        usage: null,
        error: null,
        startMs: at,
        endMs: null,
      };
      return updateStage(run, node, at, (s) => ({ ...s, calls: [...s.calls, started] }));
    }
    case "requestSent": {
      const { type: _, ...sent } = body;
      const bytes = new TextEncoder().encode(sent.body).length;
      return { ...run, sent: [...run.sent, { ...sent, atMs: at, bytes }] };
    }
    case "modelCallProgress":
      return recordCall(run, body.node, body.call, at, (c) => ({ ...c, text: c.text + body.text }));
    case "modelCallFinished":
      return countUsage(
        recordCall(run, body.node, body.call, at, (c) => ({
          ...c,
          replies: body.replies,
          text: body.replies[0] ?? c.text,
          usage: body.usage,
          error: body.error,
          endMs: at,
        })),
        body.agent,
        body.usage,
      );
    case "rewritten":
      return updateStage({ ...run, rewritten: body.rewritten }, body.node, at, (s) => ({
        ...s,
        rewritten: body.rewritten,
      }));
    case "valuesRetrieved":
      return updateStage(run, body.node, at, (s) => ({
        ...s,
        literals: uniqueValues([...s.literals, ...body.literals]),
        values: [...s.values, ...body.matches.filter((m) => !s.values.some((v) => sameMatch(v, m)))],
      }));
    case "viewsAttempted": {
      const { type: _, node, chunk, ...attempt } = body;
      const grown = updateStage(run, node, at, (s) => ({
        ...s,
        chunk,
        chunkAttempts: [...s.chunkAttempts, attempt],
      }));
      return { ...grown, views: growViews(grown.views, node, chunk, body.attempt, body.views) };
    }
    case "chunkFinished": {
      const ended = updateStage(run, body.node, at, (s) => ({
        ...s,
        chunk: body.chunk,
        outcome: body.outcome,
        keptAttempt: body.keptAttempt,
        keptViews: body.keptViews,
      }));
      const views = ended.views.map((v) =>
        v.chunk === body.chunk ? settleView(v, body.keptAttempt, body.keptViews) : v,
      );
      return { ...ended, views };
    }
    case "aggregated":
      return updateStage({ ...run, selection: body.selection }, body.node, at, (s) => ({
        ...s,
        selection: body.selection,
        passedViews: body.views,
      }));
    case "planned":
      return updateStage({ ...run, plan: body.plan }, body.node, at, (s) => ({ ...s, plan: body.plan }));
    case "reasonGiven": {
      const { type: _, node, ...given } = body;
      return updateStage(run, node, at, (s) => ({ ...s, reasons: [...s.reasons, given] }));
    }
    case "schemaLinked": {
      const { type: _, node, ...linked } = body;
      return updateStage({ ...run, selection: linked.kept }, node, at, (s) => ({
        ...s,
        linked: [...s.linked, linked],
      }));
    }
    case "schemaShuffled": {
      const { type: _, node, ...order } = body;
      return updateStage(run, node, at, (s) => ({ ...s, orders: [...s.orders, order] }));
    }
    case "probed":
      // A corrected probe replaces its earlier attempt.
      return updateStage(run, body.node, at, (s) => ({
        ...s,
        probes: [...s.probes.filter((p) => p.number !== body.probe.number), body.probe],
      }));
    case "summarised":
      return updateStage(run, body.node, at, (s) => ({ ...s, facts: body.facts }));
    case "stateReached": {
      const { type: _, node, ...state } = body;
      return updateStage(run, node, at, (s) => ({ ...s, state }));
    }
    case "examplesWritten": {
      const { type: _, node, ...examples } = body;
      return updateStage(run, node, at, (s) => ({ ...s, examples }));
    }
    case "voted": {
      const { type: _, node, ...vote } = body;
      return updateStage(run, node, at, (s) => ({ ...s, vote }));
    }
    case "compared": {
      const { type: _, node, ...comparison } = body;
      return updateStage(run, node, at, (s) => ({ ...s, comparison }));
    }
    case "viewFetched": {
      const { type: _, node, ...fetch } = body;
      return updateStage(run, node, at, (s) => ({ ...s, fetches: [...s.fetches, fetch] }));
    }
    case "analysed": {
      const { type: _, node, ...execution } = body;
      return updateStage(run, node, at, (s) => ({ ...s, executions: [...s.executions, execution] }));
    }
    case "sqlAttempted": {
      const { type: _, node, ...attempt } = body;
      return updateStage(run, node, at, (s) => ({ ...s, sqlAttempts: [...s.sqlAttempts, attempt] }));
    }
    case "queryChanged": {
      const { type: _, node, ...change } = body;
      return updateStage(run, node, at, (s) => ({ ...s, changed: [...s.changed, change] }));
    }
    case "variantTried": {
      const { type: _, node, ...tried } = body;
      return updateStage(run, node, at, (s) => ({ ...s, variantsTried: [...s.variantsTried, tried] }));
    }
    case "candidateChosen": {
      const { type: _, node, ...choice } = body;
      return updateStage({ ...run, sql: choice.sql }, node, at, (s) => ({ ...s, choice, sql: choice.sql }));
    }
    case "metricsApplied":
      return { ...run, metrics: body.answer };
    case "readingsOffered": {
      const asked: OfferedReadings = { readings: body.readings, taken: null, by: null, remembered: null };
      const waiting = { ...run, asked, offered: body.readings, offeredAt: body.node };
      return updateStage(waiting, body.node, at, (s) => ({ ...s, asked }));
    }
    case "readingChosen": {
      const readings = run.asked?.readings ?? [];
      // The user let Vitrine choose: the first interpretation is the answer without asking.
      const asked: OfferedReadings =
        body.candidate === null
          ? { readings, taken: readings[0]?.candidate ?? null, by: "vitrine", remembered: null }
          : { readings, taken: body.candidate, by: "person", remembered: body.remembered ?? null };
      return updateStage({ ...run, asked, offered: null, offeredAt: null }, body.node, at, (s) => ({ ...s, asked }));
    }
    case "approvalAsked": {
      const { type: _, node, ...approval } = body;
      return updateStage({ ...run, approval, offeredAt: node }, node, at, (s) => s);
    }
    case "approvalDecided":
      return { ...run, approval: null, offeredAt: null };
    case "revised": {
      const { type: _, node, ...revision } = body;
      const sql = revision.kept ? revision.after : revision.before;
      return updateStage({ ...run, sql, revision }, node, at, (s) => ({ ...s, revision, sql }));
    }
    case "queryExecuted": {
      const { type: _, node, ...query } = body;
      const spent = countUsage(run, body.agent, { ...NO_USAGE, db_calls: 1, wall_ms: body.ms });
      return updateStage(spent, node, at, (s) => ({ ...s, queries: [...s.queries, query] }));
    }
    case "warning": {
      const { node, message, passing = false } = body;
      const warned = { ...run, warnings: [...run.warnings, { node, message, passing }] };
      if (!body.node) return warned;
      return updateStage(warned, body.node, at, (s) => ({ ...s, warnings: [...s.warnings, body.message] }));
    }
    case "resultReady": {
      const { sql, page } = body;
      const code = body.code ?? null;
      // Logs of earlier versions lack the fields of rules.
      const { written = null, changes = [], variants = [], findings = [] } = body;
      const rules = { written, changes, variants, findings };
      const headline = body.headline ?? null;
      const answered = {
        ...run,
        ...withoutPassingWarnings(run),
        answeredMs: at,
        sql,
        code,
        page,
        headline,
        rules,
        best: null,
      };
      return updateStage(answered, body.node, at, (s) => ({
        ...s,
        sql,
        code,
        page,
        rules,
      }));
    }
    case "bestSoFar": {
      const { type: _, ...best } = body;
      return { ...run, ...withoutPassingWarnings(run), best: { ...best, atMs: at, goesOn: null } };
    }
    case "lookingDecided":
      return { ...run, best: run.best && { ...run.best, goesOn: body.goesOn } };
    case "certaintyEstimated":
      return { ...run, certainty: updateEstimate(run.certainty, body.certainty, body.firm) };
    case "answerTested": {
      const { type: _, node, ...test } = body;
      return updateStage(run, node, at, (s) => ({ ...s, tests: [...s.tests, test] }));
    }
    case "explained":
      return { ...run, explanation: body.explanation };
    case "runFinished": {
      const cancelled = body.error?.code === "cancelled";
      const status: RunStatus = body.error === null ? "answered" : cancelled ? "cancelled" : "failed";
      // Stages still running were stopped: by the user, or by the question's budget, which still gives an answer.
      const left: NodeStatus = body.error === null || cancelled ? "cancelled" : "failed";
      return {
        ...run,
        ...withoutPassingWarnings(run),
        status,
        offered: null,
        offeredAt: null,
        error: body.error,
        usage: body.usage,
        usageByAgent: body.usageByAgent,
        stages: run.stages.map((s) =>
          s.status === "running" ? { ...s, status: left, endMs: at, calls: s.calls.map((c) => endCall(c, at)) } : s,
        ),
      };
    }
    default:
      // An event of a newer version counts as seen and is not shown.
      return run;
  }
}

function updateStage(run: RunModel, id: string, at: number, change: (stage: StageNode) => StageNode): RunModel {
  const known = run.stages.some((s) => s.id === id);
  const stages = known ? run.stages : [...run.stages, newStage(id, at)];
  return { ...run, stages: stages.map((s) => (s.id === id ? change(s) : s)) };
}

function recordCall(run: RunModel, node: string, number: number, at: number, change: (call: Call) => Call): RunModel {
  return updateStage(run, node, at, (s) => ({
    ...s,
    calls: s.calls.map((c) => (c.call === number ? change(c) : c)),
  }));
}

function endCall(call: Call, at: number): Call {
  return call.endMs === null ? { ...call, endMs: at } : call;
}

/** The warnings that remain once something was found, or the search has ended. */
function withoutPassingWarnings({ warnings }: RunModel): Pick<RunModel, "warnings"> {
  return { warnings: warnings.some((w) => w.passing) ? warnings.filter((w) => !w.passing) : warnings };
}

function finishedStatus(stage: StageNode): NodeStatus {
  if (stage.outcome === "irrelevant") return "skipped";
  if (stage.outcome === "failed" || stage.state?.error || gaveNothing(stage)) return "failed";
  if (stage.outcome === "partial" || stage.warnings.length > 0 || choseNothing(stage)) return "warning";
  return "done";
}

/** Returns whether all attempts of a stage at queries, views or tables failed. */
function gaveNothing({ fetches, executions, sqlAttempts, probes }: StageNode): boolean {
  return [fetches, executions, sqlAttempts, probes].some(
    (tried) => tried.length > 0 && tried.every((t) => t.error !== null),
  );
}

/** Returns whether a stage that selects tables selected none: the run continues without it. */
function choseNothing({ selection, linked }: StageNode): boolean {
  const kept = selection ?? linked.at(-1)?.kept ?? null;
  return kept !== null && kept.tables.length === 0;
}

function countUsage(run: RunModel, agent: Agent, usage: Usage): RunModel {
  return {
    ...run,
    // Checks after the answer are not part of its cost.
    usage: agent === "assessor" ? run.usage : addUsage(run.usage, usage),
    usageByAgent: { ...run.usageByAgent, [agent]: addUsage(run.usageByAgent[agent] ?? NO_USAGE, usage) },
  };
}

function growViews(
  views: ViewNode[],
  stageId: string,
  chunk: number,
  attempt: number,
  tried: ViewAttempt[],
): ViewNode[] {
  const grown = views.map((v) => {
    const again = v.chunk === chunk ? tried.find((t) => t.name === v.name) : undefined;
    if (!again) return v;
    // A later failed attempt does not replace an earlier one that ran.
    const last = again.status !== "error" || v.last.status === "error" ? again : v.last;
    return { ...v, attempts: [...v.attempts, { attempt, view: again }], last, status: viewStatus(last, v.kept) };
  });
  const fresh = tried
    .filter((t) => !views.some((v) => v.chunk === chunk && v.name === t.name))
    .map((t): ViewNode => {
      const taken = views.some((v) => v.name === t.name);
      return {
        type: "view",
        id: taken ? `view:${t.name}@${chunk}` : `view:${t.name}`,
        name: t.name,
        chunk,
        stage: stageId,
        attempts: [{ attempt, view: t }],
        last: t,
        kept: null,
        status: viewStatus(t, null),
      };
    });
  return [...grown, ...fresh];
}

function settleView(view: ViewNode, keptAttempt: number | null, keptViews: string[]): ViewNode {
  const kept = keptViews.includes(view.name);
  const chosen = kept ? view.attempts.find((a) => a.attempt === keptAttempt)?.view : undefined;
  const last = chosen ?? view.last;
  return { ...view, kept, last, status: viewStatus(last, kept) };
}

function viewStatus(view: ViewAttempt, kept: boolean | null): NodeStatus {
  if (view.status === "error") return "failed";
  if (kept === false) return "skipped";
  return view.status === "empty" ? "warning" : "done";
}

function sameMatch(a: ValueMatch, b: ValueMatch): boolean {
  return a.literal === b.literal && a.table === b.table && a.column === b.column && a.value === b.value;
}

function uniqueValues(items: string[]): string[] {
  return [...new Set(items)];
}
