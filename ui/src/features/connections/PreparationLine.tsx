import { t } from "@lingui/core/macro";
import { Pause, Play } from "lucide-react";
import { IconButton } from "../../kit/button";
import { Progress } from "../../kit/status";
import { pausePreparation, startPreparation, useConnections } from "./state";
import { preparationLine } from "./words";

/** The status line of the background preparation; questions can be asked meanwhile. */
export function PreparationLine() {
  const current = useConnections((s) => s.current);
  const preparation = useConnections((s) => (current ? s.preparations[current.uri] : undefined));
  const line = preparationLine(preparation);
  if (!line || !current) return null;
  const paused = preparation?.paused ?? false;
  return (
    <div className="px-4 pt-1 pb-2" title={preparation?.error?.hint ?? undefined}>
      <div className="flex items-center gap-2">
        <div className={line.failed ? "line-clamp-2 text-warn text-xs" : "min-w-0 flex-1 text-fg-3 text-xs"}>
          {paused ? t`Paused: ${line.text}` : line.text}
        </div>
        {!line.failed && (
          <IconButton
            size="sm"
            // No tab stop of its own: the arrow keys of the sidebar lead here.
            data-nav
            tabIndex={-1}
            label={paused ? t`Resume reading` : t`Pause reading`}
            onClick={() => void (paused ? startPreparation : pausePreparation)(current.uri)}
          >
            {paused ? <Play size={12} /> : <Pause size={12} />}
          </IconButton>
        )}
      </div>
      {!line.failed && (
        <div className="mt-1">
          <Progress value={line.part} label={line.text} />
        </div>
      )}
    </div>
  );
}
