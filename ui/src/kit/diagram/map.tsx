import { t } from "@lingui/core/macro";
import { MiniMap, type PanelPosition } from "@xyflow/react";
import type { Size } from "./boxes";

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
