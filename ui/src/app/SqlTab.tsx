import { Download } from "lucide-react";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import type { RunModel } from "../features/graph/model";
import { Grid } from "../features/grid/Grid";
import { type ResultState, useResult } from "../features/grid/state";
import { useSettings } from "../features/settings/state";
import type { Catalog } from "../host/bindings";
import { Button } from "../kit/button";
import { duration, plural } from "../kit/format";
import { Skeleton } from "../kit/status";
import { exportCsv } from "./exports";

/** The answer's SQL and what an edited version of it gives. */
export function SqlTab({
  run,
  catalog,
  onSave,
}: {
  run: RunModel;
  catalog: Catalog | null;
  onSave: (sql: string) => void;
}) {
  const result = useResult(run.warehouse);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const revision = run.revision && run.revision.before !== run.revision.after ? run.revision : null;
  return (
    <SqlWorkbench
      draftKey={`run:${run.runId}`}
      sql={run.sql ?? ""}
      dialect={run.dialect}
      warehouse={run.warehouse}
      catalog={catalog}
      revision={revision}
      running={isBusy(result.state)}
      error={result.state.status === "failed" ? result.state.error : null}
      result={resultPane(result.state, run.warehouse, run.question, result.last)}
      onRun={(sql) => void result.run(sql, rowLimit)}
      onStop={result.stop}
      onSave={onSave}
    />
  );
}

export function isBusy(state: ResultState): boolean {
  return state.status === "opening" || (state.result !== null && !state.result.handle.complete);
}

export function resultPane(state: ResultState, warehouse: string, question: string, sql: string) {
  if (state.status === "opening") {
    return (
      <div className="flex flex-col gap-2.5 p-4" aria-busy="true">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    );
  }
  if (!state.result) return null;
  const { handle, source } = state.result;
  return (
    <>
      <div className="nums flex shrink-0 items-center gap-3 border-line border-b px-4 py-1 text-fg-2 text-sm">
        <span>
          {plural(handle.rowCount, "row")}
          {handle.complete ? "" : " so far"}
          {handle.truncated ? ", limit reached" : ""} in {duration(handle.elapsedMs)}
        </span>
        {state.error && <span className="text-bad">{state.error.message}</span>}
        <Button
          size="sm"
          variant="quiet"
          className="ml-auto"
          icon={<Download size={13} />}
          onClick={() => void exportCsv(warehouse, sql, question)}
        >
          Export CSV
        </Button>
      </div>
      {handle.complete && handle.rowCount === 0 ? (
        <p className="p-4 text-fg-3">The query ran and gave no rows.</p>
      ) : (
        <Grid source={source} label="Result of the edited SQL" />
      )}
    </>
  );
}
