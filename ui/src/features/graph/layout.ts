// Where nodes lie. Column = stage group, lane = chunk; positions come from the run's own structure alone, so the same
// run always looks the same and a growing run never shuffles what is already there.

import type { StageKind } from "../../host/bindings";
import type { RunModel, StageNode, ViewNode } from "./model";

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Lanes hold views; all else is a plain card. */
  shape: "card" | "lane" | "view";
}

export interface Edge {
  id: string;
  from: string;
  to: string;
  /** Whether it runs downwards inside a column instead of to the right. */
  vertical: boolean;
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

export const CARD = { width: 182, height: 80 };
export const VIEW = { width: 178, height: 66 };
const GAP_X = 44;
const GAP_Y = 40;
const LANE_GAP = 20;
const LANE_PAD = 12;
const LANE_HEAD = 56;
const VIEW_GAP_X = 26;
const VIEW_GAP_Y = 12;
const TOP = 34;

const COLUMNS: { label: string; kinds: StageKind[] }[] = [
  { label: "Understand", kinds: ["schema", "rewriter", "grounding"] },
  { label: "Find the data", kinds: ["chunk"] },
  { label: "Plan", kinds: ["selection", "planner"] },
  { label: "Write SQL", kinds: ["generator", "revisor"] },
  { label: "Answer", kinds: ["result"] },
];

export function layoutRun(run: RunModel): Layout {
  const columns: ColumnLabel[] = [];
  const placed: { boxes: Box[]; height: number }[] = [];
  let x = 0;
  for (const column of COLUMNS) {
    const stages = run.stages
      .filter((s) => column.kinds.includes(s.kind))
      .sort((a, b) => column.kinds.indexOf(a.kind) - column.kinds.indexOf(b.kind));
    if (stages.length === 0) continue;
    const built = column.kinds[0] === "chunk" ? lanes(run, stages, x) : cards(stages, x);
    placed.push(built);
    columns.push({ label: column.label, x, width: built.width });
    x += built.width + GAP_X;
  }
  const height = Math.max(0, ...placed.map((c) => c.height));
  // Columns are centred on one axis, so that the main line of the run reads straight across.
  const boxes = placed.flatMap((c) => c.boxes.map((b) => ({ ...b, y: b.y + TOP + (height - c.height) / 2 })));
  return { boxes, edges: edgesOf(run, boxes), columns, width: Math.max(0, x - GAP_X), height: height + TOP };
}

function cards(stages: StageNode[], x: number) {
  const boxes = stages.map((s, i): Box => ({ id: s.id, x, y: i * (CARD.height + GAP_Y), ...CARD, shape: "card" }));
  return { boxes, width: CARD.width, height: stages.length * (CARD.height + GAP_Y) - GAP_Y };
}

function lanes(run: RunModel, stages: StageNode[], x: number) {
  const sorted = [...stages].sort((a, b) => chunkNumber(a) - chunkNumber(b));
  const built = sorted.map((s) => ({ stage: s, ...viewGrid(run.views.filter((v) => v.stage === s.id)) }));
  const width = Math.max(CARD.width + 2 * LANE_PAD, ...built.map((b) => b.width + 2 * LANE_PAD));
  const boxes: Box[] = [];
  let y = 0;
  for (const lane of built) {
    const height = LANE_HEAD + (lane.cells.length > 0 ? lane.height + LANE_PAD : 6);
    boxes.push({ id: lane.stage.id, x, y, width, height, shape: "lane" });
    for (const cell of lane.cells) {
      boxes.push({ id: cell.id, x: x + LANE_PAD + cell.x, y: y + LANE_HEAD + cell.y, ...VIEW, shape: "view" });
    }
    y += height + LANE_GAP;
  }
  return { boxes, width, height: Math.max(0, y - LANE_GAP) };
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
  const edges: Edge[] = [];
  const add = (from: string, to: string) => {
    const a = at.get(from);
    const b = at.get(to);
    if (!a || !b || from === to || edges.some((e) => e.from === from && e.to === to)) return;
    edges.push({ id: `${from}>${to}`, from, to, vertical: a.x === b.x && a.shape === "card" });
  };
  const chunkOf = new Map(run.views.map((v) => [v.id, v.stage]));
  for (const stage of run.stages) {
    // A view as an input is drawn from its lane: the lines between lanes and cards stay readable.
    for (const input of stage.inputs) add(chunkOf.get(input) ?? input, stage.id);
  }
  for (const view of run.views) {
    for (const name of view.last.dependsOn) {
      const source =
        run.views.find((v) => v.name === name && v.stage === view.stage) ?? run.views.find((v) => v.name === name);
      if (source && source.stage === view.stage) add(source.id, view.id);
    }
  }
  return withoutDetours(edges, at);
}

/**
 * Drops lines that only repeat a longer way (schema to planner beside schema, chunk, selection, planner): they are true
 * and tell nothing.
 */
function withoutDetours(edges: Edge[], at: Map<string, Box>): Edge[] {
  const out = new Map<string, string[]>();
  for (const e of edges) out.set(e.from, [...(out.get(e.from) ?? []), e.to]);
  const reaches = (from: string, to: string, without: string): boolean => {
    const queue = (out.get(from) ?? []).filter((n) => !(from === without.split(">")[0] && n === to));
    const seen = new Set(queue);
    while (queue.length > 0) {
      const node = queue.shift()!;
      if (node === to) return true;
      for (const next of out.get(node) ?? []) {
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
      }
    }
    return false;
  };
  return edges.filter((e) => at.get(e.from)?.shape === "view" || !reaches(e.from, e.to, e.id));
}

export type Direction = "left" | "right" | "up" | "down";

/** The node that an arrow key moves to: the nearest one in that direction, straight ahead preferred. */
export function neighbour(layout: Layout, from: string, direction: Direction): string | null {
  const here = layout.boxes.find((b) => b.id === from);
  if (!here) return layout.boxes[0]?.id ?? null;
  const c = centre(here);
  let best: { id: string; cost: number } | null = null;
  for (const box of layout.boxes) {
    if (box.id === from) continue;
    const d = centre(box);
    const dx = d.x - c.x;
    const dy = d.y - c.y;
    const ahead = direction === "left" ? -dx : direction === "right" ? dx : direction === "up" ? -dy : dy;
    const aside = Math.abs(direction === "left" || direction === "right" ? dy : dx);
    if (ahead <= 1) continue;
    const cost = ahead + aside * 2.5;
    if (!best || cost < best.cost) best = { id: box.id, cost };
  }
  return best?.id ?? null;
}

/** A lane is reached by its head: its centre would lie among its views. */
function centre(box: Box) {
  if (box.shape === "lane") return { x: box.x + CARD.width / 2, y: box.y + LANE_HEAD / 2 };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
