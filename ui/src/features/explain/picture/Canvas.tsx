import { t } from "@lingui/core/macro";
import "./picture.css";
import {
  BaseEdge,
  type CoordinateExtent,
  type EdgeProps,
  type Edge as FlowEdge,
  type Node as FlowNode,
  useReactFlow,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { clearCorner, type Size, viewShowing } from "../../../kit/diagram/boxes";
import { arrowhead, Diagram, MOVE_MS, placedNode } from "../../../kit/diagram/diagram";
import { Find, FindButton, useFind } from "../../../kit/diagram/find";
import { focusCard } from "../../../kit/diagram/focus";
import { TextLevel } from "../../../kit/diagram/level";
import { LEAST_SCALE } from "../../../kit/diagram/levels";
import { DiagramMap } from "../../../kit/diagram/map";
import { MarksContext } from "../../../kit/diagram/marks";
import { useRoom } from "../../../kit/diagram/room";
import { beginOf, fitsAcross, keptView, READABLE, scaleToFit, viewOf } from "../../../kit/diagram/view";
import { type CardData, ENDS, PictureCard, TracedContext } from "./cards";
import { findCards } from "./find";
import { type Layout, type Line, layoutPicture } from "./layout";
import type { PickedColumn, Trace } from "./lineage";
import { type Picture, RESULT } from "./model";
import { NARROW, WIDE } from "./size";
import { neighbourCard } from "./walk";

const NODE_TYPES = { card: PictureCard };
const EDGE_TYPES = { read: ReadLine };
const MAP_HEIGHT = 130;
const MAP_MARGIN = 24;
const mapWidth = ({ width, height }: Size) => Math.max(56, Math.min(120, (MAP_HEIGHT * width) / height));

/** Height of the search, with its margin. */
const FIND_HEIGHT = 52;
/** Height of the lineage bar. */
const BAR = 36;

interface Props {
  picture: Picture;
  traced: Trace | null;
  selected: string | null;
  onSelect: (card: string) => void;
  onPick: (picked: PickedColumn) => void;
  /** Clears what is picked or selected; false if nothing is. */
  onEscape: () => boolean;
}

export function Canvas({ picture, traced, selected, onSelect, onPick, onEscape }: Props) {
  const flow = useReactFlow();
  const frame = useRef<HTMLDivElement>(null);
  const whole = useRoom(frame);
  const layout = useLayout(picture, whole, selected !== null);
  const map = useMemo(() => (whole ? mapBeside(layout, whole) : "none"), [layout, whole]);
  const room = useMemo(() => {
    return whole && map === "beside" ? { ...whole, width: whole.width - mapWidth(layout) - MAP_MARGIN } : whole;
  }, [whole, map, layout]);
  const mapSize = { width: mapWidth(layout), height: MAP_HEIGHT };
  const corner = useMemo(() => {
    if (map !== "over" || !room) return "top-right";
    const size = { width: mapWidth(layout) + MAP_MARGIN, height: MAP_HEIGHT + MAP_MARGIN };
    return clearCorner(layout.boxes, beginOf(layout, room, firstOf(picture, layout)), room, size);
  }, [map, room, picture, layout]);
  const boxes = layout.boxes;
  const has = (id: string | null) => id !== null && boxes.some((box) => box.id === id);
  // The initial view: the result, or the start of a diagram that is too large.
  const fits = room === null || scaleToFit(layout, room) >= READABLE;
  const start = fits ? RESULT : (firstOf(picture, layout)?.id ?? RESULT);
  const tabStop = has(selected) ? selected! : start;

  const boxOf = useCallback((id: string | null) => layout.boxes.find((box) => box.id === id), [layout]);
  // All of it, also where cards tell only what they are then: a map to move around in.
  const fit = (ms: number) => {
    if (room) void flow.setViewport(viewOf(layout, room, boxOf(selected ?? RESULT), LEAST_SCALE), { duration: ms });
  };
  const find = useFind(useCallback((typed: string) => findCards(picture, typed), [picture]));
  const show = (id: string) => {
    const box = boxOf(id);
    if (!box || !room) return;
    // Clear of the search, which lies over the top.
    const top = find.shown ? FIND_HEIGHT : 0;
    const now = flow.getViewport();
    const view = viewShowing({ ...now, y: now.y - top }, box, { ...room, height: room.height - top });
    void flow.setViewport({ ...view, y: view.y + top }, { duration: MOVE_MS });
  };
  const goTo = (at: number) => {
    find.setAt(at);
    const id = find.found[at];
    if (selected && id !== undefined) onSelect(id);
  };
  // Search results scroll into view while the user types.
  const current = find.shown ? find.found[find.at] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each card that is come to
  useEffect(() => {
    if (current !== undefined && !selected) show(current);
  }, [current]);
  const closeFind = () => {
    const id = find.found[find.at] ?? tabStop;
    find.close();
    focusCard(frame.current, id);
  };

  // At first and with every other picture all of it is in view, or its beginning, also in a frame that gets its size later, as long as
  // the user has not moved the picture. A frame of another width takes in the whole again, where it can; all else moves the picture as
  // little as it has to.
  const placed = useRef<{ layout: Layout; room: Size } | null>(null);
  const moved = useRef(false);
  const picked = traced?.picked.card ?? null;
  useEffect(() => {
    if (!room) return;
    const before = placed.current;
    placed.current = { layout, room };
    if (before?.layout !== layout) moved.current = false;
    const narrowed = before?.room.width !== room.width;
    const resized = narrowed || before?.room.height !== room.height;
    const fresh = before?.layout !== layout || (resized && !moved.current && selected === null && picked === null);
    const focus = boxOf(selected ?? picked);
    const now = flow.getViewport();
    const clear = { ...room, height: room.height - (picked ? BAR : 0) };
    const shown = focus ? viewShowing(now, focus, clear) : now;
    const begun = () => (focus ? viewOf(layout, room, focus) : beginOf(layout, room, firstOf(picture, layout)));
    const view = fresh ? begun() : narrowed ? keptView(layout, room, now, focus) : shown;
    if (view !== now) void flow.setViewport(view, { duration: fresh ? 0 : MOVE_MS });
  }, [picture, layout, room, selected, picked, boxOf, flow]);

  const nodes = useMemo(() => flowNodes(picture, layout, { onSelect, onPick }), [picture, layout, onSelect, onPick]);
  const extent = useMemo(
    (): CoordinateExtent => [
      [-400, -300],
      [layout.width + 400, layout.height + 300],
    ],
    [layout],
  );
  const marks = useMemo(() => ({ selected, tabStop, found: new Set(find.found) }), [selected, tabStop, find.found]);
  const edges = useMemo(() => flowEdges(layout, traced), [layout, traced]);
  return (
    <MarksContext value={marks}>
      <TracedContext value={traced}>
        <Diagram
          label={t`Data flow of the answer`}
          frame={frame}
          className="data-flow"
          tabStop={tabStop}
          neighbour={(from, direction) => neighbourCard(layout, from, direction)}
          onArrive={(id) => {
            if (selected) onSelect(id);
            else show(id);
          }}
          onEscape={onEscape}
          onKey={find.onKey}
          tools={<FindButton find={find} />}
          fit={() => fit(MOVE_MS)}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onMoved={() => {
            moved.current = true;
          }}
          minZoom={LEAST_SCALE}
          translateExtent={extent}
        >
          <TextLevel frame={frame} />
          <Find find={find} onGo={goTo} onClose={closeFind} />
          {map !== "none" && <DiagramMap size={mapSize} position={corner} colour={mapColour} />}
        </Diagram>
      </TracedContext>
    </MarksContext>
  );
}

/** Cards are narrower where the picture fits across its frame by that alone; a panel that opens beside it moves no card. */
function useLayout(picture: Picture, frame: Size | null, open: boolean): Layout {
  const wide = useMemo(() => layoutPicture(picture), [picture]);
  // No layout is narrower by more than its gaps are: a large one is not worth the try.
  const least = { ...wide, width: (wide.width * NARROW.gap) / WIDE.gap };
  const tries = frame !== null && !fitsAcross(wide, frame) && fitsAcross(least, frame);
  const narrow = useMemo(() => (tries ? layoutPicture(picture, NARROW) : null), [picture, tries]);
  const chosen = useRef<{ wide: Layout; layout: Layout } | null>(null);
  if (frame && (!open || chosen.current?.wide !== wide))
    chosen.current = { wide, layout: narrow && fitsAcross(narrow, frame) ? narrow : wide };
  return chosen.current?.layout ?? wide;
}

/** The card that the work begins with. */
const firstOf = ({ cards }: Picture, { boxes }: Layout) => boxes.find((box) => box.id === cards[0]?.id);

/** Returns whether a picture that does not fit has a small map: beside it, or over it where it is too wide for anything else. */
function mapBeside(picture: Size, frame: Size): "none" | "beside" | "over" {
  if (scaleToFit(picture, frame) >= READABLE) return "none";
  const across = picture.width * READABLE + MAP_MARGIN;
  if (across + mapWidth(picture) + MAP_MARGIN <= frame.width) return "beside";
  return across > frame.width && frame.width >= 3 * mapWidth(picture) ? "over" : "none";
}

const mapColour = (id: string) => (id === RESULT ? "var(--accent)" : "var(--edge)");

function flowNodes({ cards }: Picture, layout: Layout, on: Pick<Props, "onSelect" | "onPick">): FlowNode[] {
  const boxes = new Map(layout.boxes.map((box) => [box.id, box]));
  return cards.map((card) => {
    const data: CardData = { card, widths: layout.widths, ...on };
    return { ...placedNode(boxes.get(card.id)!, ENDS), type: "card", zIndex: 2, data };
  });
}

function flowEdges({ lines }: Layout, traced: Trace | null): FlowEdge[] {
  return lines.map((line) => {
    const id = `${line.from}>${line.to}`;
    const lit = traced?.reads.has(id) ?? false;
    const colour = lit ? "var(--accent)" : "var(--edge)";
    return {
      id,
      source: line.from,
      target: line.to,
      type: "read",
      zIndex: lit ? 1 : 0,
      style: { stroke: colour, strokeWidth: lit ? 2 : 1.5, opacity: traced && !lit ? 0.3 : 1 },
      markerEnd: arrowhead(colour),
      data: { path: pathOf(line) },
    };
  });
}

function ReadLine({ data, style, markerEnd }: EdgeProps) {
  return <BaseEdge path={String(data?.path)} style={style} markerEnd={markerEnd} />;
}

/** A line through its corners: straight inside of rows, bent between them. */
function pathOf({ points, aside }: Line): string {
  const [first, ...rest] = points;
  let [x0, y0] = first!;
  let path = `M${x0},${y0}`;
  for (const [x, y] of rest) {
    if (x === x0 || y === y0) path += `L${x},${y}`;
    else if (aside) path += `C${(x0 + x) / 2},${y0} ${(x0 + x) / 2},${y} ${x},${y}`;
    else path += `C${x0},${(y0 + y) / 2} ${x},${(y0 + y) / 2} ${x},${y}`;
    [x0, y0] = [x, y];
  }
  return path;
}
