import { t } from "@lingui/core/macro";
import "@xyflow/react/dist/base.css";
import { type EdgeMarker, MarkerType, type Node, ReactFlow, type ReactFlowProps } from "@xyflow/react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { ARROWS, type Box, type Direction } from "./boxes";
import { useZoom } from "./zoom";

/** How long the viewport moves, in milliseconds. */
export const MOVE_MS = 160;

/** Users pan and zoom; they do not edit. The diagram handles its keys itself. */
const READ_ONLY = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  maxZoom: 1.6,
  // xyflow is MIT; its makers leave hiding their label to anyone and ask those who earn with it to subscribe. The notices
  // that are shipped name it.
  proOptions: { hideAttribution: true },
} as const;

/** What the diagram's library says of cards and lines: cards say their keys themselves, and lines take none. */
const said = () => ({
  "node.a11yDescription.default": t`The arrow keys lead from card to card.`,
  "edge.a11yDescription.default": t`A line between two cards.`,
});

interface Props extends Omit<ReactFlowProps, "aria-label" | "onKeyDown"> {
  label: string;
  frame: RefObject<HTMLDivElement | null>;
  /** The card from which the arrow keys start while none has the focus. */
  tabStop: string;
  /** The card that an arrow key leads to. */
  neighbour: (from: string, direction: Direction) => string | null;
  /** An arrow key moved the focus to a card. */
  onArrive: (card: string) => void;
  /** Clears what is selected; false if nothing is. */
  onEscape: () => boolean;
  fit: () => void;
  /** The user moved the view. */
  onMoved?: () => void;
  /** Keys of the diagram's own; true if it took one. */
  onKey?: (event: KeyboardEvent) => boolean;
  /** More buttons beside those that zoom. */
  tools?: ReactNode;
}

/** Cards and lines. The arrow keys walk between cards (`[data-node]`), with Shift they pan; +, - and 0 zoom. */
export function Diagram(props: Props) {
  const { label, frame, tabStop, neighbour, onArrive, onEscape, fit, onMoved, onKey, tools, children, ...flow } =
    props;
  const zoom = useZoom({ fit, onMoved, tools });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    const direction = event.shiftKey ? undefined : ARROWS[event.key];
    if (onKey?.(event)) event.preventDefault();
    else if (direction) {
      event.preventDefault();
      const focused = (event.target as HTMLElement).closest<HTMLElement>("[data-node]")?.dataset.node;
      const next = neighbour(focused ?? tabStop, direction);
      if (next === null) return;
      frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus({ preventScroll: true });
      onArrive(next);
    } else if (event.key === "Escape") {
      if (onEscape()) event.stopPropagation();
    } else if (zoom.onKey(event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div ref={frame} className="relative min-h-0 flex-1" onKeyDown={onKeyDown}>
      <ReactFlow
        aria-label={label}
        {...READ_ONLY}
        ariaLabelConfig={said()}
        onMoveStart={(event) => {
          if (event) onMoved?.();
        }}
        {...flow}
      >
        {zoom.buttons}
        {children}
      </ReactFlow>
    </div>
  );
}

/** A node whose place and size the layout has determined. */
export function placedNode({ id, x, y, width, height }: Box): Omit<Node, "data"> {
  return {
    id,
    position: { x, y },
    width,
    height,
    measured: { width, height },
    style: { pointerEvents: "all" },
  };
}

/** The arrowhead of a line: as large as others on a line that is thicker. */
export function arrowhead(color: string): EdgeMarker {
  return { type: MarkerType.ArrowClosed, width: 18, height: 18, color, markerUnits: "userSpaceOnUse" };
}
