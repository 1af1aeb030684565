import { t } from "@lingui/core/macro";
import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { IconButton } from "../button";
import { pressedKeys } from "../keyNames";
import { isShortcut, keysOf } from "../shortcuts";
import { ARROWS } from "./boxes";

const MS = 120;
/** Distance that Shift and an arrow key move the view, in pixels. */
const PAN = 120;

/** Zooming and panning of a diagram, by button and by key. */
export function useZoom({ fit, onMoved, tools }: { fit: () => void; onMoved?: () => void; tools?: ReactNode }) {
  const flow = useReactFlow();
  const zoom = (by: "zoomIn" | "zoomOut") => () => {
    onMoved?.();
    void flow[by]({ duration: MS });
  };
  const act = (event: KeyboardEvent): (() => void) | undefined => {
    if (isShortcut(event, "zoomIn")) return zoom("zoomIn");
    if (isShortcut(event, "zoomOut")) return zoom("zoomOut");
    if (isShortcut(event, "fit")) return fit;
    // Where + is typed with Shift, the key alone will do.
    return pressedKeys(event) === "=" && keysOf("zoomIn") === "+" ? zoom("zoomIn") : undefined;
  };
  const pan = (direction: (typeof ARROWS)[string]) => {
    onMoved?.();
    const { x, y, zoom } = flow.getViewport();
    const by = { left: [PAN, 0], right: [-PAN, 0], up: [0, PAN], down: [0, -PAN] } as const;
    const [dx, dy] = by[direction];
    void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: MS });
  };
  return {
    /** True if the key zooms or pans. */
    onKey: (event: KeyboardEvent): boolean => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const direction = plain && event.shiftKey ? ARROWS[event.key] : undefined;
      const acts = direction ? () => pan(direction) : act(event);
      acts?.();
      return acts !== undefined;
    },
    buttons: (
      <Panel
        position="bottom-left"
        className="m-3! flex items-center rounded-md border border-line bg-raised p-0.5 shadow-card"
      >
        <IconButton size="sm" label={t`Zoom out`} command="zoomOut" onClick={zoom("zoomOut")}>
          <Minus size={14} />
        </IconButton>
        <IconButton size="sm" label={t`Zoom in`} command="zoomIn" onClick={zoom("zoomIn")}>
          <Plus size={14} />
        </IconButton>
        <IconButton size="sm" label={t`Fit to view`} command="fit" onClick={fit}>
          <Maximize size={13} />
        </IconButton>
        {tools}
      </Panel>
    ),
  };
}
