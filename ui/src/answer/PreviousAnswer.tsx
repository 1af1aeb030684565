import { Trans } from "@lingui/react/macro";
import { CornerDownRight } from "lucide-react";
import { CertaintyIcon, certaintyLabel } from "../domain/certainty";
import type { RunModel } from "../features/graph/model/model";
import { navigate } from "../navigation/route";
import { headlineText } from "./headline";

/** The question before with its answer in one line, if this one follows up on it. */
export function PreviousAnswer({ run, previous }: { run: RunModel; previous: RunModel | null }) {
  const { follows } = run;
  if (!follows) return null;
  const { page, headline, certainty } = previous ?? {};
  return (
    <div className="mb-3 flex min-w-0 items-start gap-2 text-fg-2 text-sm">
      <CornerDownRight size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />
      <div className="min-w-0">
        <p className="truncate">
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
        </p>
        {page && (
          <p className="nums flex min-w-0 items-center gap-1.5">
            <span className="truncate">{headlineText(headline ?? null, page)}</span>
            {certainty && (
              <>
                <span aria-hidden>·</span>
                <CertaintyIcon level={certainty.level} size={13} />
                <span className="shrink-0">{certaintyLabel(certainty.level)}</span>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  );
}
