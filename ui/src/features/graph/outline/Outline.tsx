import { t } from "@lingui/core/macro";
import { useRef } from "react";
import { cx } from "../../../kit/cx";
import { groupBy } from "../../../kit/groupBy";
import { StatusDot, StatusIcon } from "../../../kit/status";
import { nodeFacts, nodeLine, nodeSpoken, nodeTitle } from "../model/facts";
import type { GraphNode, RunModel } from "../model/model";
import { isAside } from "../model/trajectory";

interface Item {
  node: GraphNode;
  level: number;
}

/** The nodes in the order in which they ran, views under their chunk, looks aside under the step that they branch off. */
export function outlineItems(run: RunModel): Item[] {
  const views = groupBy(run.views, (v) => v.stage);
  return run.stages.flatMap((stage) => [
    // An exploratory query is listed under the step before it.
    { node: stage, level: isAside(stage) ? 2 : 1 },
    ...(views.get(stage.id) ?? []).map((view) => ({ node: view, level: 2 })),
  ]);
}

/** The same run as the graph, as a tree for keyboard and screen reader. */
export function Outline({
  run,
  selected,
  onSelect,
}: {
  run: RunModel;
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const tree = useRef<HTMLDivElement>(null);
  const items = outlineItems(run);
  const current = items.some((i) => i.node.id === selected) ? selected : items[0]?.node.id;
  const go = (to: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, to))];
    if (!item) return;
    onSelect(item.node.id);
    tree.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(item.node.id)}"]`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = items.findIndex((i) => i.node.id === current);
    const here = items[at];
    const step: Record<string, () => number> = {
      ArrowDown: () => at + 1,
      ArrowUp: () => at - 1,
      Home: () => 0,
      End: () => items.length - 1,
      ArrowRight: () => (items[at + 1] && here && items[at + 1]!.level > here.level ? at + 1 : at),
      ArrowLeft: () => (here?.level === 2 ? items.findLastIndex((i, n) => n < at && i.level === 1) : at),
    };
    const move = step[event.key];
    if (!move) return;
    event.preventDefault();
    go(move());
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={t`Stages of the run`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex flex-col p-2"
    >
      {items.map(({ node, level }, at) => {
        const facts = nodeFacts(node, run.lastMs, false);
        const line = nodeLine(node);
        // Heard in the order in which it is read; blanks part what only its place parts on the screen.
        const spoken = nodeSpoken(node, run, [nodeTitle(node), ...facts, line]);
        return (
          <div
            key={node.id}
            role="treeitem"
            data-node={node.id}
            aria-label={spoken}
            aria-level={level}
            aria-selected={node.id === selected}
            aria-expanded={level === 1 && items[at + 1]?.level === 2 ? true : undefined}
            tabIndex={node.id === current ? 0 : -1}
            onClick={() => onSelect(node.id)}
            onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && onSelect(node.id)}
            className={cx(
              "flex cursor-default items-start gap-2.5 rounded-md py-1.5 pr-2.5 outline-offset-[-2px]",
              level === 1 ? "pl-2.5" : "pl-9",
              node.id === selected ? "bg-accent-soft" : "hover:bg-hover",
            )}
          >
            <span className="flex h-5 items-center">
              {level === 1 ? <StatusIcon status={node.status} size={14} /> : <StatusDot status={node.status} />}
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span
                  className={cx(
                    "wrap-anywhere",
                    level === 1 ? "font-medium" : node.type === "view" && "font-mono text-xs leading-5",
                  )}
                >
                  {nodeTitle(node)}
                </span>{" "}
                <span className="nums shrink-0 text-fg-3 text-xs">{facts.join(" · ")}</span>
              </span>{" "}
              <span className="wrap-anywhere line-clamp-3 text-fg-3 text-sm" title={line}>
                {line}
              </span>
            </span>
          </div>
        );
      })}
    </div>
  );
}
