// Layout of the run graph. Column = stage group, lane = chunk; positions depend only on the run's structure, so the same
// run always looks the same and a growing run never shuffles what is already there.

import { t } from "@lingui/core/macro";
import type { StageKind } from "../../../host/bindings";
import { type Direction, nearestBox, type Box as PlainBox } from "../../../kit/diagram/boxes";
import { groupBy } from "../../../kit/groupBy";
import type { RunModel, StageNode, ViewNode } from "../model/model";
import { roundsOf } from "../model/rounds";
import { isAside, trajectory } from "../model/trajectory";
import { stripLines } from "./strip";

export interface Box extends PlainBox {
  /** Lanes hold views, closed ones only name them; a state is one of a query that grows; all else is a plain card. */
  shape: "card" | "lane" | "closed" | "view" | "state";
}

/**
 * How a line runs: to the right; down inside a column; back to the left, into the next round; aside, to a look at the data,
 * and in again from there; on to the next column of a long path.
 */
export type EdgeRoute = "ahead" | "down" | "back" | "aside" | "in" | "on";

export interface Edge {
  id: string;
  from: string;
  to: string;
  way: EdgeRoute;
}

export interface ColumnLabel {
  label: string;
  x: number;
  width: number;
}

export interface Layout {
  boxes: Box[];
  edges: Edge[];
  columns: ColumnLabel[];
  width: number;
  height: number;
}

/** Each has room for two lines of text under its name. */
const CARD = { width: 182, height: 96 };
const VIEW = { width: 178, height: 82 };
const STATE = { width: 178, height: 82 };
/** A closed lane that names its views, and one of many, which only counts them. */
const CLOSED = { width: 206, height: 114 };
const CLOSED_SHORT = { width: 206, height: 38 };
/** More closed lanes than these are short. */
const TALL_LANES = 3;
/** Height of one line of a card's strip. */
const STRIP_LINE = 22;
const GAP_X = 44;
const GAP_Y = 40;
const LANE_GAP = 20;
const SHORT_GAP = 10;
const LANE_PAD = 12;
const LANE_HEAD = 60;
const VIEW_GAP_X = 26;
const VIEW_GAP_Y = 12;
const STATE_GAP_X = 30;
const STATE_GAP_Y = 22;
const TOP = 34;

const COLUMNS: { label: string; kinds: StageKind[] }[] = [
  {
    get label() {
      return t`Understand`;
    },
    kinds: ["schema", "rewriter", "grounding", "linking", "exploration"],
  },
  {
    get label() {
      return t`Prepare data`;
    },
    kinds: ["chunk"],
  },
  {
    get label() {
      return t`Plan`;
    },
    kinds: ["selection", "planner"],
  },
  {
    get label() {
      return t`Fetch`;
    },
    kinds: ["fetch"],
  },
  {
    get label() {
      return t`Analyse`;
    },
    kinds: ["analysis"],
  },
  {
    get label() {
      return t`Build the query`;
    },
    kinds: ["step"],
  },
  {
    get label() {
      return t`Write the SQL`;
    },
    kinds: ["examples", "generator", "revisor"],
  },
  {
    get label() {
      return t`Choose`;
    },
    kinds: ["choice"],
  },
  {
    get label() {
      return t`Answer`;
    },
    kinds: ["result"],
  },
];

/** Boxes of one column, from its own corner. */
interface Block {
  boxes: Box[];
  width: number;
  height: number;
}

