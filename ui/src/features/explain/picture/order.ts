// The order of places inside of their rows: swept up and down by the middle of their neighbours, with as few crossings as
// a few sweeps find.

import type { CardPosition } from "./places";

const SWEEPS = 8;

export function orderLayers(rows: CardPosition[][]): CardPosition[][] {
  let best = rows;
  let least = crossings(rows);
  let now = rows;
  for (let sweep = 0; sweep < SWEEPS && least > 0; sweep++) {
    now = sweepLayers(now, sweep % 2 === 0);
    const found = crossings(now);
    if (found < least) [best, least] = [now, found];
  }
  return best;
}

function sweepLayers(rows: CardPosition[][], down: boolean): CardPosition[][] {
  const next = [...rows];
  const at = positions(rows);
  const order = down ? rows.keys() : [...rows.keys()].reverse();
  for (const r of order) {
    const wish = (place: CardPosition) => {
      const near = down ? place.above : place.below;
      return near.length === 0 ? at.get(place)! : near.reduce((sum, p) => sum + at.get(p)!, 0) / near.length;
    };
    const wishes = new Map(rows[r]!.map((place) => [place, wish(place)]));
    next[r] = [...rows[r]!].sort((a, b) => wishes.get(a)! - wishes.get(b)! || at.get(a)! - at.get(b)!);
    for (const [i, place] of next[r].entries()) at.set(place, i);
  }
  return next;
}

function positions(rows: CardPosition[][]): Map<CardPosition, number> {
  return new Map(rows.flatMap((row) => row.map((place, i) => [place, i] as const)));
}

/** Pairs of lines that cross between neighbouring rows. */
function crossings(rows: CardPosition[][]): number {
  const at = positions(rows);
  let count = 0;
  for (const row of rows) {
    const lines = row.flatMap((from) => from.below.map((to) => [at.get(from)!, at.get(to)!] as const));
    for (const [i, [a, b]] of lines.entries())
      for (const [c, d] of lines.slice(i + 1)) if ((a - c) * (b - d) < 0) count++;
  }
  return count;
}
