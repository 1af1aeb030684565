// The places of cards and passing lines, row by row: each card is as late as possible, right above its first reader.

import type { Size } from "../../../kit/diagram/boxes";

/** A card with those that stand at its left. */
export interface Group extends Size {
  id: string;
  beside: ({ id: string } & Size)[];
}

/** An item of a row: a card with its attached cards, or a passing line. */
export interface CardPosition {
  /** The group; a line that passes has none. */
  group: Group | null;
  row: number;
  /** Room to the left and to the right of its middle. */
  left: number;
  right: number;
  above: CardPosition[];
  below: CardPosition[];
}

/** A line by the places that it goes through, both ends included. */
export interface EdgePath {
  from: string;
  to: string;
  places: CardPosition[];
}

const PASSING = 12;

/** `reads` run from earlier groups to later ones, cards are `gap` apart. Lines of a tree are in order already. */
export function placesOf(
  groups: Group[],
  reads: { from: string; to: string }[],
  gap: number,
): { rows: CardPosition[][]; paths: EdgePath[] } {
  const readers = new Map<string, string[]>();
  for (const { from, to } of reads) readers.set(from, [...(readers.get(from) ?? []), to]);
  // Distance to the end: the longest path down.
  const height = new Map<string, number>();
  for (const { id } of [...groups].reverse())
    height.set(id, Math.max(-1, ...(readers.get(id) ?? []).map((reader) => height.get(reader)!)) + 1);
  const rowCount = Math.max(0, ...[...height.values()].map((h) => h + 1));
  const rows: CardPosition[][] = Array.from({ length: rowCount }, () => []);
  const places = new Map<string, CardPosition>();
  for (const group of groups) {
    const beside = Math.max(0, ...group.beside.map((card) => card.width + gap));
    const row = rowCount - 1 - height.get(group.id)!;
    const left = beside + group.width / 2;
    places.set(group.id, { group, row, left, right: group.width / 2, above: [], below: [] });
  }
  const paths = reads.map(({ from, to }): EdgePath => {
    const [first, last] = [places.get(from)!, places.get(to)!];
    const way = [first];
    for (let row = first.row + 1; row < last.row; row++)
      way.push({ group: null, row, left: PASSING, right: PASSING, above: [], below: [] });
    way.push(last);
    for (let i = 1; i < way.length; i++) {
      way[i - 1]!.below.push(way[i]!);
      way[i]!.above.push(way[i - 1]!);
    }
    return { from, to, places: way };
  });
  // From the end upwards, everything that a card reads beside each other: lines of a tree do not cross.
  const seen = new Set<CardPosition>();
  const put = (place: CardPosition) => {
    if (seen.has(place)) return;
    seen.add(place);
    for (const above of place.above) put(above);
    rows[place.row]!.push(place);
  };
  for (const group of [...groups].reverse()) if (!readers.has(group.id)) put(places.get(group.id)!);
  return { rows, paths };
}
