// The model of a run, folded from its events, and functions that read it.

import { addUsage, NO_USAGE } from "../../../domain/usage";
import type {
  AskSettings,
  Dialect,
  EgressPolicy,
  EventBody,
  Explanation,
  FollowUp,
  GuidedBy,
  Headline,
  MetricAnswer,
  Page,
  Probe,
  Reading,
  RememberedChoice,
  RewrittenQuestion,
  RunChange,
  RunStatus,
  SchemaSelection,
  Steered,
  Usage,
  ViewAttempt,
} from "../../../host/bindings";
import type { Estimate } from "./certainty";

/** The fields of an event, without its type and node. */
type EventFields<Kind extends EventBody["type"]> = Omit<Extract<EventBody, { type: Kind }>, "type" | "node">;

export type NodeStatus = "running" | "done" | "warning" | "failed" | "skipped" | "cancelled";

/** One model call of a stage. */
export interface Call extends EventFields<"modelCallStarted"> {
  /** The first reply as it is written. */
  text: string;
  /** All replies, once finished. */
  replies: EventFields<"modelCallFinished">["replies"] | null;
  usage: Usage | null;
  error: EventFields<"modelCallFinished">["error"];
  startMs: number;
  endMs: number | null;
}

export type Query = EventFields<"queryExecuted">;
export type SqlAttempt = EventFields<"sqlAttempted">;
export type ChunkAttempt = Omit<EventFields<"viewsAttempted">, "chunk">;

/** A query that rules changed before it ran. */
export type QueryChange = EventFields<"queryChanged">;
/** A variant of a candidate's query, made by a rule. */
export type VariantTry = EventFields<"variantTried">;

/** Changes, variants and findings of the rules for the answer's query. */
export type AnswerRules = Required<Pick<EventFields<"resultReady">, "written" | "changes" | "variants" | "findings">>;

export type Revision = EventFields<"revised">;

/** The interpretations that the user was asked about. */
export interface OfferedReadings extends EventFields<"readingsOffered"> {
  /** The candidate of the chosen interpretation; null if none was chosen (yet). */
  taken: number | null;
  /** Who chose it: the user, or Vitrine if the user left the choice to it. */
  by: "person" | "vitrine" | null;
  /** The choice from before, if the same question was asked then. */
  remembered: RememberedChoice | null;
}

/** The query that the user is asked to approve. */
export type AskedApproval = EventFields<"approvalAsked">;

/** A further query, written behind the answer. */
export type AnswerTest = EventFields<"answerTested">;

/** The result of one round of selecting tables and columns. */
export type LinkedSchema = EventFields<"schemaLinked">;
export type Vote = EventFields<"voted">;
/** The reason for a plan, or for preferring one of the compared candidates. */
export type GivenReason = EventFields<"reasonGiven">;
export type Comparison = EventFields<"compared">;
/** One attempt to fetch a view. */
export type FetchAttempt = EventFields<"viewFetched">;
/** One execution of code over the fetched views. */
export type Execution = EventFields<"analysed">;

