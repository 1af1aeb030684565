import { t } from "@lingui/core/macro";
import { TriangleAlert } from "lucide-react";
import { Grid } from "../features/grid/Grid";
import type { Origin } from "../features/grid/origin";
import type { ResultState } from "../features/grid/state";
import type { CodeOutcome } from "../host/bindings";
import { roomNote, rowsRead } from "../kit/format";
import { LoadingText } from "../kit/status";
import { ExportButton } from "./ExportButton";

/** Rows, with the output and notes of the code that returned them. */
interface ResultPaneProps extends Partial<Pick<CodeOutcome, "elapsedMs" | "printed" | "notes">> {
  state: ResultState;
  /** Where an export reads the rows. */
  origin: Origin | null;
  question: string;
  /** Label of the grid. */
  label: string;
  /** Text if there are no rows. */
  empty: string;
  /** The part of the query whose rows these are. */
  part?: string | null;
  /** The page has its own export button. */
  exported?: boolean;
}

/** The result of the last run of an edited text; null if there is none. */
export function resultPane({
  state,
  origin,
  question,
  label,
  empty,
  elapsedMs,
  printed = "",
  notes = [],
  part = null,
  exported,
}: ResultPaneProps) {
  if (state.status === "opening") return <LoadingText className="p-4" />;
  if (!state.result || !origin) return printed ? <Printed text={printed} alone /> : null;
  const { handle, source } = state.result;
  const cut = roomNote(handle);
  return (
    <>
      <div className="nums flex shrink-0 items-center gap-3 border-line border-b px-4 py-1 text-fg-2 text-sm">
        {part !== null && <span className="min-w-0 truncate font-medium font-mono text-fg">{part}</span>}
        <span>{rowsRead(handle, elapsedMs ?? handle.elapsedMs)}</span>
        {(cut ? [cut, ...notes] : notes).map((note) => (
          <span key={note} className="inline-flex min-w-0 items-center gap-1.5 text-warn">
            <TriangleAlert size={13} className="shrink-0" aria-hidden />
            <span className="truncate" title={note}>
              {note}
            </span>
          </span>
        ))}
        {state.error && <span className="text-bad">{state.error.message}</span>}
        {!exported && <ExportButton origin={origin} question={question} className="ml-auto" />}
      </div>
      {printed && <Printed text={printed} />}
      {handle.complete && handle.rowCount === 0 ? (
        <p className="p-4 text-fg-3">{empty}</p>
      ) : (
        <Grid source={source} label={label} origin={origin} />
      )}
    </>
  );
}

function Printed({ text, alone }: { text: string; alone?: boolean }) {
  return (
    <section
      aria-label={t`Printed output`}
      className={
        alone ? "min-h-0 flex-1 overflow-auto" : "max-h-24 shrink-0 overflow-auto border-line border-b bg-sunk"
      }
    >
      <pre className="wrap-anywhere whitespace-pre-wrap px-4 py-2 font-mono text-fg-2 text-xs leading-[1.6]">
        {text.trimEnd()}
      </pre>
    </section>
  );
}
