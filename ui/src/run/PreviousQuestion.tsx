import { Trans } from "@lingui/react/macro";
import { CornerDownRight } from "lucide-react";
import type { RunModel } from "../features/graph/model/model";
import { navigate } from "../navigation/route";

/** The question before, if this one follows up on it. */
export function PreviousQuestion({ run }: { run: RunModel }) {
  const { follows } = run;
  if (!follows) return null;
  return (
    <p className="mb-3 flex min-w-0 items-center gap-2 text-fg-2 text-sm">
      <CornerDownRight size={14} className="shrink-0 text-fg-3" aria-hidden />
      <span className="min-w-0 truncate">
        <Trans>
          “{follows.text}”, after{" "}
          <button
            type="button"
            className="rounded-sm text-accent hover:underline"
            title={follows.question}
            onClick={() => navigate({ page: "run", runId: follows.runId, tab: "answer" })}
          >
            {follows.question}
          </button>
        </Trans>
      </span>
    </p>
  );
}
