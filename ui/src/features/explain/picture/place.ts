// The middles of places: each as close to its neighbours' as the order of its row and the room of all lets it.

import type { CardPosition } from "./places";

/** Odd, so that the last sweep goes down: a card with a single input is then right under it. */
const SWEEPS = 13;

/** Cards are `gap` apart. */
export function anchorCards(rows: CardPosition[][], gap: number): Map<CardPosition, number> {
  const middles = new Map<CardPosition, number>();
  for (const row of rows) {
    let x = 0;
    for (const place of row) {
      middles.set(place, x + place.left);
      x += place.left + place.right + gap;
    }
  }
  const settle = (row: CardPosition[], near: (place: CardPosition) => CardPosition[]) => {
    const wanted = row.map((place) => preferredPosition(place, near(place), middles));
    for (const [i, x] of spreadCards(row, wanted, gap).entries()) middles.set(row[i]!, x);
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) settle(row, (p) => placeCards(p, down ? p.above : p.below));
  }
  // At last lines that pass run straight up from where they lead.
  for (const row of [...rows].reverse()) settle(row, (p) => (p.group ? [] : p.below));
  return middles;
}

/** The neighbours that a card aligns to: other cards before passing lines. */
function placeCards(place: CardPosition, near: CardPosition[]): CardPosition[] {
  const found = place.group ? near.filter((p) => p.group) : [];
  return found.length > 0 ? found : near;
}

interface PreferredPosition {
  x: number;
  weight: number;
}

function preferredPosition(
  place: CardPosition,
  near: CardPosition[],
  middles: Map<CardPosition, number>,
): PreferredPosition {
  if (near.length === 0)
    return { x: middles.get(place)!, weight: place.group && place.above.length > 0 ? 2 : 0.0001 };
  // Cards stay where they are best, and lines that pass make way.
  const weight = near.length * (place.group ? 1 : 0.001);
  return { x: near.reduce((sum, p) => sum + middles.get(p)!, 0) / near.length, weight };
}

/** The places nearest to the wishes that keep the order and the distances of a row (pools of adjacent violators). */
function spreadCards(row: CardPosition[], wishes: PreferredPosition[], gap: number): number[] {
  const offsets = [0];
  for (let i = 1; i < row.length; i++) offsets.push(offsets[i - 1]! + row[i - 1]!.right + gap + row[i]!.left);
  const pools: { sum: number; weight: number; size: number }[] = [];
  for (const [i, { x, weight }] of wishes.entries()) {
    let pool = { sum: (x - offsets[i]!) * weight, weight, size: 1 };
    for (let before = pools.at(-1); before; before = pools.at(-1)) {
      if (before.sum / before.weight < pool.sum / pool.weight) break;
      pools.pop();
      pool = { sum: before.sum + pool.sum, weight: before.weight + pool.weight, size: before.size + pool.size };
    }
    pools.push(pool);
  }
  return pools.flatMap((p) => Array<number>(p.size).fill(p.sum / p.weight)).map((x, i) => x + offsets[i]!);
}