/** A stage of the run: one node, or one lane when it is a chunk. */
export interface StageNode
  extends EventFields<"stageStarted">,
    EventFields<"stageFinished">,
    EventFields<"summarised">,
    Pick<EventFields<"valuesRetrieved">, "literals">,
    Pick<EventFields<"chunkFinished">, "keptAttempt" | "keptViews"> {
  type: "stage";
  id: string;
  status: NodeStatus;
  startMs: number;
  endMs: number | null;
  calls: Call[];
  queries: Query[];
  warnings: string[];
  values: EventFields<"valuesRetrieved">["matches"];
  schema: EventFields<"schemaPrepared"> | null;
  rewritten: RewrittenQuestion | null;
  chunk: EventFields<"chunkFinished">["chunk"] | null;
  chunkAttempts: ChunkAttempt[];
  outcome: EventFields<"chunkFinished">["outcome"] | null;
  selection: SchemaSelection | null;
  passedViews: EventFields<"aggregated">["views"];
  plan: EventFields<"planned">["plan"] | null;
  /** The reasons of the planner or judge, in the order of its replies. */
  reasons: GivenReason[];
  linked: LinkedSchema[];
  /** The orders in which tables were put into prompts. */
  orders: EventFields<"schemaShuffled">[];
  probes: Probe[];
  /** A state of a query built step by step. */
  state: EventFields<"stateReached"> | null;
  examples: EventFields<"examplesWritten"> | null;
  vote: Vote | null;
  comparison: Comparison | null;
  fetches: FetchAttempt[];
  executions: Execution[];
  sqlAttempts: SqlAttempt[];
  changed: QueryChange[];
  variantsTried: VariantTry[];
  /** Of the answer, at the node that gave it. */
  rules: AnswerRules | null;
  choice: EventFields<"candidateChosen"> | null;
  /** The question to the user at this stage. */
  asked: OfferedReadings | null;
  revision: Revision | null;
  tests: AnswerTest[];
  sql: string | null;
  /** Python code that computed the rows, if SQL alone did not. */
  code: string | null;
  page: Page | null;
  /** The earlier run that the stage's result was taken from. */
  keptFrom: string | null;
  /** The user's change at this stage. */
  edits: RunChange[];
}

/** A view over all its attempts: a node inside its chunk's lane. */
export interface ViewNode {
  type: "view";
  id: string;
  name: string;
  chunk: number;
  stage: string;
  attempts: (Pick<ChunkAttempt, "attempt"> & { view: ViewAttempt })[];
  /** The kept attempt, else the last that ran, else the last. */
  last: ViewAttempt;
  /** True if the generator was given it; null until the chunk ended. */
  kept: boolean | null;
  status: NodeStatus;
}

export type GraphNode = StageNode | ViewNode;

/** The best query before there is an answer. */
export interface BestSoFar extends EventFields<"bestSoFar"> {
  node: string;
  /** Milliseconds of the run when it was shown. */
  atMs: number;
  /** True if the run continues; null until the user decides. */
  goesOn: boolean | null;
}

/** A request that went to a model behind an address. */
export interface SentRequest extends EventFields<"requestSent"> {
  node: string;
  /** Milliseconds of the run when it went. */
  atMs: number;
  /** Size of the body in bytes. */
  bytes: number;
}

/** The model of a run. */
export interface RunModel
  extends Pick<EventFields<"runStarted">, "question" | "knowledge" | "warehouse" | "models">,
    EventFields<"runFinished"> {
  runId: string;
  lastSeq: number;
  lastMs: number;
  /** When the answer was there, which is before the run has ended. */
  answeredMs: number | null;
  status: RunStatus;
  dialect: Dialect | null;
  settings: AskSettings | null;
  startedAt: string | null;
  /** The privacy level of remote models; null without one, and in logs of earlier versions. */
  egress: EgressPolicy | null;
  sent: SentRequest[];
  stages: StageNode[];
  views: ViewNode[];
  rewritten: RewrittenQuestion | null;
  selection: SchemaSelection;
  plan: string | null;
  sql: string | null;
  /** Python code that computed the rows; `sql` then holds the queries of the views that it reads. */
  code: string | null;
  revision: Revision | null;
  page: Page | null;
  /** The headline; null in logs of earlier versions. */
  headline: Headline | null;
  /** The question before, if this one follows up on it. */
  follows: FollowUp | null;
  /** The earlier run that this one continues, and the user's changes. */
  steered: Steered | null;
  /** Verified questions that models were shown as examples. */
  guidedBy: GuidedBy[];
  /** The explanation of the answer; logs of earlier versions lack it. */
  explanation: Explanation | null;
  /** The certainty of the answer, if known. */
  certainty: Estimate | null;
  rules: AnswerRules;
  /** The best query so far; null where there is none, and once there is an answer. */
  best: BestSoFar | null;
  /** The last question to the user, and the chosen interpretation. */
  asked: OfferedReadings | null;
  /** The metrics whose query is the answer; null if a model wrote it. */
  metrics: MetricAnswer | null;
  /** The interpretations offered to the user; the run waits while it is set. */
  offered: Reading[] | null;
  /** The query that waits for the user's approval. */
  approval: AskedApproval | null;
  /** The node that waits for the choice. */
  offeredAt: string | null;
  warnings: Pick<Extract<EventBody, { type: "warning" }>, "node" | "message" | "passing">[];
}

