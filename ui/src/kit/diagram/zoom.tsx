import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { IconButton } from "../button";
import { ARROWS } from "./boxes";

const MS = 120;
/** How far Shift and an arrow key move the view, in pixels. */
const PAN = 120;

/** Zooming and panning of a diagram, by button and by key. */
export function useZoom({ fit, onMoved, tools }: { fit: () => void; onMoved?: () => void; tools?: ReactNode }) {
  const flow = useReactFlow();
  const zoom = (by: "zoomIn" | "zoomOut") => () => {
    onMoved?.();
    void flow[by]({ duration: MS });
  };
  const keys: Record<string, () => void> = {
    "+": zoom("zoomIn"),
    "=": zoom("zoomIn"),
    "-": zoom("zoomOut"),
    "0": fit,
  };
  const pan = (direction: (typeof ARROWS)[string]) => {
    onMoved?.();
    const { x, y, zoom } = flow.getViewport();
    const by = { left: [PAN, 0], right: [-PAN, 0], up: [0, PAN], down: [0, -PAN] } as const;
    const [dx, dy] = by[direction];
    void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: MS });
  };
  return {
    /** Whether the key zooms or pans. */
    onKey: (event: KeyboardEvent): boolean => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const direction = event.shiftKey ? ARROWS[event.key] : undefined;
      const act = direction ? () => pan(direction) : keys[event.key];
      act?.();
      return act !== undefined;
    },
    buttons: (
      <Panel
        position="bottom-left"
        className="m-3! flex items-center rounded-md border border-line bg-raised p-0.5 shadow-card"
      >
        <IconButton size="sm" label="Zoom out" keys="-" onClick={zoom("zoomOut")}>
          <Minus size={14} />
        </IconButton>
        <IconButton size="sm" label="Zoom in" keys="+" onClick={zoom("zoomIn")}>
          <Plus size={14} />
        </IconButton>
        <IconButton size="sm" label="Fit to view" keys="0" onClick={fit}>
          <Maximize size={13} />
        </IconButton>
        {tools}
      </Panel>
    ),
  };
}
