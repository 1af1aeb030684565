import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Table2 } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import type { AppError } from "../../host/bindings";
import type { EditorHandle } from "./CodeEditor";
import { pythonOver } from "./language";
import { placeInCode } from "./place";
import { showQueries, useDrafts } from "./state";
import { PanelButton, Workbench } from "./Workbench";

/** The editable Python code of an answer, run over its views. */
export function CodeWorkbench({
  code,
  queries,
  views,
  ...rest
}: {
  draftKey: string;
  /** The answer's own code. */
  code: string;
  /** The queries of the views that the code reads. */
  queries: ReactNode;
  /** Their names. */
  views: string[];
  running: boolean;
  error: AppError | null;
  /** Actions for the error. */
  action: ReactNode;
  /** The result of the last run. */
  result: ReactNode;
  onRun: (code: string) => void;
  onStop: () => void;
  onSave?: (code: string) => void;
}) {
  const { draftKey } = rest;
  const editor = useRef<EditorHandle>(null);
  const shown = useDrafts((s) => s.queries[draftKey] ?? false);
  const names = views.join(" ");
  const language = useMemo(() => pythonOver(names === "" ? [] : names.split(" ")), [names]);

  const list = views.map((view, index) => (
    <span key={view}>
      {index > 0 && ", "}
      <span className="font-mono text-fg-2">{view}</span>
    </span>
  ));

  return (
    <Workbench
      {...rest}
      editor={editor}
      own={code}
      label="Python"
      language={language}
      placeOf={placeInCode}
      tools={
        <PanelButton open={shown} icon={<Table2 size={13} />} onClick={() => showQueries(draftKey, !shown)}>
          <Trans>View queries</Trans>
        </PanelButton>
      }
      panel={
        shown && (
          <section
            aria-label={t`View queries`}
            className="max-h-[45%] shrink-0 overflow-auto border-line border-b bg-sunk px-4 py-3"
          >
            {queries}
          </section>
        )
      }
      about={
        <p className="shrink-0 px-4 pt-2 text-fg-3 text-xs">
          {views.length === 1 ? (
            <Trans>Python over the view {list}.</Trans>
          ) : (
            <Trans>Python over the views {list}.</Trans>
          )}{" "}
          <Trans>
            Assign the output table to <span className="font-mono text-fg-2">result</span>.
          </Trans>
        </p>
      }
    />
  );
}
