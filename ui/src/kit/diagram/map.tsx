import { t } from "@lingui/core/macro";
import { MiniMap, type PanelPosition, useStore } from "@xyflow/react";
import type { Size } from "./boxes";

/** How many times as long as the map each side of the frame is at least. In less room it would hide what it shows. */
const ROOM = 2.5;

/** A small map of a diagram that does not fit; dragging it moves the view. */
export function DiagramMap({
  size,
  position,
  colour,
}: {
  size: Size;
  position: PanelPosition;
  /** The colour of a card. */
  colour: (id: string) => string;
}) {
  const roomy = useStore((s) => s.width >= ROOM * size.width && s.height >= ROOM * size.height);
  if (!roomy) return null;
  return (
    <MiniMap
      ariaLabel={t`Minimap`}
      position={position}
      pannable
      style={size}
      nodeColor={(node) => colour(node.id)}
      nodeBorderRadius={20}
      maskColor={"color-mix(in srgb, var(--bg-active) 60%, transparent)"}
      className="m-3! rounded-md border border-line bg-raised! shadow-card"
    />
  );
}
