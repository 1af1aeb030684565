import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { IconButton } from "../../../kit/button";
import { type Trace, traceWords } from "./lineage";
import type { Picture } from "./model";

/** The lineage of a column, in words. */
export function LineageBar({ picture, traced, onClose }: { picture: Picture; traced: Trace; onClose: () => void }) {
  return (
    <div
      role="status"
      className="absolute right-3 bottom-3 left-31 z-10 flex items-start gap-3 rounded-md border border-accent-line bg-accent-soft py-1 pr-1 pl-3 text-sm shadow-card"
    >
      <p className="wrap-anywhere max-h-24 min-w-0 flex-1 overflow-y-auto py-0.5">{traceWords(picture, traced)}</p>
      <IconButton
        size="sm"
        label={t({ message: "Clear", context: "what is sorted, filtered or highlighted" })}
        keys="esc"
        onClick={onClose}
      >
        <X size={14} />
      </IconButton>
    </div>
  );
}
