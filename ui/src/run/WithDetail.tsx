import { t } from "@lingui/core/macro";
import type { Steering } from "../features/graph/detail/EditNode";
import { NodeDetail } from "../features/graph/detail/NodeDetail";
import { nodeById, type RunModel } from "../features/graph/model/model";
import { WithPanel } from "../kit/detail";
import { navigate } from "../navigation/route";

/** A diagram or list of a run, with the details of the selected node. */
export function WithDetail({
  run,
  selected,
  onSelect,
  wide,
  steering,
  children,
}: {
  run: RunModel;
  selected: string | null;
  onSelect: (id: string | null) => void;
  /** The details are always visible and take most of the width. */
  wide?: boolean;
  /** The editable settings of the run. */
  steering?: Steering;
  children: React.ReactNode;
}) {
  const node = selected ? nodeById(run, selected) : undefined;
  return (
    <WithPanel
      selected={selected}
      label={t`Details of ${node?.id ?? ""}`}
      wide={wide}
      detail={
        node && <NodeDetail node={node} run={run} steering={steering} onSelect={onSelect} onEarlier={openEarlier} />
      }
      onClose={() => onSelect(null)}
    >
      {children}
    </WithPanel>
  );
}

function openEarlier(runId: string) {
  navigate({ page: "run", runId, tab: "graph", face: "work" });
}
