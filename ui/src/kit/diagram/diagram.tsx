import { t } from "@lingui/core/macro";
import "@xyflow/react/dist/base.css";
import { type EdgeMarker, MarkerType, type Node, ReactFlow, type ReactFlowProps } from "@xyflow/react";
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useRef } from "react";
import { ARROWS, type Box, type Direction } from "./boxes";
import { type End, endsOf } from "./ends";
import { focusCard } from "./focus";
import { useZoom } from "./zoom";

/** Duration of a move of the viewport, in milliseconds. */
export const MOVE_MS = 160;

/** Cards that are all drawn, seen or not. Of more, only those in view are: a browser that draws thousands moves by jerks. */
const MOST_DRAWN = 150;

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

/** Instructions that the diagram library attaches to cards and lines: cards describe their keys themselves, lines take none. */
const instructions = () => ({
  "node.a11yDescription.default": t`Use the arrow keys to move between cards.`,
  "edge.a11yDescription.default": t`A line between two cards.`,
});

/** Lines are only seen: the library would name them by the identifiers of their cards, and what a card reads is in its details. */
const UNHEARD = { domAttributes: { "aria-hidden": true } } as const;

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
  const words = useMemo(instructions, []);
  const many = (flow.nodes?.length ?? 0) > MOST_DRAWN;
  const edges = useMemo(() => flow.edges?.map((edge) => ({ ...edge, ...UNHEARD })), [flow.edges]);
  // The card that the keyboard is at, also where it is out of view and so not drawn.
  const at = useRef<string | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    const direction = event.shiftKey ? undefined : ARROWS[event.key];
    if (onKey?.(event)) event.preventDefault();
    else if (direction) {
      event.preventDefault();
      const next = neighbour(at.current ?? tabStop, direction);
      if (next === null) return;
      at.current = next;
      onArrive(next);
      focusCard(frame.current, next);
    } else if (event.key === "Escape") {
      if (onEscape()) event.stopPropagation();
    } else if (zoom.onKey(event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div
      ref={frame}
      className="relative min-h-0 flex-1 outline-offset-[-2px]"
      // Where the card with the focus may go out of view, and with it the place of the Tab key.
      {...(many ? { tabIndex: 0, role: "group", "aria-label": label } : {})}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        at.current = cardOf(target) ?? at.current;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && relatedTarget !== frame.current) at.current = null;
      }}
    >
      <ReactFlow
        aria-label={label}
        {...READ_ONLY}
        onlyRenderVisibleElements={many}
        onMoveEnd={() => {
          if (many && at.current !== null && document.activeElement === document.body)
            frame.current?.focus({ preventScroll: true });
        }}
        ariaLabelConfig={words}
        onMoveStart={(event) => {
          if (event) onMoved?.();
        }}
        {...flow}
        edges={edges}
      >
        {zoom.buttons}
        {children}
      </ReactFlow>
    </div>
  );
}

const cardOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>("[data-node]")?.dataset.node;

/** A node whose place and size the layout has determined, and where its lines end. */
export function placedNode({ id, x, y, width, height }: Box, ends: End[]): Omit<Node, "data"> {
  return {
    id,
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: endsOf({ width, height }, ends),
    style: { pointerEvents: "all" },
  };
}

/** The arrowhead of a line: as large as others on a line that is thicker. */
export function arrowhead(color: string): EdgeMarker {
  return { type: MarkerType.ArrowClosed, width: 18, height: 18, color, markerUnits: "userSpaceOnUse" };
}