/** Where everything lies. Closed lanes show no views: a run with many stays readable. */
export function layoutRun(run: RunModel, isOpen: (lane: string) => boolean = () => true): Layout {
  const rounds = roundsOf(run);
  const most = Math.max(0, ...rounds.values());
  const columns: ColumnLabel[] = [];
  const placed: { x: number; rounds: Block[] }[] = [];
  let x = 0;
  for (const column of COLUMNS) {
    const stages = run.stages.filter((s) => column.kinds.includes(s.kind));
    if (stages.length === 0) continue;
    const built = Array.from({ length: most + 1 }, (_, round) =>
      blockOf(
        run,
        column.kinds,
        stages.filter((s) => (rounds.get(s.id) ?? 0) === round),
        isOpen,
      ),
    );
    const width = Math.max(...built.map((b) => b.width));
    placed.push({ x, rounds: built });
    columns.push({ label: column.label, x, width });
    x += width + GAP_X;
  }
  const boxes: Box[] = [];
  let top = TOP;
  let height = TOP;
  for (let round = 0; round <= most; round++) {
    const blocks = placed.map((c) => c.rounds[round]!);
    const offsets = alignNodes(blocks);
    blocks.forEach((block, i) => {
      boxes.push(...block.boxes.map((b) => ({ ...b, x: b.x + placed[i]!.x, y: b.y + top + offsets[i]! })));
      height = Math.max(height, top + offsets[i]! + block.height);
    });
    top = height + GAP_Y;
  }
  // As the stages began, so that tabs and readers follow the run.
  const order = new Map([...run.stages, ...run.views].map((n, i) => [n.id, i]));
  boxes.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return { boxes, edges: edgesOf(run, boxes), columns, width: Math.max(0, x - GAP_X), height };
}

/**
 * How far down each column begins. Columns are centred on one axis, so that the main line of the run reads straight across.
 * A path reads from its first state down to its last: its input is level with the first, the answer with the last.
 */
function alignNodes(blocks: Block[]): number[] {
  const path = blocks.findIndex((b) => b.boxes[0]?.shape === "state");
  if (path < 0) {
    const most = Math.max(0, ...blocks.map((b) => b.height));
    return blocks.map((b) => (most - b.height) / 2);
  }
  const half = (block: Block) => (block.boxes[0]?.height ?? 0) / 2;
  const axis = Math.max(...blocks.slice(0, path + 1).map(half));
  const last = blocks[path]!.boxes.at(-1)!;
  const end = axis - half(blocks[path]!) + last.y + last.height / 2;
  return blocks.map((block, i) => (i <= path ? axis - half(block) : Math.max(0, end - half(block))));
}

function blockOf(run: RunModel, kinds: StageKind[], stages: StageNode[], isOpen: (lane: string) => boolean): Block {
  // Examples are right above the stages that use them.
  const rank = (s: StageNode) => kinds.indexOf(s.kind === "examples" ? "generator" : s.kind);
  const sorted = [...stages].sort((a, b) => rank(a) - rank(b));
  const steps = sorted.filter((s) => s.kind === "step");
  const chunks = sorted.filter((s) => s.kind === "chunk");
  const blocks = [
    layoutCards(chainNodes(sorted.filter((s) => s.kind !== "step" && s.kind !== "chunk"))),
    edgePath(steps),
    layoutLanes(run, chunks, isOpen),
  ].filter((b) => b.boxes.length > 0);
  const whole: Block = { boxes: [], width: 0, height: 0 };
  for (const block of blocks) {
    const top = whole.height === 0 ? 0 : whole.height + GAP_Y;
    whole.boxes.push(...block.boxes.map((b) => ({ ...b, y: b.y + top })));
    whole.width = Math.max(whole.width, block.width);
    whole.height = top + block.height;
  }
  return whole;
}

/** Below each card the first that reads from it, where it reads from none that is still to come: lines between them cross no card. */
function chainNodes(stages: StageNode[]): StageNode[] {
  const left = [...stages];
  const chain: StageNode[] = [];
  while (left.length > 0) {
    const ready = (s: StageNode) => !left.some((other) => s.inputs.includes(other.id));
    const last = chain.at(-1);
    const next = left.findIndex((s) => last !== undefined && s.inputs.includes(last.id) && ready(s));
    chain.push(...left.splice(Math.max(0, next), 1));
  }
  return chain;
}

function layoutCards(stages: StageNode[]): Block {
  const boxes: Box[] = [];
  let y = 0;
  for (const stage of stages) {
    const height = CARD.height + stripLines(stage) * STRIP_LINE;
    boxes.push({ id: stage.id, x: 0, y, width: CARD.width, height, shape: "card" });
    y += height + GAP_Y;
  }
  return { boxes, width: CARD.width, height: Math.max(0, y - GAP_Y) };
}

