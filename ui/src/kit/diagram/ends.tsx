// Where lines leave and arrive at a card. The diagram's library measures them on a card that it draws; for the others, in a large
// diagram most of them, it is reported.

import { Handle, type NodeHandle, Position } from "@xyflow/react";
import type { Size } from "./boxes";

export interface End {
  /** Needed where a card has several of one type. */
  id?: string;
  type: "source" | "target";
  side: Position;
  /** Position along the side, as a fraction; the middle by default. */
  at?: number;
}

const isUpright = (side: Position) => side === Position.Left || side === Position.Right;

/** The ends of a card that is not drawn, a pixel wide, in the middle of its border. */
export function endsOf({ width, height }: Size, ends: End[]): NodeHandle[] {
  return ends.map(({ id, type, side, at = 0.5 }) => {
    const across = {
      [Position.Left]: 0,
      [Position.Right]: width,
      [Position.Top]: width * at,
      [Position.Bottom]: width * at,
    };
    const down = {
      [Position.Left]: height * at,
      [Position.Right]: height * at,
      [Position.Top]: 0,
      [Position.Bottom]: height,
    };
    return { id, type, position: side, x: across[side] - 0.5, y: down[side] - 0.5, width: 1, height: 1 };
  });
}

/** The same of one that is. */
export function CardEnds({ ends }: { ends: End[] }) {
  return ends.map(({ id, type, side, at }) => (
    <Handle
      key={id ?? type}
      id={id}
      type={type}
      position={side}
      style={at === undefined ? undefined : { [isUpright(side) ? "top" : "left"]: `${at * 100}%` }}
      isConnectable={false}
    />
  ));
}
