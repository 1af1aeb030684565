// How the conditions of a rerun differ from those of the earlier run: its question stays as it was asked.

import { t } from "@lingui/core/macro";
import type { RunModel } from "../features/graph/model/model";
import { joinClauses } from "../kit/format";

type Answer = Pick<RunModel, "headline">;

/** "no longer: channel is “web”; now: channel is “app”"; null where both have the same conditions, or they are unknown. */
export function conditionChange(before: Answer, now: Answer): string | null {
  const [earlier, later] = [before.headline?.conditions, now.headline?.conditions];
  if (!earlier || !later) return null;
  const gone = earlier.filter((condition) => !later.includes(condition));
  const come = later.filter((condition) => !earlier.includes(condition));
  const parts = [
    gone.length > 0 ? t`no longer: ${gone.join(", ")}` : "",
    come.length > 0 ? t`now: ${come.join(", ")}` : "",
  ].filter(Boolean);
  return parts.length === 0 ? null : joinClauses(parts);
}
