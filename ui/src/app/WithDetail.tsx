import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { nodeById, type RunModel } from "../features/graph/model";
import { NodeDetail } from "../features/graph/NodeDetail";
import { IconButton } from "../kit/button";
import { Split } from "../kit/split";

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
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another node begins at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [selected]);
  return (
    <Split
      direction="row"
      fixed={wide ? "first" : "second"}
      initial={wide ? 340 : 420}
      min={wide ? 220 : 300}
      max={900}
      label="Width of the detail"
      first={children}
      second={
        node && (
          <section
            ref={scroller}
            aria-label={`Details of ${node.id}`}
            className="relative min-h-0 flex-1 overflow-y-auto px-5 py-4"
            onKeyDown={(e) => {
              if (e.key === "Escape" && !wide) {
                e.stopPropagation();
                onSelect(null);
              }
            }}
          >
            {!wide && (
              <div className="absolute top-3 right-3">
                <IconButton label="Close" keys="esc" size="sm" onClick={() => onSelect(null)}>
                  <X size={15} />
                </IconButton>
              </div>
            )}
            <NodeDetail node={node} run={run} onSelect={onSelect} />
          </section>
        )
      }
    />
  );
}
