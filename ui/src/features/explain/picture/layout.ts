// Where cards and lines lie: rows from the first step down to the result, tables at the left of the step that reads them.
// Each step is placed as late as possible, next to its reader. A line that passes rows has its own place in each of them,
// so that it crosses no card. Pure: the same steps always give the same picture.

import type { Box, Size } from "../../../kit/diagram/boxes";
import type { Picture } from "./model";
import { orderLayers } from "./order";
import { anchorCards } from "./place";
import { type CardPosition, type EdgePath, type Group, placesOf } from "./places";
import { sizeOf, WIDE, type Widths } from "./size";

export interface Line {
  from: string;
  to: string;
  /** Corners from the reading's source to its reader: down inside of rows, any way between them. */
  points: [x: number, y: number][];
  /** It comes from the left, not from above. */
  aside: boolean;
}

export interface Layout extends Size {
  widths: Widths;
  boxes: Box[];
  lines: Line[];
}

const GAP_Y = 30;
/** Between rows that lines cross far to the side. */
const GAP_Y_WIDE = 54;
const FAR = 240;
const STACK_GAP = 10;
const ENTRY_GAP = 22;

export function layoutPicture({ cards, reads }: Picture, widths: Widths = WIDE): Layout {
  const beside = new Map<string, Group["beside"]>();
  const tables = new Set(cards.filter((card) => card.kind === "table").map((card) => card.id));
  const sizes = new Map(cards.map((card) => [card.id, sizeOf(card, widths)]));
  for (const { from, to } of reads.filter((read) => tables.has(read.from)))
    beside.set(to, [...(beside.get(to) ?? []), { id: from, ...sizes.get(from)! }]);
  const groups = cards
    .filter((card) => card.kind !== "table")
    .map(({ id }): Group => ({ id, ...sizes.get(id)!, beside: beside.get(id) ?? [] }));
  const { rows, paths } = placesOf(
    groups,
    reads.filter((read) => !tables.has(read.from)),
    widths.gap,
  );
  const inOrder = orderLayers(rows);
  return drawn(inOrder, anchorCards(inOrder, widths.gap), paths, widths);
}

/** Boxes and lines of places whose middles are known. */
function drawn(
  rows: CardPosition[][],
  middles: Map<CardPosition, number>,
  paths: EdgePath[],
  widths: Widths,
): Layout {
  const boxes = new Map<string, Box>();
  const bands: { top: number; bottom: number }[] = [];
  let top = 0;
  for (const row of rows) {
    const height = Math.max(0, ...row.map((place) => (place.group ? heightOf(place.group) : 0)));
    for (const place of row)
      if (place.group) putGroup(boxes, place.group, middles.get(place)!, top, height, widths.gap);
    bands.push({ top, bottom: top + height });
    const far = row.some((p) => p.below.some((q) => Math.abs(middles.get(p)! - middles.get(q)!) > FAR));
    top += height + (far ? GAP_Y_WIDE : GAP_Y);
  }
  const all = [...boxes.values()];
  const leftmost = all.length === 0 ? 0 : Math.min(...all.map((box) => box.x), ...lefts(middles));
  for (const box of all) box.x -= leftmost;
  const middle = (place: CardPosition) => middles.get(place)! - leftmost;
  const entries = entriesOf(rows, boxes, middle);
  const lines = paths.map(({ from, to, places }): Line => {
    const points: Line["points"] = [];
    for (const [i, place] of places.entries()) {
      const band = bands[place.row]!;
      const box = place.group && boxes.get(place.group.id)!;
      const before = places[i - 1];
      if (before) {
        const x = box ? entries.get(place)!.get(before)! : middle(place);
        points.push([x, band.top]);
        if (box && box.y > band.top) points.push([x, box.y]);
      }
      if (i < places.length - 1) {
        const x = middle(place);
        if (box && box.y + box.height < band.bottom) points.push([x, box.y + box.height]);
        points.push([x, band.bottom]);
      }
    }
    return { from, to, points, aside: false };
  });
  const beside = rows.flat().flatMap((place) => (place.group ? besideLines(place.group, boxes) : []));
  const width = Math.max(
    0,
    ...all.map((box) => box.x + box.width),
    ...[...middles.keys()].map((p) => middle(p) + p.right),
  );
  return { widths, boxes: all, lines: [...lines, ...beside], width, height: bands.at(-1)?.bottom ?? 0 };
}

function lefts(middles: Map<CardPosition, number>): number[] {
  return [...middles].map(([place, middle]) => middle - place.left);
}

function stackHeight({ beside }: Group): number {
  return beside.reduce((sum, card) => sum + card.height + STACK_GAP, 0) - (beside.length > 0 ? STACK_GAP : 0);
}

function heightOf(group: Group): number {
  return Math.max(group.height, stackHeight(group));
}

function putGroup(boxes: Map<string, Box>, group: Group, middle: number, top: number, height: number, gap: number) {
  const { id, width } = group;
  const x = middle - width / 2;
  boxes.set(id, { id, x, y: top + (height - group.height) / 2, width, height: group.height });
  let y = top + (height - stackHeight(group)) / 2;
  for (const card of group.beside) {
    boxes.set(card.id, { ...card, x: x - gap - card.width, y });
    y += card.height + STACK_GAP;
  }
}

/** Where lines enter the cards of a row: straight from above where they can, and never on top of each other. */
function entriesOf(rows: CardPosition[][], boxes: Map<string, Box>, middle: (place: CardPosition) => number) {
  const entries = new Map<CardPosition, Map<CardPosition, number>>();
  for (const place of rows.flat()) {
    const box = place.group && boxes.get(place.group.id);
    if (!box) continue;
    const from = [...place.above].sort((a, b) => middle(a) - middle(b));
    const [least, most] = [box.x + 20, box.x + box.width - 20];
    const wanted = from.map((p) => Math.max(least, Math.min(most, middle(p))));
    entries.set(place, new Map(apart(wanted, least, most).map((x, i) => [from[i]!, x])));
  }
  return entries;
}

/** Positions in rising order, moved apart as little as it takes inside of bounds. */
function apart(wanted: number[], least: number, most: number): number[] {
  const gap = Math.min(ENTRY_GAP, (most - least) / Math.max(1, wanted.length - 1));
  const found = [...wanted];
  for (let i = 1; i < found.length; i++) found[i] = Math.max(found[i]!, found[i - 1]! + gap);
  for (let i = found.length - 1, end = most; i >= 0; i--, end = found[i + 1]! - gap)
    found[i] = Math.min(found[i]!, end);
  return found.map((x) => Math.max(least, x));
}

/** Lines from the cards at the left of a step, in the space between. */
function besideLines(group: Group, boxes: Map<string, Box>): Line[] {
  const box = boxes.get(group.id)!;
  const from = group.beside.map((card) => boxes.get(card.id)!);
  const wanted = from.map((card) =>
    Math.max(box.y + 14, Math.min(box.y + box.height - 14, card.y + card.height / 2)),
  );
  const entries = apart(wanted, box.y + 14, box.y + box.height - 14);
  return from.map((card, i) => ({
    from: card.id,
    to: group.id,
    points: [
      [card.x + card.width, card.y + card.height / 2],
      [box.x, entries[i]!],
    ],
    aside: true,
  }));
}