const NO_RULES: AnswerRules = { written: null, changes: [], variants: [], findings: [] };

export function emptyRun(runId = ""): RunModel {
  return {
    runId,
    lastSeq: 0,
    lastMs: 0,
    answeredMs: null,
    status: "running",
    question: "",
    knowledge: null,
    warehouse: "",
    dialect: null,
    settings: null,
    models: {},
    startedAt: null,
    egress: null,
    headline: null,
    follows: null,
    steered: null,
    guidedBy: [],
    sent: [],
    stages: [],
    views: [],
    rewritten: null,
    selection: { tables: [] },
    plan: null,
    sql: null,
    code: null,
    revision: null,
    page: null,
    explanation: null,
    certainty: null,
    rules: NO_RULES,
    metrics: null,
    usage: NO_USAGE,
    usageByAgent: {},
    best: null,
    asked: null,
    offered: null,
    approval: null,
    offeredAt: null,
    warnings: [],
    error: null,
  };
}

/** Returns whether the run waits for the user to say whether to keep looking. */
export function waitsForWord(run: RunModel): boolean {
  return run.status === "running" && run.best !== null && run.best.waitsS > 0 && run.best.goesOn === null;
}

/** Finds a node by its name. */
export function nodeById(run: RunModel, id: string): GraphNode | undefined {
  return run.stages.find((s) => s.id === id) ?? run.views.find((v) => v.id === id);
}

/** All nodes of a run by their ids, for who needs many. */
export function nodesById(run: RunModel): Map<string, GraphNode> {
  return new Map([...run.views, ...run.stages].map((node) => [node.id, node]));
}

/** The usage of a stage's model calls. */
export function stageUsage(stage: StageNode): Usage {
  return stage.calls.reduce((sum, c) => (c.usage ? addUsage(sum, c.usage) : sum), NO_USAGE);
}

/** Rows that a node returned, if that applies. */
export function nodeRows(node: GraphNode): number | null {
  if (node.type === "view") return node.last.page?.rowCount ?? null;
  if (node.page) return node.page.rowCount;
  if (node.state) return node.state.page?.rowCount ?? null;
  if (node.kind === "analysis") return node.executions.at(-1)?.page?.rowCount ?? null;
  if (node.kind === "generator") {
    // With several candidates, the rows of the chosen one; without a choice, none.
    if (!node.choice && node.sqlAttempts.some((a) => a.candidate !== node.sqlAttempts[0]!.candidate)) return null;
    const chosen = node.sqlAttempts.filter((a) => !node.choice || a.candidate === node.choice.candidate).at(-1);
    return chosen?.rowCount ?? null;
  }
  return null;
}

/** Returns whether there are more rows than were read. */
export function rowsAreCut(node: GraphNode): boolean {
  const page =
    node.type === "view" ? node.last.page : (node.page ?? node.state?.page ?? node.executions.at(-1)?.page);
  return page?.truncated ?? false;
}

/** Milliseconds that a stage took, up to `now` while it runs. */
export function stageMs(stage: StageNode, now: number): number {
  return Math.max(0, (stage.endMs ?? now) - stage.startMs);
}

/** The call whose text is being written now. */
export function activeCall(run: RunModel): { stage: StageNode; call: Call } | null {
  for (const s of [...run.stages].reverse()) {
    if (s.status !== "running") continue;
    const open = s.calls.findLast((c) => c.endMs === null);
    if (open) return { stage: s, call: open };
  }
  return null;
}
