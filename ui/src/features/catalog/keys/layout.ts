// Positions of tables: the chosen one in the middle, tables that it references on its right, tables that reference it on its
// left, each a column further with each key between. Other groups of tables follow below, then those without keys.

import type { Box, Size, View } from "../../../kit/diagram/boxes";
import { READABLE, scaleToFit } from "../../../kit/diagram/view";
import type { Link } from "./links";

/** Three columns fit a window of 960 px. */
const CARD: Size = { width: 140, height: 48 };
const ACROSS = 70;
const DOWN = 14;
/** A longer column continues beside itself. */
const LONGEST = 9;
const GROUP = 56;
/** Between the picture and the edge of its frame. */
const MARGIN = 16;
/** Cards side by side of tables without keys. */
const BESIDE = 4;

export interface Layout extends Size {
  boxes: Box[];
}

export function layoutOf(labels: string[], links: Link[], start: string): Layout {
  const near = new Map<string, { to: string; side: number }[]>(labels.map((label) => [label, []]));
  for (const { from, to } of links) {
    if (from === to) continue;
    near.get(from)!.push({ to, side: 1 });
    near.get(to)!.push({ to: from, side: -1 });
  }
  const boxes: Box[] = [];
  const placed = new Set<string>();
  let top = 0;
  const alone: string[] = [];
  for (const label of [start, ...labels]) {
    if (placed.has(label)) continue;
    if (near.get(label)!.length === 0 && label !== start) {
      placed.add(label);
      alone.push(label);
      continue;
    }
    const group = placeGroup(label, near, placed, top);
    boxes.push(...group);
    top = Math.max(...group.map((box) => box.y + box.height)) + GROUP;
  }
  const left = Math.min(...boxes.map((box) => box.x));
  alone.forEach((id, i) => {
    const [row, at] = [Math.floor(i / BESIDE), i % BESIDE];
    boxes.push({ id, ...CARD, x: left + at * (CARD.width + DOWN), y: top + row * (CARD.height + DOWN) });
  });
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const moved = boxes.map((box) => ({ ...box, x: box.x - x, y: box.y - y }));
  return {
    boxes: moved,
    width: Math.max(...moved.map((box) => box.x + box.width)),
    height: Math.max(...moved.map((box) => box.y + box.height)),
  };
}

/** Tables that keys tie to one, in columns on both sides of it. */
function placeGroup(
  first: string,
  near: Map<string, { to: string; side: number }[]>,
  placed: Set<string>,
  top: number,
): Box[] {
  const columns = new Map<number, string[]>([[0, [first]]]);
  const row = new Map<string, number>();
  placed.add(first);
  let last = [{ label: first, at: 0 }];
  while (last.length > 0) {
    const next: typeof last = [];
    for (const { label, at } of last) {
      for (const { to, side } of near.get(label)!) {
        if (placed.has(to)) continue;
        placed.add(to);
        // Tables further away are on the side of the table that leads to them.
        next.push({ label: to, at: at === 0 ? side : at + Math.sign(at) });
      }
    }
    for (const { label, at } of next) {
      const column = columns.get(at);
      if (column) column.push(label);
      else columns.set(at, [label]);
    }
    last = next;
  }
  const levels = [...columns.keys()].sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const level of levels) {
    const column = columns.get(level)!;
    const pull = new Map(column.map((label, i) => [label, middleOf(near.get(label)!, row) ?? i]));
    column.sort((a, b) => pull.get(a)! - pull.get(b)!);
    column.forEach((label, i) => {
      row.set(label, i - (column.length - 1) / 2);
    });
  }
  return boxesOf(columns, top);
}

/** The mean row of those neighbours that have one. */
function middleOf(near: { to: string }[], row: Map<string, number>): number | null {
  const rows = near.flatMap(({ to }) => row.get(to) ?? []);
  return rows.length > 0 ? rows.reduce((a, b) => a + b, 0) / rows.length : null;
}

function boxesOf(columns: Map<number, string[]>, top: number): Box[] {
  // From left to right; a long column takes several places.
  const strips = [...columns.entries()].sort(([a], [b]) => a - b).flatMap(([, column]) => splitSides(column));
  const tallest = Math.max(...strips.map((strip) => strip.length));
  const step = CARD.height + DOWN;
  return strips.flatMap((strip, at) =>
    strip.map((id, i) => ({
      id,
      ...CARD,
      x: at * (CARD.width + ACROSS),
      y: top + ((tallest - strip.length) * step) / 2 + i * step,
    })),
  );
}

function splitSides(column: string[]): string[][] {
  const parts = Math.ceil(column.length / LONGEST);
  const size = Math.ceil(column.length / parts);
  return Array.from({ length: parts }, (_, i) => column.slice(i * size, (i + 1) * size)).filter((p) => p.length > 0);
}

/** All of the picture where it can be read, else as much of it as fits around one card. */
export function viewAround(picture: Size, frame: Size, card: Box): View {
  const zoom = Math.max(READABLE, scaleToFit(picture, frame));
  const place = (at: number, size: number, whole: number, room: number) => {
    const free = room - whole * zoom;
    if (free >= 2 * MARGIN) return free / 2;
    return Math.min(MARGIN, Math.max(free - MARGIN, room / 2 - (at + size / 2) * zoom));
  };
  return {
    x: place(card.x, card.width, picture.width, frame.width),
    y: place(card.y, card.height, picture.height, frame.height),
    zoom,
  };
}

/** A line between two cards: from side to side, or beside both if one is above the other. */
export function pathOf(from: Box, to: Box): { path: string; x: number; y: number } {
  const [y0, y1] = [from.y + from.height / 2, to.y + to.height / 2];
  if (from.id === to.id) {
    const right = from.x + from.width;
    return {
      path: `M${right},${y0 - 8}C${right + 34},${y0 - 14} ${right + 34},${y0 + 14} ${right},${y0 + 8}`,
      x: right + 30,
      y: y0,
    };
  }
  const across = to.x - from.x;
  if (across === 0) {
    const right = from.x + from.width;
    const out = right + ACROSS / 2;
    return { path: `M${right},${y0}C${out},${y0} ${out},${y1} ${right},${y1}`, x: out - 10, y: (y0 + y1) / 2 };
  }
  const x0 = across > 0 ? from.x + from.width : from.x;
  const x1 = across > 0 ? to.x : to.x + to.width;
  const mid = (x0 + x1) / 2;
  return { path: `M${x0},${y0}C${mid},${y0} ${mid},${y1} ${x1},${y1}`, x: mid, y: (y0 + y1) / 2 };
}
