import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { KeyboardEvent } from "react";
import { IconButton } from "../button";

const MS = 120;

/** Zooming of a diagram, by button and by key. */
export function useZoom(fit: () => void) {
  const flow = useReactFlow();
  const zoomIn = () => void flow.zoomIn({ duration: MS });
  const zoomOut = () => void flow.zoomOut({ duration: MS });
  const keys: Record<string, () => void> = { "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": fit };
  return {
    /** Whether the key zooms. */
    onKey: (event: KeyboardEvent): boolean => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      act?.();
      return act !== undefined;
    },
    buttons: (
      <Panel position="bottom-left" className="m-3! flex rounded-md border border-line bg-raised p-0.5 shadow-card">
        <IconButton size="sm" label="Zoom out" keys="-" onClick={zoomOut}>
          <Minus size={14} />
        </IconButton>
        <IconButton size="sm" label="Zoom in" keys="+" onClick={zoomIn}>
          <Plus size={14} />
        </IconButton>
        <IconButton size="sm" label="Fit to view" keys="0" onClick={fit}>
          <Maximize size={13} />
        </IconButton>
      </Panel>
    ),
  };
}
