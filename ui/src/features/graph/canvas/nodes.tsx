import { Handle, Position } from "@xyflow/react";
import { memo } from "react";
import { cx } from "../../../kit/cx";
import { StatusDot, StatusIcon } from "../../../kit/status";
import { stripOf } from "../layout/strip";
import { nodeFacts, nodeLine, nodeSpoken, nodeTitle } from "../model/facts";
import type { GraphNode, RunModel } from "../model/model";
import { isAside } from "../model/trajectory";
import { StripPicture } from "./StripPicture";

interface NodeData {
  node: GraphNode | undefined;
  run: RunModel;
  selected: boolean;
  tabStop: boolean;
  onSelect: (id: string) => void;
}

const same = (a: { data: NodeData }, b: { data: NodeData }) =>
  a.data.node === b.data.node &&
  a.data.selected === b.data.selected &&
  a.data.tabStop === b.data.tabStop &&
  a.data.onSelect === b.data.onSelect &&
  // Marks on a card change when a later node chooses among them.
  a.data.run.sql === b.data.run.sql &&
  (a.data.node?.status !== "running" || a.data.run.lastMs === b.data.run.lastMs);

function frame(node: GraphNode, selected: boolean): string {
  return cx(
    "block size-full overflow-hidden rounded-lg border text-left transition-[border-color,box-shadow]",
    "hover:border-fg-3",
    selected
      ? "border-accent! ring-3 ring-accent/20"
      : node.status === "failed"
        ? "border-bad/40"
        : node.status === "running"
          ? "border-accent-line"
          : "border-line-strong",
    node.status === "skipped" && "opacity-65",
  );
}

function NodeButton({ data, className, children }: { data: NodeData; className: string; children: React.ReactNode }) {
  const node = data.node!;
  return (
    <>
      <Handle id="in" type="target" position={Position.Left} isConnectable={false} />
      <Handle id="top" type="target" position={Position.Top} isConnectable={false} />
      <Handle id="side" type="target" position={Position.Right} isConnectable={false} />
      <button
        type="button"
        data-node={node.id}
        tabIndex={data.tabStop ? 0 : -1}
        aria-label={nodeSpoken(node, data.run)}
        aria-pressed={data.selected}
        onClick={() => data.onSelect(node.id)}
        className={cx(frame(node, data.selected), className)}
      >
        {children}
      </button>
      <Handle id="out" type="source" position={Position.Right} isConnectable={false} />
      <Handle id="bottom" type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

export const CardNode = memo(({ data }: { data: NodeData }) => {
  if (!data.node) return null;
  return (
    <NodeButton data={data} className="bg-raised px-3 py-2.5 shadow-card">
      <span className="flex items-center gap-2">
        <StatusIcon status={data.node.status} size={14} />
        <span className="min-w-0 flex-1 truncate font-semibold">{nodeTitle(data.node)}</span>
      </span>
      <span className="mt-0.5 block truncate text-fg-2 text-sm">{nodeLine(data.node) || " "}</span>
      <Facts data={data} />
      {data.node.type === "stage" && <StripPicture strip={stripOf(data.run, data.node)} />}
    </NodeButton>
  );
}, same);

/** A state of a query that grows. What only looked at the data is drawn as beside the path. */
export const StateCard = memo(({ data }: { data: NodeData }) => {
  const node = data.node;
  if (node?.type !== "stage") return null;
  const aside = isAside(node);
  return (
    <NodeButton
      data={data}
      className={cx("px-2.5 py-1.5", aside ? "border-dashed bg-hover" : "bg-raised shadow-card")}
    >
      <span className="flex items-center gap-2">
        <StatusDot status={node.status} />
        <span className="min-w-0 flex-1 truncate font-medium text-sm">{nodeTitle(node)}</span>
      </span>
      <span className="mt-0.5 block truncate text-fg-2 text-xs">{nodeLine(node) || " "}</span>
      <Facts data={data} />
    </NodeButton>
  );
}, same);

export const LaneNode = memo(({ data }: { data: NodeData }) => {
  const node = data.node;
  if (node?.type !== "stage") return null;
  return (
    <NodeButton data={data} className="flex! flex-col justify-start bg-sunk px-3 py-2">
      <span className="flex w-full items-center gap-2">
        <StatusIcon status={node.status} size={14} />
        <span className="min-w-0 flex-1 truncate font-semibold">{nodeTitle(node)}</span>
        {/* Only the time: with the tokens, the name would be truncated. */}
        <span className="nums shrink-0 text-fg-3 text-xs">{nodeFacts(node, data.run.lastMs).at(-1)}</span>
      </span>
      <span className="block w-full truncate pl-5.5 text-fg-2 text-sm">{nodeLine(node) || " "}</span>
    </NodeButton>
  );
}, same);

export const ViewCard = memo(({ data }: { data: NodeData }) => {
  if (!data.node) return null;
  return (
    <NodeButton data={data} className="bg-raised px-2.5 py-1.5 shadow-card">
      <span className="flex items-center gap-2">
        <StatusDot status={data.node.status} />
        <span className="min-w-0 flex-1 truncate font-medium font-mono text-xs">{nodeTitle(data.node)}</span>
      </span>
      <span className="mt-0.5 block truncate text-fg-2 text-xs">{nodeLine(data.node)}</span>
      <Facts data={data} />
    </NodeButton>
  );
}, same);

function Facts({ data }: { data: NodeData }) {
  return (
    <span className="nums block min-h-4 truncate text-fg-3 text-xs">
      {nodeFacts(data.node!, data.run.lastMs).join(" · ") || " "}
    </span>
  );
}

export const LabelNode = memo(({ data }: { data: { label: string } }) => (
  <div className="pointer-events-none text-center font-medium text-fg-3 text-sm">{data.label}</div>
));
