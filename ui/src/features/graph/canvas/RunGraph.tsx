import { type Edge as FlowEdge, type Node as FlowNode, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { showing } from "../../../kit/diagram/boxes";
import { arrowhead, Diagram, MOVE_MS, placedNode } from "../../../kit/diagram/diagram";
import { type Layout, layoutRun, neighbour, type Way } from "../layout/layout";
import { stripLines } from "../layout/strip";
import { nodeById, type RunModel } from "../model/model";
import { isAside } from "../model/trajectory";
import { CardNode, LabelNode, LaneNode, StateCard, ViewCard } from "./nodes";

const NODE_TYPES = { card: CardNode, lane: LaneNode, view: ViewCard, state: StateCard, label: LabelNode };

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

/** Where lines leave and arrive. */
const HANDLES: Record<Way, [from: string, to: string]> = {
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
  const layout = useLayout(run);
  const tabStop = selected && layout.boxes.some((b) => b.id === selected) ? selected : layout.boxes[0]?.id;

  const nodes = useMemo(
    () => flowNodes(run, layout, selected, tabStop, onSelect),
    [run, layout, selected, tabStop, onSelect],
  );
  const edges = useMemo(() => flowEdges(run, layout), [run, layout]);

  const fit = useCallback(
    (ms: number) => {
      void flow.fitView({ padding: 0.04, maxZoom: 1.1, minZoom: 0.3, duration: ms });
    },
    [flow],
  );

  // Fits when the diagram changes size and when a panel closes. A frame that gets narrower because a panel opened keeps
  // the scale; the viewport moves just enough to show the selected node.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let before = element.clientWidth;
    const watch = new ResizeObserver(() => {
      if (element.clientWidth === before) return;
      before = element.clientWidth;
      if (!selected) fit(0);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [selected, fit]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (selected) reveal(flow, frame.current, layout, selected);
      else fit(MOVE_MS);
    }, 30);
    return () => clearTimeout(timer);
  }, [selected, flow, layout, fit]);

  return (
    <Diagram
      label="Graph of the run"
      frame={frame}
      tabStop={tabStop ?? ""}
      neighbour={(from, direction) => neighbour(layout, from, direction)}
      onArrive={(id) => (selected ? onSelect(id) : reveal(flow, frame.current, layout, id))}
      onEscape={() => {
        if (selected) onClose();
        return selected !== null;
      }}
      fit={() => fit(MOVE_MS)}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      minZoom={0.25}
    />
  );
}

/** The layout changes only when nodes or lines do, not with every piece of text. */
function useLayout(run: RunModel): Layout {
  const shape = JSON.stringify([
    run.stages.map((s) => [s.id, s.kind, s.inputs, stripLines(s), isAside(s)]),
    run.views.map((v) => [v.id, v.stage, v.last.dependsOn]),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the run
  return useMemo(() => layoutRun(run), [shape]);
}

function flowNodes(
  run: RunModel,
  layout: Layout,
  selected: string | null,
  tabStop: string | undefined,
  onSelect: (id: string) => void,
): FlowNode[] {
  const labels = layout.columns.map(
    (c): FlowNode => ({
      id: `column:${c.label}`,
      type: "label",
      position: { x: c.x, y: 0 },
      width: c.width,
      height: 20,
      measured: { width: c.width, height: 20 },
      data: { label: c.label },
    }),
  );
  const order = { lane: 0, card: 1, view: 2, state: 2 };
  const boxes = [...layout.boxes].sort((a, b) => order[a.shape] - order[b.shape]);
  return [
    ...labels,
    ...boxes.map((box): FlowNode => {
      const node = nodeById(run, box.id);
      return {
        ...placedNode(box),
        type: box.shape,
        // Lines run over lanes and behind everything else.
        zIndex: box.shape === "lane" ? 0 : 2,
        data: { node, run, selected: box.id === selected, tabStop: box.id === tabStop, onSelect },
      };
    }),
  ];
}

function flowEdges(run: RunModel, layout: Layout): FlowEdge[] {
  return layout.edges.map((edge) => {
    const target = nodeById(run, edge.to);
    const active = target?.status === "running";
    const colour = active ? "var(--accent)" : "var(--edge)";
    return {
      id: edge.id,
      source: edge.from,
      target: edge.to,
      sourceHandle: HANDLES[edge.way][0],
      targetHandle: HANDLES[edge.way][1],
      type: edge.way === "back" || edge.way === "on" ? "smoothstep" : "default",
      zIndex: 1,
      style: { stroke: colour, strokeWidth: 1.5, strokeDasharray: besides(run, edge) ? "4 3" : undefined },
      markerEnd: arrowhead(colour),
    };
  });
}

/** Whether a line leads to or from an exploratory step. */
function besides(run: RunModel, edge: { from: string; to: string }): boolean {
  return [edge.from, edge.to].some((id) => {
    const node = nodeById(run, id);
    return node?.type === "stage" && isAside(node);
  });
}

/** Moves the viewport, at its scale, until a node is fully visible. */
function reveal(flow: ReturnType<typeof useReactFlow>, frame: HTMLElement | null, layout: Layout, id: string) {
  const box = layout.boxes.find((b) => b.id === id);
  if (!box || !frame) return;
  const before = flow.getViewport();
  const view = showing(before, box, { width: frame.clientWidth, height: frame.clientHeight });
  if (view.x !== before.x || view.y !== before.y) void flow.setViewport(view, { duration: MOVE_MS });
}
