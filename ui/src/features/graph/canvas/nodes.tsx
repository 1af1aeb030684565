import { plural } from "@lingui/core/macro";
import { Position } from "@xyflow/react";
import { memo } from "react";
import { cx } from "../../../kit/cx";
import { CardEnds, type End } from "../../../kit/diagram/ends";
import { useMarks } from "../../../kit/diagram/marks";
import { StatusDot, StatusIcon } from "../../../kit/status";
import { stripOf } from "../layout/strip";
import { FACT_GAP, nodeFacts, nodeLine, nodeSpoken, nodeTitle, partName } from "../model/facts";
import type { GraphNode, RunModel, StageNode } from "../model/model";
import { isAside } from "../model/trajectory";
import { StripPicture } from "./StripPicture";

interface NodeData {
  node: GraphNode | undefined;
  run: RunModel;
  /** A lane among many: no room for the names of its views. */
  short: boolean;
  onSelect: (id: string) => void;
}

const sameNode = (a: { data: NodeData }, b: { data: NodeData }) =>
  a.data.node === b.data.node &&
  a.data.onSelect === b.data.onSelect &&
  // Marks on a card change when a later node chooses among them.
  a.data.run.sql === b.data.run.sql &&
  (a.data.node?.status !== "running" || a.data.run.lastMs === b.data.run.lastMs);

function nodeFrame({ status }: GraphNode, { selected, found }: { selected: boolean; found: boolean }): string {
  return cx(
    "flex size-full flex-col overflow-hidden rounded-lg border text-left transition-[border-color,box-shadow]",
    "hover:border-fg-3",
    selected
      ? "border-accent! ring-3 ring-accent/25"
      : found
        ? "border-warn! ring-3 ring-warn/30"
        : status === "failed"
          ? "border-bad/60"
          : status === "running"
            ? "border-accent-line"
            : "border-line-strong",
  );
}

/** Line ends. Lines of exploratory queries have their own, so that they cannot be confused. */
export const ENDS: End[] = [
  { id: "in", type: "target", side: Position.Left },
  { id: "in-low", type: "target", side: Position.Left, at: 0.78 },
  { id: "top", type: "target", side: Position.Top },
  { id: "side", type: "target", side: Position.Right, at: 0.8 },
  { id: "out", type: "source", side: Position.Right },
  { id: "bottom", type: "source", side: Position.Bottom },
];

function NodeButton({
  data,
  className,
  shown,
  children,
}: {
  data: NodeData;
  className: string;
  /** The content of the card, if it is not name, line and facts. */
  shown?: string[];
  children: React.ReactNode;
}) {
  const node = data.node!;
  return (
    <>
      <Marked node={node} spoken={nodeSpoken(node, data.run, shown)} onSelect={data.onSelect} className={className}>
        {children}
      </Marked>
      <CardEnds ends={ENDS} />
    </>
  );
}

/** The button itself: all that is drawn anew where only marks change. */
function Marked({
  node,
  spoken,
  onSelect,
  className,
  children,
}: {
  node: GraphNode;
  spoken: string;
  onSelect: (id: string) => void;
  className: string;
  children: React.ReactNode;
}) {
  const marks = useMarks(node.id);
  return (
    <button
      type="button"
      data-node={node.id}
      tabIndex={marks.tabStop ? 0 : -1}
      aria-label={spoken}
      aria-pressed={marks.selected}
      onClick={() => onSelect(node.id)}
      className={cx(
        nodeFrame(node, marks),
        node.status === "skipped" ? "bg-sunk! text-fg-3 shadow-none!" : "",
        className,
      )}
    >
      {children}
    </button>
  );
}

export const CardNode = memo(({ data }: { data: NodeData }) => {
  if (!data.node) return null;
  return (
    <NodeButton data={data} className="bg-raised px-3 py-2.5 shadow-card">
      <Title>
        <State node={data.node} />
        <span className="graph-name min-w-0 flex-1 truncate font-semibold">{nodeTitle(data.node)}</span>
      </Title>
      <Line data={data} className="text-sm" />
      <Facts data={data} />
      {data.node.type === "stage" && <StripPicture strip={stripOf(data.run, data.node)} />}
    </NodeButton>
  );
}, sameNode);

/** A state of a query that grows. What only looked at the data is drawn as beside the path. */
export const StateCard = memo(({ data }: { data: NodeData }) => {
  const node = data.node;
  if (node?.type !== "stage") return null;
  const aside = isAside(node);
  return (
    <NodeButton
      data={data}
      className={cx("px-2.5 py-1.5", aside ? "border-dashed bg-sunk" : "bg-raised shadow-card")}
    >
      <Title>
        <State node={node} dot />
        <span className="graph-name min-w-0 flex-1 truncate font-medium text-sm">{nodeTitle(node)}</span>
      </Title>
      <Line data={data} className="text-xs" />
      <Facts data={data} />
    </NodeButton>
  );
}, sameNode);

