import { t } from "@lingui/core/macro";
import type { ModelStatus } from "../../host/bindings";
import { bytes, percent } from "../../kit/format";
import { Progress } from "../../kit/status";
import { pulledBytes, useSettings } from "./state";

/** The combined progress of model downloads; nothing if none has started. */
export function PullProgress({ models }: { models: ModelStatus[] }) {
  const pulls = useSettings((s) => s.pulls);
  const running = models.some((m) => pulls[m.id]?.state === "running");
  const total = models.reduce((sum, m) => sum + m.bytes, 0);
  const done = models.reduce((sum, m) => sum + pulledBytes(m, pulls[m.id]), 0);
  if ((!running && done === 0) || total === 0) return null;
  const said = t`${bytes(done)} of ${bytes(total)}, ${percent(done / total)}`;
  return (
    <div className="mt-2 flex items-center gap-3">
      <Progress value={done / total} label={t`Download of ${models.map((m) => m.title).join(" and ")}`} />
      <span className="nums shrink-0 text-fg-3 text-xs">{running ? said : t`${said}, paused`}</span>
    </div>
  );
}
