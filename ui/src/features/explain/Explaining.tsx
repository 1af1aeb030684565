import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Explanation } from "../../host/bindings";
import { ErrorNote } from "../../kit/error";
import { Spinner } from "../../kit/status";
import { type ExplainedQuery, loadExplanation, useExplanation } from "./state";

/** Shows progress or an error until there is an explanation. */
export function Explaining({
  query,
  children,
}: {
  query: ExplainedQuery;
  children: (explanation: Explanation) => ReactNode;
}) {
  const { explanation, error } = useExplanation(query);
  if (explanation) return children(explanation);
  if (error) {
    return (
      <div className="mx-auto w-full max-w-160 p-6">
        <ErrorNote error={error} again={() => void loadExplanation(query)} />
      </div>
    );
  }
  return (
    <p role="status" className="flex items-center gap-2 p-6 text-fg-3">
      <Spinner size={14} />
      <Trans>Explaining…</Trans>
    </p>
  );
}
