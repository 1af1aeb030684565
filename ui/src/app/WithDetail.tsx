import { NodeDetail } from "../features/graph/detail/NodeDetail";
import { nodeById, type RunModel } from "../features/graph/model/model";
import { WithPanel } from "../kit/detail";

/** A picture or list of a run, and the node that is selected in it. */
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
  /** The detail is always there and takes most of the room. */
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
