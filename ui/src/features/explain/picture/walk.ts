// Where the arrow keys lead: along the lines, else to the nearest card.

import { type Direction, nearestBox } from "../../../kit/diagram/boxes";
import type { Layout, Line } from "./layout";

/** Up to what a card reads, down to what reads it, left to its tables, right from a table to its reader. */
export function neighbourCard({ boxes, lines }: Layout, from: string, direction: Direction): string | null {
  const leads: Record<Direction, (line: Line) => string | null> = {
    up: (line) => (line.to === from && !line.aside ? line.from : null),
    down: (line) => (line.from === from && !line.aside ? line.to : null),
    left: (line) => (line.to === from && line.aside ? line.from : null),
    right: (line) => (line.from === from && line.aside ? line.to : null),
  };
  const next = lines.map(leads[direction]).filter((id) => id !== null);
  const middles = boxes.map(({ id, x, y, width, height }) => ({ id, x: x + width / 2, y: y + height / 2 }));
  if (next.length === 0) return nearestBox(middles, from, direction);
  const here = middles.find(({ id }) => id === from)!;
  const far = (id: string) => {
    const there = middles.find((middle) => middle.id === id)!;
    return Math.hypot(there.x - here.x, there.y - here.y);
  };
  return next.reduce((best, id) => (far(id) < far(best) ? id : best));
}
