import { t } from "@lingui/core/macro";
import "./canvas.css";
import {
  type Edge as FlowEdge,
  type Node as FlowNode,
  ReactFlowProvider,
  type ReactFlowState,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { Rows2, Rows4 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../../kit/button";
import { type Size, viewShowing } from "../../../kit/diagram/boxes";
import { arrowhead, Diagram, MOVE_MS, placedNode } from "../../../kit/diagram/diagram";
import { Find, FindButton, useFind } from "../../../kit/diagram/find";
import { focusCard } from "../../../kit/diagram/focus";
import { TextLevel } from "../../../kit/diagram/level";
import { LEAST_SCALE } from "../../../kit/diagram/levels";
import { DiagramMap } from "../../../kit/diagram/map";
import { MarksContext } from "../../../kit/diagram/marks";
import { useRoom } from "../../../kit/diagram/room";
import { keptView, READABLE, scaleToFit, viewOf } from "../../../kit/diagram/view";
import { findNodes } from "../layout/find";
import { type EdgeRoute, type Layout, layoutRun, neighbour } from "../layout/layout";
import { pathThrough } from "../layout/path";
import { stripLines } from "../layout/strip";
import { nodesById, type RunModel } from "../model/model";
import { isAside } from "../model/trajectory";
import { Legend } from "./Legend";
import { CardNode, ClosedLane, ENDS, LabelNode, LaneNode, StateCard, ViewCard } from "./nodes";

const NODE_TYPES = {
  card: CardNode,
  lane: LaneNode,
  closed: ClosedLane,
  view: ViewCard,
  state: StateCard,
  label: LabelNode,
};

/** A closed lane that is lower has no room for the names of its views. */
const NAMES_HEIGHT = 60;
const MAP = { width: 132, height: 84 };

interface Props {
  run: RunModel;
  selected: string | null;
  onSelect: (id: string) => void;
  onClose: () => void;
}

/** The graph of a run. `fold.ts` gives its content, `layout.ts` its layout. */
export function RunGraph(props: Props) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

/** The ends of each way. */
const HANDLES: Record<EdgeRoute, [from: string, to: string]> = {
  ahead: ["out", "in"],
  down: ["bottom", "top"],
  back: ["bottom", "top"],
  aside: ["out", "in"],
  in: ["bottom", "side"],
  on: ["bottom", "in"],
};

function Canvas({ run, selected, onSelect, onClose }: Props) {
  const flow = useReactFlow();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const { layout, lanes } = useLayout(run, room, selected);
  const find = useFind(useCallback((typed: string) => findNodes(run, typed), [run]));
  const boxOf = useCallback((id: string | null) => layout.boxes.find((b) => b.id === id), [layout]);
  const tabStop = (boxOf(selected) ?? layout.boxes[0])?.id;

  const nodes = useMemo(() => flowNodes(run, layout, onSelect), [run, layout, onSelect]);
  const marks = useMemo(
    () => ({ selected, tabStop, found: places(run, layout, find.found) }),
    [run, layout, selected, tabStop, find.found],
  );
  const lit = useMemo(() => pathThrough(run, layout.edges, selected), [run, layout, selected]);
  const edges = useMemo(() => flowEdges(run, layout, lit), [run, layout, lit]);

  // Until the user moves the view it shows the whole graph, whatever room a panel leaves. After that the view keeps
  // its scale and moves as far as it takes to show what is selected.
  const moved = useRef(false);
  const placed = useRef<{ layout: Layout; room: Size } | null>(null);
  const fit = useCallback(
    (ms: number) => {
      if (!room) return;
      moved.current = false;
      const focus = boxOf(selected) ?? layout.boxes.at(-1);
      void flow.setViewport(viewOf(layout, room, focus, LEAST_SCALE), { duration: ms });
    },
    [flow, layout, room, selected, boxOf],
  );
  useEffect(() => {
    if (!room) return;
    const before = placed.current;
    placed.current = { layout, room };
    if (!moved.current) {
      fit(before === null || before.layout !== layout ? 0 : MOVE_MS);
      return;
    }
    const now = flow.getViewport();
    const focus = boxOf(selected);
    const view =
      before?.room.width !== room.width ? keptView(layout, room, now, focus) : focus && viewShowing(now, focus, room);
    if (view) void flow.setViewport(view, { duration: MOVE_MS });
  }, [layout, room, selected, boxOf, fit, flow]);

  const show = (id: string) => {
    const box = boxOf(id) ?? boxOf(run.views.find((v) => v.id === id)?.stage ?? null);
    if (box && room) void flow.setViewport(viewShowing(flow.getViewport(), box, room), { duration: MOVE_MS });
  };
  const goTo = (at: number) => {
    find.setAt(at);
    const id = find.found[at];
    if (id === undefined) return;
    if (selected) onSelect(id);
    else show(id);
  };
  const closeFind = () => {
    const id = find.found[find.at] ?? tabStop;
    find.close();
    const card = boxOf(id ?? null) ?? boxOf(run.views.find((v) => v.id === id)?.stage ?? null);
    focusCard(frame.current, card?.id);
  };

  return (
    <MarksContext value={marks}>
      <Diagram
        label={t`Graph of the run`}
        frame={frame}
        className="run-graph"
        tabStop={tabStop ?? ""}
        neighbour={(from, direction) => neighbour(layout, from, direction)}
        onArrive={(id) => (selected ? onSelect(id) : show(id))}
        onEscape={() => {
          if (selected) onClose();
          return selected !== null;
        }}
        onKey={find.onKey}
        fit={() => fit(MOVE_MS)}
        onMoved={() => {
          moved.current = true;
        }}
        tools={
          <>
            <FindButton find={find} />
            {lanes && (
              <IconButton
                size="sm"
                label={lanes.open ? t`Hide views` : t`Show views`}
                onClick={() => {
                  moved.current = false;
                  lanes.toggle();
                }}
              >
                {lanes.open ? <Rows2 size={13} /> : <Rows4 size={13} />}
              </IconButton>
            )}
            <Legend run={run} />
          </>
        }
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        minZoom={LEAST_SCALE}
      >
        <TextLevel frame={frame} />
        <MapIfCut size={layout} />
        <Find find={find} onGo={goTo} onClose={closeFind} />
      </Diagram>
    </MarksContext>
  );
}

/** A small map where a part of the graph is out of view. */
function MapIfCut({ size }: { size: Size }) {
  const cut = useStore(({ transform: [x, y, zoom], width, height }: ReactFlowState) => {
    const over = (at: number, length: number, frame: number) => at < -8 || at + length * zoom > frame + 8;
    return width > 3 * MAP.width && (over(x, size.width, width) || over(y, size.height, height));
  });
  return cut && <DiagramMap size={MAP} position="bottom-right" colour={mapColour} />;
}

const mapColour = () => "var(--edge)";

/**
 * The layout changes only when nodes or lines do, not with every piece of text. Lanes show their views where all of it can be
 * read then, or the user says so; the lane of a selected view does.
 */
function useLayout(run: RunModel, room: Size | null, selected: string | null) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shape = useMemo(
    () =>
      JSON.stringify([
        run.stages.map((s) => [s.id, s.kind, s.inputs, stripLines(s), isAside(s)]),
        run.views.map((v) => [v.id, v.stage, v.last.dependsOn]),
      ]),
    [run],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the run
  const open = useMemo(() => layoutRun(run), [shape]);
  const isOpen = wanted ?? (room !== null && scaleToFit(open, room) >= READABLE);
  const lane = isOpen ? undefined : run.views.find((v) => v.id === selected)?.stage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the run
  const layout = useMemo(() => (isOpen ? open : layoutRun(run, (id) => id === lane)), [shape, isOpen, lane]);
  return {
    layout,
    lanes: run.views.length > 0 ? { open: isOpen, toggle: () => setWanted(!isOpen) } : null,
  };
}

/** The cards that show what was found: a view that is not shown is found in its lane. */
function places(run: RunModel, layout: Layout, found: string[]): Set<string> {
  if (found.length === 0) return NOTHING;
  const known = nodesById(run);
  const shown = new Set(layout.boxes.map((b) => b.id));
  return new Set(
    found.flatMap((id) => {
      const node = known.get(id);
      return node?.type === "view" && !shown.has(id) ? [id, node.stage] : [id];
    }),
  );
}

const NOTHING: Set<string> = new Set();

function flowNodes(run: RunModel, layout: Layout, onSelect: (id: string) => void): FlowNode[] {
  const labels = layout.columns.map(
    (c): FlowNode => ({
      ...placedNode({ id: `column:${c.label}`, x: c.x, y: 0, width: c.width, height: 20 }, []),
      style: undefined,
      type: "label",
      data: { label: c.label },
    }),
  );
  const order = { lane: 0, closed: 1, card: 1, view: 2, state: 2 };
  const known = nodesById(run);
  const boxes = [...layout.boxes].sort((a, b) => order[a.shape] - order[b.shape]);
  return [
    ...labels,
    ...boxes.map(
      (box): FlowNode => ({
        ...placedNode(box, ENDS),
        type: box.shape,
        // Lines run over lanes and behind everything else.
        zIndex: box.shape === "lane" ? 0 : 2,
        data: { node: known.get(box.id), run, short: box.height < NAMES_HEIGHT, onSelect },
      }),
    ),
  ];
}

function flowEdges(run: RunModel, layout: Layout, lit: Set<string>): FlowEdge[] {
  const known = nodesById(run);
  const at = new Map(layout.boxes.map((b) => [b.id, b]));
  // To or from an exploratory step.
  const besides = (id: string) => {
    const node = known.get(id);
    return node?.type === "stage" && isAside(node);
  };
  return layout.edges.map((edge) => {
    const active = known.get(edge.to)?.status === "running" || lit.has(edge.id);
    const aside = besides(edge.from) || besides(edge.to);
    // From a look aside at the foot of one column to the head of the next.
    const far = aside && edge.way === "aside" && at.get(edge.from)?.y !== at.get(edge.to)?.y;
    const step = far || edge.way === "back" || edge.way === "on";
    const colour = active ? "var(--accent)" : "var(--edge)";
    return {
      id: edge.id,
      source: edge.from,
      target: edge.to,
      sourceHandle: HANDLES[edge.way][0],
      targetHandle: far ? "in-low" : HANDLES[edge.way][1],
      type: step ? "smoothstep" : "default",
      // The way on and the way back from a look aside stay apart in the gap between two columns.
      pathOptions: step ? (aside ? { stepPosition: 0.3 } : { offset: 12 }) : undefined,
      zIndex: 1,
      style: {
        stroke: colour,
        strokeWidth: lit.has(edge.id) ? 2.5 : 1.5,
        strokeDasharray: aside ? "4 3" : undefined,
      },
      markerEnd: arrowhead(colour),
    };
  });
}
