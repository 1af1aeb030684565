import { t } from "@lingui/core/macro";
import {
  BaseEdge,
  type EdgeProps,
  type Edge as FlowEdge,
  type Node as FlowNode,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Profile, Table } from "../../../host/bindings";
import { nearestBox, viewShowing } from "../../../kit/diagram/boxes";
import { arrowhead, Diagram, MOVE_MS, placedNode } from "../../../kit/diagram/diagram";
import { DiagramMap } from "../../../kit/diagram/map";
import { useRoom } from "../../../kit/diagram/room";
import { READABLE, scaleToFit } from "../../../kit/diagram/view";
import { clipText } from "../../../kit/format";
import { tableProfile } from "../search";
import { layoutOf, pathOf, viewAround } from "./layout";
import type { Link, Links } from "./links";
import { type CardData, ENDS, TableCard } from "./TableCard";

const NODE_TYPES = { table: TableCard };
const EDGE_TYPES = { key: KeyLine };
/** Letters between two cards. */
const LABEL = 11;
const MAP = { width: 110, height: 80 };

interface Props {
  links: Links;
  labels: string[];
  shown: Link[];
  chosen: string;
  /** The tables that the search found, the first of which is shown. */
  found: string[];
  profile: Profile | null;
  onOpen: (table: Table) => void;
}

/** Tables and their keys as a picture: declared ones solid, inferred ones dashed. */
export function KeyPicture(props: Props) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ links, labels, shown, chosen, found, profile, onOpen }: Props) {
  const flow = useReactFlow();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const layout = useMemo(() => layoutOf(labels, shown, chosen), [labels, shown, chosen]);
  const boxes = useMemo(() => new Map(layout.boxes.map((box) => [box.id, box])), [layout]);
  const [pointed, setPointed] = useState<string | null>(null);
  const lit = pointed ?? chosen;

  const moved = useRef(false);
  const fit = useCallback(
    (ms: number) => {
      if (room) void flow.setViewport(viewAround(layout, room, boxes.get(chosen)!), { duration: ms });
    },
    [flow, layout, room, boxes, chosen],
  );
  // Another picture is shown from its beginning; what a user has moved stays where it is.
  const placed = useRef<typeof layout | null>(null);
  useEffect(() => {
    if (placed.current !== layout) moved.current = false;
    placed.current = layout;
    if (!moved.current) fit(0);
  }, [layout, fit]);
  const show = useCallback(
    (label: string | undefined) => {
      const box = label === undefined ? undefined : boxes.get(label);
      if (box && room) void flow.setViewport(viewShowing(flow.getViewport(), box, room), { duration: MOVE_MS });
    },
    [boxes, room, flow],
  );
  const first = found[0];
  useEffect(() => show(first), [first, show]);

  const nodes = useMemo(
    () =>
      layout.boxes.map((box): FlowNode => {
        const table = links.tables.get(box.id)!;
        const data: CardData = {
          table,
          rows: table.rowCount ?? tableProfile(profile, table.name)?.rowCount ?? null,
          keys: links.counts?.get(box.id) ?? links.of.get(box.id)?.length ?? 0,
          chosen: box.id === chosen,
          found: found.includes(box.id),
          tabStop: box.id === chosen,
          onOpen,
          onPoint: setPointed,
        };
        return { ...placedNode(box, ENDS), type: "table", zIndex: 2, data };
      }),
    [layout, links, profile, chosen, found, onOpen],
  );
  const edges = useMemo(
    () =>
      shown.map((link): FlowEdge => {
        const bright = link.from === lit || link.to === lit;
        const colour = bright ? "var(--accent)" : "var(--edge)";
        return {
          id: link.id,
          source: link.from,
          target: link.to,
          type: "key",
          zIndex: bright ? 1 : 0,
          style: {
            stroke: colour,
            strokeWidth: bright ? 2 : 1.5,
            strokeDasharray: link.evidence === null ? undefined : "5 4",
          },
          markerEnd: arrowhead(colour),
          data: {
            ...pathOf(boxes.get(link.from)!, boxes.get(link.to)!),
            words: bright ? clipText(link.columns.join(", "), LABEL) : "",
          },
        };
      }),
    [shown, boxes, lit],
  );
  const large = room !== null && scaleToFit(layout, room) < READABLE;
  return (
    <Diagram
      label={t`Tables and keys`}
      frame={frame}
      tabStop={chosen}
      neighbour={(from, direction) =>
        nearestBox(
          layout.boxes.map(({ id, x, y, width, height }) => ({ id, x: x + width / 2, y: y + height / 2 })),
          from,
          direction,
        )
      }
      onArrive={show}
      onEscape={() => false}
      fit={() => {
        moved.current = false;
        fit(MOVE_MS);
      }}
      onMoved={() => {
        moved.current = true;
      }}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      minZoom={0.15}
    >
      {large && (
        <DiagramMap
          size={MAP}
          position="bottom-right"
          colour={(id) => (id === chosen ? "var(--accent)" : "var(--edge)")}
        />
      )}
    </Diagram>
  );
}

function KeyLine({ data, style, markerEnd }: EdgeProps) {
  const { path, x, y, words } = data as { path: string; x: number; y: number; words: string };
  return (
    <BaseEdge
      path={path}
      style={style}
      markerEnd={markerEnd}
      label={words || undefined}
      labelX={x}
      labelY={y}
      labelStyle={{ fill: "var(--fg-2)", fontSize: 12 }}
      labelBgStyle={{ fill: "var(--bg)" }}
      labelBgPadding={[3, 1]}
    />
  );
}
