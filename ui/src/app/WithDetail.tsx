import { NodeDetail } from "../features/graph/detail/NodeDetail";
import { nodeById, type RunModel } from "../features/graph/model/model";
import { WithPanel } from "../kit/detail";

/** A diagram or list of a run, with the details of the selected node. */
export function WithDetail({
  run,
  selected,
  onSelect,
  wide,
  children,
}: {
  run: RunModel;
  selected: string | null;
  onSelect: (id: string | null) => void;
  /** The details are always visible and take most of the width. */
  wide?: boolean;
  children: React.ReactNode;
}) {
  const node = selected ? nodeById(run, selected) : undefined;
  return (
    <WithPanel
      selected={selected}
      label={`Details of ${node?.id}`}
      wide={wide}
      detail={node && <NodeDetail node={node} run={run} onSelect={onSelect} />}
      onClose={() => onSelect(null)}
    >
      {children}
    </WithPanel>
  );
}