/** The path of a query that grows, with what was looked at aside to its right. */
function edgePath(steps: StageNode[]): Block {
  const places = trajectory(steps);
  const boxes: Box[] = [];
  let x = 0;
  const last = places.at(-1)?.column ?? -1;
  for (let column = 0; column <= last; column++) {
    const here = places.filter((p) => p.column === column);
    for (const place of here) {
      const left = place.aside ? STATE.width + STATE_GAP_X : 0;
      boxes.push({
        id: place.id,
        x: x + left,
        y: place.row * (STATE.height + STATE_GAP_Y),
        ...STATE,
        shape: "state",
      });
    }
    x += STATE.width + (here.some((p) => p.aside) ? STATE_GAP_X + STATE.width : 0) + GAP_X;
  }
  const rows = Math.max(0, ...places.map((p) => p.row + 1));
  return {
    boxes,
    width: Math.max(0, x - GAP_X),
    height: Math.max(0, rows * (STATE.height + STATE_GAP_Y) - STATE_GAP_Y),
  };
}

function layoutLanes(run: RunModel, stages: StageNode[], isOpen: (lane: string) => boolean): Block {
  const sorted = [...stages].sort((a, b) => chunkNumber(a) - chunkNumber(b));
  const size = sorted.length > TALL_LANES ? CLOSED_SHORT : CLOSED;
  const views = groupBy(run.views, (v) => v.stage);
  const built = sorted.map((s) => {
    const open = isOpen(s.id);
    return { stage: s, open, ...viewGrid((open && views.get(s.id)) || []) };
  });
  const width = Math.max(
    CARD.width + 2 * LANE_PAD,
    ...built.map((b) => (b.open ? b.width + 2 * LANE_PAD : size.width)),
  );
  const boxes: Box[] = [];
  let y = 0;
  let gap = LANE_GAP;
  for (const lane of built) {
    gap = lane.open || size === CLOSED ? LANE_GAP : SHORT_GAP;
    const height = lane.open ? LANE_HEAD + (lane.cells.length > 0 ? lane.height + LANE_PAD : 6) : size.height;
    boxes.push({ id: lane.stage.id, x: 0, y, width, height, shape: lane.open ? "lane" : "closed" });
    for (const cell of lane.cells) {
      boxes.push({ id: cell.id, x: LANE_PAD + cell.x, y: y + LANE_HEAD + cell.y, ...VIEW, shape: "view" });
    }
    y += height + gap;
  }
  return { boxes, width, height: Math.max(0, y - gap) };
}

function chunkNumber(stage: StageNode): number {
  return stage.chunk ?? Number(stage.id.replace(/\D/g, "") || 0);
}

function viewGrid(views: ViewNode[]) {
  const depths = viewDepths(views);
  const perDepth: number[] = [];
  const cells = views.map((v) => {
    const depth = depths.get(v.id) ?? 0;
    const row = perDepth[depth] ?? 0;
    perDepth[depth] = row + 1;
    return { id: v.id, x: depth * (VIEW.width + VIEW_GAP_X), y: row * (VIEW.height + VIEW_GAP_Y) };
  });
  const deepest = Math.max(0, ...depths.values());
  const rows = Math.max(0, ...perDepth.map((n) => n ?? 0));
  return {
    cells,
    width: views.length === 0 ? 0 : (deepest + 1) * (VIEW.width + VIEW_GAP_X) - VIEW_GAP_X,
    height: rows === 0 ? 0 : rows * (VIEW.height + VIEW_GAP_Y) - VIEW_GAP_Y,
  };
}

/** How many views of its own lane lie between a view and the tables. A cycle counts as no dependency. */
export function viewDepths(views: ViewNode[]): Map<string, number> {
  const byName = new Map(views.map((v) => [v.name, v]));
  const depths = new Map<string, number>();
  const visit = (view: ViewNode, path: Set<string>): number => {
    const known = depths.get(view.id);
    if (known !== undefined) return known;
    if (path.has(view.id)) return -1;
    const below = new Set(path).add(view.id);
    const depth = Math.max(
      0,
      ...view.last.dependsOn.map((name) => {
        const source = byName.get(name);
        return source ? visit(source, below) + 1 : 0;
      }),
    );
    depths.set(view.id, depth);
    return depth;
  };
  for (const view of views) visit(view, new Set());
  return depths;
}

