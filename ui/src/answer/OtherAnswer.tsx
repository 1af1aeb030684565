import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import type { RunModel } from "../features/graph/model/model";
import { Grid } from "../features/grid/Grid";
import type { Origin } from "../features/grid/origin";
import { useResult } from "../features/grid/state";
import { useSettings } from "../features/settings/state";
import { Button } from "../kit/button";
import { DiffView } from "../kit/diffView";
import { ErrorNote } from "../kit/error";
import { roomNote, rowsRead } from "../kit/format";
import { LoadingText } from "../kit/status";
import { TextButton } from "../kit/textButton";
import { FetchedValue } from "./SingleValue";
import { OTHER_TITLES, type OtherQuery, showOther } from "./shownQuery";

/** The rows of another query in place of the answer, with a button back to the answer. */
export function OtherAnswer({ run, other, onEdit }: { run: RunModel; other: OtherQuery; onEdit: () => void }) {
  const { state, run: open } = useResult();
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const [diff, setDiff] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each query
  useEffect(() => void open({ warehouse: run.warehouse, sql: other.sql }, rowLimit), [run.warehouse, other.sql]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports a failure once
  useEffect(() => {
    if (state.status === "failed" && !other.failed) showOther(run.runId, { ...other, failed: true });
  }, [state.status]);
  const title = OTHER_TITLES[other.kind];
  const rows = state.result?.handle;
  return (
    <section aria-label={title} className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-4 border-accent-line border-b bg-accent-soft px-6 py-1.5 text-sm">
        <p className="min-w-0 flex-1 truncate" title={other.about}>
          <span className="font-medium">{title}</span>
          {other.about && <span className="text-fg-2">: {other.about}</span>}
          {rows && (
            <span className="nums text-fg-2">{` · ${rowsRead({ ...rows, truncated: false }, rows.elapsedMs)}`}</span>
          )}
          {rows && roomNote(rows) && <span className="text-warn">{` · ${roomNote(rows)}`}</span>}
        </p>
        <TextButton pressed={diff} onClick={() => setDiff(!diff)}>
          {diff ? t`Hide diff` : t`Show diff`}
        </TextButton>
        <TextButton onClick={onEdit}>
          <Trans>Edit</Trans>
        </TextButton>
        <Button
          size="sm"
          icon={<ArrowLeft size={13} />}
          onClick={() => showOther(run.runId, null)}
          className="-mr-1.5"
        >
          <Trans>Back to the answer</Trans>
        </Button>
      </div>
      {diff && (
        <div className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
          <DiffView before={run.sql ?? ""} after={other.sql} labels={[t`Answer`, title]} dialect={run.dialect} />
        </div>
      )}
      {state.status === "opening" && <LoadingText className="p-5" />}
      {state.error && (
        <div className="p-5">
          <p className="mb-2 text-fg-2">
            <Trans>This query does not run.</Trans>
          </p>
          <ErrorNote error={state.error} compact />
        </div>
      )}
      {state.result && (
        <Rows
          result={state.result}
          label={title}
          origin={{ warehouse: run.warehouse, sql: other.sql }}
          question={`${run.question} (${title})`}
        />
      )}
    </section>
  );
}

function Rows({
  result,
  label,
  origin,
  question,
}: {
  result: NonNullable<ReturnType<typeof useResult>["state"]["result"]>;
  label: string;
  origin: Origin;
  question: string;
}) {
  const { handle, source } = result;
  if (handle.complete && handle.rowCount === 0)
    return (
      <p className="p-5 text-fg-3">
        <Trans>The query returned no rows.</Trans>
      </p>
    );
  if (handle.complete && handle.rowCount === 1 && handle.columns.length === 1) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-9">
        <FetchedValue source={source} />
      </div>
    );
  }
  return <Grid source={source} label={label} origin={origin} question={question} />;
}
