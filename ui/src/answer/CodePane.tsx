import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect } from "react";
import { CodeWorkbench } from "../features/editor/CodeWorkbench";
import { loadPython, useSettings } from "../features/settings/state";
import type { SavedView } from "../host/bindings";
import { Button } from "../kit/button";
import { navigate } from "../navigation/route";
import { resultPane } from "./ResultPane";
import type { useCode } from "./useCode";

/** Editable code over views, and its result. */
export function CodePane({
  draftKey,
  code,
  queries,
  views,
  question,
  work,
  exported,
  onSave,
}: {
  draftKey: string;
  code: string;
  /** The queries of the views, read-only. */
  queries: ReactNode;
  views: SavedView[];
  question: string;
  work: ReturnType<typeof useCode>;
  /** The page has its own export button. */
  exported?: boolean;
  /** The page has its own button otherwise. */
  onSave?: (code: string) => void;
}) {
  const python = useSettings((s) => s.python);
  useEffect(() => void loadPython(), []);
  const missing = work.failure !== null && python !== null && !python.installed && !python.unavailable;
  return (
    <CodeWorkbench
      draftKey={draftKey}
      code={code}
      queries={queries}
      views={views.map((view) => view.name)}
      running={work.running}
      error={work.error}
      action={
        missing && (
          <Button size="sm" onClick={() => navigate({ page: "settings", tab: "methods" })}>
            <Trans>Set up Python</Trans>
          </Button>
        )
      }
      result={resultPane({
        state: work.rows,
        origin: work.origin,
        question,
        label: t`Result of the code`,
        empty: t`The code returned no rows.`,
        elapsedMs: work.outcome?.elapsedMs,
        printed: work.outcome?.printed,
        notes: work.outcome?.notes,
        exported,
      })}
      onRun={(text) => void work.run(text)}
      onStop={work.stop}
      onSave={onSave}
    />
  );
}