function edgesOf(run: RunModel, boxes: Box[]): Edge[] {
  const at = new Map(boxes.map((b) => [b.id, b]));
  const aside = new Set(run.stages.filter(isAside).map((s) => s.id));
  const edges = new Map<string, Edge>();
  const add = (from: string, to: string) => {
    const id = `${from}>${to}`;
    const a = at.get(from);
    const b = at.get(to);
    if (!a || !b || from === to || edges.has(id)) return;
    edges.set(id, { id, from, to, way: wayOf(a, b, aside) });
  };
  const chunkOf = new Map(run.views.map((v) => [v.id, v.stage]));
  for (const stage of run.stages) {
    // A view as an input is drawn from its lane: the lines between lanes and cards stay readable.
    for (const input of stage.inputs) add(chunkOf.get(input) ?? input, stage.id);
  }
  // Only views of one lane are tied: the others are in the lane's line.
  const inLane = new Map(run.views.toReversed().map((v) => [`${v.stage} ${v.name}`, v.id]));
  for (const view of run.views) {
    for (const name of view.last.dependsOn) {
      const source = inLane.get(`${view.stage} ${name}`);
      if (source !== undefined) add(source, view.id);
    }
  }
  return withoutDetours([...edges.values()], at, aside);
}

function wayOf(a: Box, b: Box, aside: Set<string>): EdgeRoute {
  if (a.shape === "state" && b.shape === "state") {
    if (a.x === b.x) return "down";
    if (aside.has(b.id)) return "aside";
    if (!aside.has(a.id)) return "on";
    return b.x < a.x ? "in" : "aside";
  }
  if (a.x === b.x && a.shape === "card") return "down";
  return b.x < a.x && a.shape === "card" ? "back" : "ahead";
}

/**
 * Drops lines that only repeat a longer way (schema to planner beside schema, chunk, selection, planner): they are true
 * and tell nothing. The path of a query that grows is drawn whole: side branches do not belong to it.
 */
function withoutDetours(edges: Edge[], at: Map<string, Box>, aside: Set<string>): Edge[] {
  const out = groupBy(edges, (e) => e.from);
  const into = groupBy(edges, (e) => e.to);
  // Looked for from both ends, each time from the one where less is left to look at: most cards have few lines at one end, and
  // the search is over where one of them leads no further.
  const reachesElse = (direct: Edge): boolean => {
    const ahead = { seen: new Set([direct.from]), queue: [direct.from], at: 0 };
    const back = { seen: new Set([direct.to]), queue: [direct.to], at: 0 };
    const left = ({ queue, at }: typeof ahead) => queue.length - at;
    while (left(ahead) > 0 && left(back) > 0) {
      const forward = left(ahead) <= left(back);
      const [here, there] = forward ? [ahead, back] : [back, ahead];
      for (const edge of (forward ? out : into).get(here.queue[here.at]!) ?? []) {
        if (edge === direct) continue;
        const next = forward ? edge.to : edge.from;
        if (there.seen.has(next)) return true;
        if (!here.seen.has(next)) here.queue.push(next);
        here.seen.add(next);
      }
      here.at += 1;
    }
    return false;
  };
  const onPath = (e: Edge) =>
    at.get(e.from)?.shape === "state" && at.get(e.to)?.shape === "state" && !aside.has(e.to) && !aside.has(e.from);
  return edges.filter((e) => at.get(e.from)?.shape === "view" || onPath(e) || !reachesElse(e));
}

/** The node that an arrow key moves to. */
export function neighbour(layout: Layout, from: string, direction: Direction): string | null {
  return nearestBox(
    layout.boxes.map((box) => ({ id: box.id, ...centreNodes(box) })),
    from,
    direction,
  );
}

/** A lane is reached by its head: its centre would lie among its views. */
function centreNodes(box: Box) {
  if (box.shape === "lane") return { x: box.x + CARD.width / 2, y: box.y + LANE_HEAD / 2 };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
