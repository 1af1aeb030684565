// The stages of a run for the progress list: one line each, including expected ones.

import { plural, t } from "@lingui/core/macro";
import { methodNamed, parameterValue } from "../../../domain/methods";
import type { StageKind } from "../../../host/bindings";
import { fetchedViews } from "./fetchedViews";
import type { NodeStatus, RunModel, StageNode } from "./model";
import { stageUsage } from "./model";
import { STAGE_NAMES } from "./names";
import { chosenInShort } from "./readings";
import { candidatesOf } from "./results";
import { roundsOf } from "./rounds";
import { isAside } from "./trajectory";

export interface StageLine {
  /** Its kind and round. */
  key: string;
  kind: StageKind;
  label: string;
  status: NodeStatus | "waiting";
  detail: string;
  stages: StageNode[];
  startMs: number | null;
  endMs: number | null;
  tokens: number;
}

/**
 * The kinds of stage that its method promises for a run with these settings. What only a model that deliberates goes through
 * is shown when it begins: a run does not say beforehand whether its model does.
 */
export function expectedKinds({ settings }: RunModel): StageKind[] {
  const method = methodNamed(settings?.strategy);
  if (!method || !settings) return [];
  const isSet = (key: string, word: string) => {
    const parameter = method.parameters.find((parameter) => parameter.key === key);
    return parameter !== undefined && parameterValue(settings.methods, method, parameter) === word;
  };
  return method.stages
    .filter(({ with: on }) => on === null || !settings.without.includes(on))
    .filter(({ without: off }) => off === null || settings.without.includes(off))
    .filter(({ deliberating }) => !deliberating)
    .filter(({ set }) => set === null || isSet(...set))
    .map(({ kind }) => kind);
}

/**
 * One line per kind of stage and round, in the order in which they began; pending stages after them, while the run is active.
 * Chunks share one line, and so do the steps of a query that grows.
 */
export function stageLines(run: RunModel): StageLine[] {
  const rounds = roundsOf(run);
  const groups = new Map<string, StageNode[]>();
  for (const stage of run.stages) {
    const key = `${stage.kind} ${rounds.get(stage.id) ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), stage]);
  }
  const seen = [...groups.entries()].map(([key, stages]) => stageLine(run, key, stages));
  if (run.status !== "running") return seen;
  const toCome = expectedKinds(run).filter((kind) => !run.stages.some((s) => s.kind === kind));
  return [...seen, ...toCome.map(waitingLine)];
}

function waitingLine(kind: StageKind): StageLine {
  return {
    key: `${kind} 0`,
    kind,
    label: STAGE_NAMES[kind].doing,
    status: "waiting",
    detail: "",
    stages: [],
    startMs: null,
    endMs: null,
    tokens: 0,
  };
}

function stageLine(run: RunModel, key: string, stages: StageNode[]): StageLine {
  const { kind } = stages[0]!;
  const chunks = run.stages.find((s) => s.schema)?.schema?.chunks.length ?? stages.length;
  const ended = stages.filter((s) => s.endMs !== null).length;
  // Chunks may start one after another: the line is not done while some are still to come.
  const pending = kind === "chunk" && run.status === "running" && ended < chunks;
  const status = pending ? "running" : worstStatus(stages.map((s) => s.status));
  const end = stages.every((s) => s.endMs !== null) && !pending ? Math.max(...stages.map((s) => s.endMs ?? 0)) : null;
  const label = isUnfinished(status) ? STAGE_NAMES[kind].doing : STAGE_NAMES[kind].done;
  return {
    key,
    kind,
    label: key.endsWith(" 0") || kind === "exploration" || kind === "result" ? label : t`${label} again`,
    status,
    detail: detailOf(run, kind, stages, chunks, ended),
    stages,
    startMs: Math.min(...stages.map((s) => s.startMs)),
    endMs: end,
    tokens: stages.reduce((sum, s) => {
      const usage = stageUsage(s);
      return sum + usage.prompt_tokens + usage.completion_tokens;
    }, 0),
  };
}

function detailOf(run: RunModel, kind: StageKind, stages: StageNode[], chunks: number, ended: number): string {
  const last = stages.at(-1)!;
  if (stages.some((s) => s.id === run.offeredAt))
    return run.approval ? t`waiting for your approval` : t`waiting for your choice`;
  if (kind === "chunk" && chunks > 1) return chunkDetail(run, stages, ended, chunks);
  if (kind === "step") return stepDetail(stages);
  if (kind === "generator" && stages.length > 1) {
    const candidates = stages.flatMap(candidatesOf);
    const failed = candidates.filter((c) => c.last.error !== null).length;
    const ways = t`${plural(candidates.length, { one: "# attempt", other: "# attempts" })} with ${plural(stages.length, { one: "# approach", other: "# approaches" })}`;
    return failed > 0 ? t`${ways}, ${failed} failed` : ways;
  }
  if (last.status === "running" && last.probes.length > 0) {
    return t`${plural(last.probes.length, { one: "# probing query", other: "# probing queries" })} so far`;
  }
  if (last.status === "running" && last.fetches.length > 0) {
    const fetched = fetchedViews(last).filter((v) => v.last.error === null).length;
    return t`${plural(fetched, { one: "# view", other: "# views" })} so far`;
  }
  const asked = stages.findLast((s) => s.asked !== null)?.asked ?? null;
  return [last.summary, chosenInShort(asked)].filter(Boolean).join(", ");
}

/** "4 steps, 1 of them exploratory", and during the run the purpose of the current one. */
function stepDetail(stages: StageNode[]): string {
  const last = stages.at(-1)!;
  const aside = stages.filter(isAside).length;
  const steps = plural(stages.length, { one: "# step", other: "# steps" });
  if (last.status === "running") return [steps, last.state?.aim].filter(Boolean).join(", ");
  return aside > 0 ? t`${steps}, ${aside} of them checked the data` : steps;
}

function isUnfinished(status: NodeStatus): boolean {
  return status === "running" || status === "failed" || status === "cancelled";
}

function chunkDetail(run: RunModel, stages: StageNode[], ended: number, chunks: number): string {
  const ids = new Set(stages.map((s) => s.id));
  const views = run.views.filter((v) => ids.has(v.stage));
  const kept = views.filter((v) => v.kept).length;
  if (ended < chunks) {
    const sofar = views.length === 0 ? "" : plural(views.length, { one: "# view so far", other: "# views so far" });
    return [t`part ${Math.min(ended + 1, chunks)} of ${chunks}`, sofar].filter(Boolean).join(", ");
  }
  const found = views.length === 0 ? "" : t`${kept} of ${views.length} views kept`;
  return [t`${chunks} parts`, found].filter(Boolean).join(", ");
}

const ORDER: NodeStatus[] = ["running", "cancelled", "failed", "warning", "done", "skipped"];

/** The status of a group of nodes: running first, then failures, then success. */
export function worstStatus(statuses: NodeStatus[]): NodeStatus {
  const some = ORDER.find((status) => statuses.includes(status)) ?? "done";
  // One failed node among good ones is a warning, not a failure of the stage.
  if (some === "failed" && statuses.some((s) => s === "done" || s === "warning")) return "warning";
  return some;
}