export const LaneNode = memo(({ data }: { data: NodeData }) => {
  const node = data.node;
  if (node?.type !== "stage") return null;
  return (
    <NodeButton
      data={data}
      shown={laneShown(node, data, nodeTitle(node))}
      className="justify-start bg-sunk px-3 py-2"
    >
      <LaneTitle node={node} data={data} name={nodeTitle(node)} />
      <span className="graph-line block w-full truncate pl-5.5 text-fg-2 text-sm">{nodeLine(node) || "\u00a0"} </span>
    </NodeButton>
  );
}, sameNode);

/** A lane whose views are not shown: their names, or among many lanes their number. */
export const ClosedLane = memo(({ data }: { data: NodeData }) => {
  const node = data.node;
  if (node?.type !== "stage") return null;
  const views = data.run.views.filter((v) => v.stage === node.id);
  const name = partName(node, data.run);
  const size = plural(views.length, { one: "# view", other: "# views" });
  const names = views.map((v) => v.name).join(", ");
  if (data.short) {
    return (
      <NodeButton data={data} shown={[name, size]} className="justify-center bg-raised px-3 shadow-card">
        <Title>
          <State node={node} />
          <span className="graph-name min-w-0 flex-1 truncate font-semibold text-sm">{name}</span>{" "}
          <span className="graph-fact nums shrink-0 text-fg-3 text-xs">{size}</span>
        </Title>
      </NodeButton>
    );
  }
  return (
    <NodeButton
      data={data}
      shown={[...laneShown(node, data, name), names]}
      className="bg-raised px-3 py-2.5 shadow-card"
    >
      <LaneTitle node={node} data={data} name={name} />
      <Line data={data} className="text-sm" />
      <span className="graph-fact wrap-anywhere mt-auto line-clamp-2 pt-1 font-mono text-fg-3 text-xs leading-4">
        {names || "\u00a0"}
      </span>
    </NodeButton>
  );
}, sameNode);

/** The header of a lane. */
function laneShown(node: StageNode, { run }: NodeData, name: string): string[] {
  return [name, laneTime(node, run), nodeLine(node)];
}

/** Only the time: with the tokens, the name would be truncated. */
function laneTime(node: StageNode, run: RunModel): string {
  return nodeFacts(node, run.lastMs).at(-1) ?? "";
}

function LaneTitle({ node, data, name }: { node: StageNode; data: NodeData; name: string }) {
  return (
    <Title>
      <State node={node} />
      <span className="graph-name min-w-0 flex-1 truncate font-semibold">{name}</span>{" "}
      <span className="graph-fact nums shrink-0 text-fg-3 text-xs">{laneTime(node, data.run)}</span>
    </Title>
  );
}

export const ViewCard = memo(({ data }: { data: NodeData }) => {
  if (!data.node) return null;
  return (
    <NodeButton data={data} className="bg-raised px-2.5 py-1.5 shadow-card">
      <Title>
        <State node={data.node} dot />
        <span className="graph-name min-w-0 flex-1 truncate font-medium font-mono text-xs">
          {nodeTitle(data.node)}
        </span>
      </Title>
      <Line data={data} className="text-xs" />
      <Facts data={data} />
    </NodeButton>
  );
}, sameNode);

/** The state as a picture; the name of the button says it. */
function State({ node, dot }: { node: GraphNode; dot?: boolean }) {
  return (
    <span aria-hidden className="contents">
      {dot ? <StatusDot status={node.status} /> : <StatusIcon status={node.status} size={14} />}
    </span>
  );
}

/** The space at its end, and at that of a line, keeps two words apart where the card is read as text. */
function Title({ children }: { children: React.ReactNode }) {
  return <span className="graph-title flex w-full shrink-0 items-center gap-2">{children} </span>;
}

/** The node's result, on at most two lines. */
function Line({ data, className }: { data: NodeData; className: string }) {
  return (
    <span className={cx("graph-line wrap-anywhere mt-0.5 line-clamp-2 text-fg-2", className)}>
      {nodeLine(data.node!) || "\u00a0"}{" "}
    </span>
  );
}

function Facts({ data }: { data: NodeData }) {
  return (
    <span className="graph-fact nums mt-auto block min-h-4 w-full shrink-0 truncate text-fg-3 text-xs">
      {nodeFacts(data.node!, data.run.lastMs).join(FACT_GAP) || " "}
    </span>
  );
}

/** Aligned to the bottom of its space: if it has to be larger, it grows upwards. */
export const LabelNode = memo(({ data }: { data: { label: string } }) => (
  <div className="pointer-events-none relative h-5">
    <span className="graph-label absolute inset-x-0 bottom-0 truncate text-center font-medium text-fg-3 text-sm">
      {data.label}
    </span>
  </div>
));
