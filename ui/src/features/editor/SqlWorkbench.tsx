import { Columns2, WandSparkles } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { AppError, Catalog, Dialect } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { DiffView } from "../../kit/diffView";
import { toastError } from "../../kit/toast";
import type { EditorHandle } from "./CodeEditor";
import { sqlLanguage } from "./language";
import { useDrafts } from "./state";
import { PanelButton, Workbench } from "./Workbench";

/** The answer's SQL, open to change: run it, format it, see what the revision changed. */
export function SqlWorkbench({
  sql,
  dialect,
  warehouse,
  catalog,
  revision,
  ...rest
}: {
  draftKey: string;
  /** The answer's own SQL. */
  sql: string;
  dialect: Dialect | null;
  warehouse: string;
  catalog: Catalog | null;
  revision: { before: string; after: string } | null;
  running: boolean;
  error: AppError | null;
  /** What the last run of the edited SQL gave. */
  result: ReactNode;
  onRun: (sql: string) => void;
  onStop: () => void;
  onSave: (sql: string) => void;
}) {
  const { draftKey } = rest;
  const editor = useRef<EditorHandle>(null);
  const [diff, setDiff] = useState(false);
  const language = useMemo(() => sqlLanguage(dialect, catalog), [dialect, catalog]);

  const format = async () => {
    try {
      const text = useDrafts.getState().drafts[draftKey] ?? sql;
      editor.current?.setText(await host().formatSql(text, warehouse));
    } catch (thrown) {
      toastError(toAppError(thrown));
    }
  };

  return (
    <Workbench
      {...rest}
      editor={editor}
      own={sql}
      label="SQL"
      language={language}
      tools={
        <>
          <Button size="sm" variant="quiet" icon={<WandSparkles size={13} />} onClick={format}>
            Format
          </Button>
          {revision && (
            <PanelButton open={diff} icon={<Columns2 size={13} />} onClick={() => setDiff(!diff)}>
              Revision
            </PanelButton>
          )}
        </>
      }
      panel={
        diff &&
        revision && (
          <div className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
            <DiffView
              before={revision.before}
              after={revision.after}
              labels={["Before the revision", "After"]}
              dialect={dialect}
            />
          </div>
        )
      }
    />
  );
}
