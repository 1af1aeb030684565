import { Columns2, Play, RotateCcw, Save, Square, WandSparkles } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AppError, Catalog, Dialect } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { DiffView } from "../../kit/diffView";
import { ErrorNote } from "../../kit/error";
import { Split } from "../../kit/split";
import { toastError } from "../../kit/toast";
import { CodeEditor, type EditorHandle } from "./CodeEditor";
import { placeIn } from "./schema";
import { setDraft, useDrafts } from "./state";

/** The answer's SQL, open to change: run it, format it, go back to the answer's own. */
export function SqlWorkbench({
  draftKey,
  sql,
  dialect,
  warehouse,
  catalog,
  revision,
  running,
  error,
  result,
  onRun,
  onStop,
  onSave,
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
  const draft = useDrafts((s) => s.drafts[draftKey]);
  const text = draft ?? sql;
  const changed = draft !== undefined && draft !== sql;
  const editor = useRef<EditorHandle>(null);
  const [diff, setDiff] = useState(false);

  useEffect(() => {
    editor.current?.markLine(error ? (placeIn(`${error.message} ${error.detail ?? ""}`)?.line ?? null) : null);
  }, [error]);

  const format = async () => {
    try {
      editor.current?.setText(await host().formatSql(text, warehouse));
    } catch (thrown) {
      toastError(toAppError(thrown));
    }
  };

  const top = (
    <>
      <div className="flex shrink-0 items-center gap-1.5 border-line border-b px-3 py-1.5">
        {running ? (
          <Button size="sm" icon={<Square size={12} />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button
            size="sm"
            variant="primary"
            icon={<Play size={12} />}
            onClick={() => onRun(text)}
            title="Ctrl+Enter"
          >
            Run
          </Button>
        )}
        <Button size="sm" variant="quiet" icon={<WandSparkles size={13} />} onClick={format}>
          Format
        </Button>
        <Button
          size="sm"
          variant="quiet"
          icon={<RotateCcw size={13} />}
          disabled={!changed}
          onClick={() => {
            editor.current?.setText(sql);
            setDraft(draftKey, null);
          }}
        >
          Reset
        </Button>
        {revision && (
          <Button
            size="sm"
            variant="quiet"
            aria-pressed={diff}
            className={diff ? "bg-active text-fg" : undefined}
            icon={<Columns2 size={13} />}
            onClick={() => setDiff(!diff)}
          >
            Revision
          </Button>
        )}
        <span className="ml-auto text-fg-3 text-sm">{changed ? "Edited" : ""}</span>
        <Button size="sm" variant="quiet" icon={<Save size={13} />} onClick={() => onSave(text)}>
          Save
        </Button>
      </div>
      {diff && revision && (
        <div className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
          <DiffView
            before={revision.before}
            after={revision.after}
            labels={["Before the revision", "After"]}
            dialect={dialect}
          />
        </div>
      )}
      <CodeEditor
        ref={editor}
        initial={text}
        dialect={dialect}
        catalog={catalog}
        onChange={(next) => setDraft(draftKey, next === sql ? null : next)}
        onRun={() => onRun(useDrafts.getState().drafts[draftKey] ?? sql)}
      />
      {error && (
        <div className="shrink-0 p-3 pt-1">
          <ErrorNote error={error} compact />
        </div>
      )}
    </>
  );

  return (
    <Split
      direction="column"
      fixed="second"
      initial={260}
      min={100}
      max={900}
      label="Height of the result"
      first={top}
      second={result}
    />
  );
}
