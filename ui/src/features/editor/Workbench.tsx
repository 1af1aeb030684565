import type { Extension } from "@codemirror/state";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RotateCcw, Save } from "lucide-react";
import { type ReactNode, type RefObject, useEffect } from "react";
import type { AppError } from "../../host/bindings";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { Split } from "../../kit/split";
import { toast } from "../../kit/toast";
import { CodeEditor, type EditorHandle } from "./CodeEditor";
import type { EditorPosition } from "./place";
import { RunButton } from "./RunButton";
import { setDraft, useDrafts } from "./state";

/** An editor for an answer's SQL or code: run, reset, save; the result is below. */
export function Workbench({
  editor,
  draftKey,
  own,
  label,
  language,
  tools,
  panel,
  about,
  running,
  error,
  placeOf,
  action,
  result,
  onRun,
  onStop,
  onSave,
}: {
  editor: RefObject<EditorHandle | null>;
  draftKey: string;
  /** The answer's own text. */
  own: string;
  /** The name of the edited text, e.g. `SQL`. */
  label: string;
  language: Extension;
  /** More buttons. */
  tools: ReactNode;
  /** The result that one of them opened. */
  panel: ReactNode;
  /** A note on how to edit it. */
  about?: ReactNode;
  running: boolean;
  error: AppError | null;
  /** Where in the text that ran a message says that it is wrong. */
  placeOf: (message: string, text: string) => EditorPosition | null;
  /** Actions for the error. */
  action?: ReactNode;
  /** The result of the last run. */
  result: ReactNode;
  onRun: (text: string) => void;
  onStop: () => void;
  onSave?: (text: string) => void;
}) {
  const draft = useDrafts((s) => s.drafts[draftKey]);
  const text = draft ?? own;

  // By the text as it is when the error comes: what is typed afterwards takes the mark away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says when
  useEffect(() => {
    const ran = useDrafts.getState().drafts[draftKey] ?? own;
    editor.current?.markPlace(error ? placeOf(`${error.message} ${error.detail ?? ""}`, ran) : null);
  }, [editor, error]);

  // Takes over text set from elsewhere; typed text is here already. On a busy machine this runs late: it reads the
  // current draft, or it would undo what was typed in between.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says when
  useEffect(
    () => editor.current?.setText(useDrafts.getState().drafts[draftKey] ?? own),
    [editor, text, draftKey, own],
  );

  const top = (
    <>
      <div className="@container shrink-0 border-line border-b">
        {/* Where there is little room, words are worth more than icons: a button alone in a second row is easily missed. */}
        <div className="flex items-start gap-1.5 px-6 py-1.5 @max-3xl:[&_button>svg]:hidden">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
            <RunButton running={running} onRun={() => onRun(text)} onStop={onStop} />
            {tools}
            <Button
              size="sm"
              variant="quiet"
              icon={<RotateCcw size={13} />}
              disabled={text === own}
              title={t`Reset to the answer's ${label}`}
              onClick={() => {
                editor.current?.setText(own);
                setDraft(draftKey, null);
                editor.current?.focus();
                toast({
                  title: t`Your edits were discarded.`,
                  life: 10_000,
                  actions: [{ label: t`Undo`, run: () => setDraft(draftKey, text) }],
                });
              }}
            >
              <Trans>Reset</Trans>
            </Button>
          </div>
          <div className="flex min-h-7 shrink-0 items-center gap-1.5">
            <span className="text-fg-3 text-sm">{text === own ? "" : t`Edited`}</span>
            {onSave && (
              <Button size="sm" variant="quiet" icon={<Save size={13} />} onClick={() => onSave(text)}>
                <Trans>Save</Trans>
              </Button>
            )}
          </div>
        </div>
      </div>
      {panel}
      {about}
      <CodeEditor
        ref={editor}
        initial={text}
        language={language}
        label={label}
        onChange={(next) => setDraft(draftKey, next === own ? null : next)}
        onRun={() => onRun(useDrafts.getState().drafts[draftKey] ?? own)}
      />
      {error && (
        <div className="shrink-0 p-3 pt-1">
          <ErrorNote error={error} action={action} compact />
        </div>
      )}
    </>
  );

  return (
    <Split
      name="result"
      direction="column"
      fixed="second"
      initial={260}
      min={100}
      max={900}
      label={t`Result height`}
      first={top}
      second={result}
    />
  );
}

/** A button that opens and closes the panel. */
export function PanelButton({
  open,
  icon,
  onClick,
  children,
}: {
  open: boolean;
  icon: ReactNode;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      size="sm"
      variant="quiet"
      aria-pressed={open}
      className={open ? "bg-active text-fg" : undefined}
      icon={icon}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
