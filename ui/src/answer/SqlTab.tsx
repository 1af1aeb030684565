import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import { useNamesAway } from "../features/catalog/large";
import { COMPLETIONS } from "../features/editor/language";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import type { RunModel } from "../features/graph/model/model";
import type { Origin } from "../features/grid/origin";
import { type ResultState, useResult } from "../features/grid/state";
import { useSettings } from "../features/settings/state";
import type { Catalog } from "../host/bindings";
import { ChangeNotes } from "./QueryNotes";
import { resultPane } from "./ResultPane";
import { putInEditor, showEdited } from "./shownQuery";
import { useExplain } from "./useExplain";

/** The answer's SQL, and the result of an edited version. */
export function SqlTab({ run, catalog }: { run: RunModel; catalog: Catalog | null }) {
  const namesAway = useNamesAway(run.warehouse, COMPLETIONS);
  const result = useResult();
  const [part, setPart] = useState<string | null>(null);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  useShownRows(run.runId, result.state.result === null ? null : result.last);
  const revision = run.revision && run.revision.before !== run.revision.after ? run.revision : null;
  const { warehouse, question } = run;
  const explain = useExplain({ warehouse, question }, run.dialect, (sql) => putInEditor(run.runId, sql));
  const { written, changes } = run.rules;
  const rules =
    written !== null && written !== run.sql ? { written, notes: <ChangeNotes changes={changes} /> } : null;
  return (
    <SqlWorkbench
      draftKey={`run:${run.runId}`}
      sql={run.sql ?? ""}
      dialect={run.dialect}
      warehouse={run.warehouse}
      catalog={catalog}
      namesAway={namesAway}
      revision={revision}
      rules={rules}
      running={isBusy(result.state)}
      error={result.state.status === "failed" ? result.state.error : null}
      explaining={explain.explaining}
      planning={explain.planning}
      result={explain.pane || sqlResult(result, run.question, part, true)}
      onExplain={explain.explain}
      onPlan={explain.plan}
      onRun={(sql, name) => {
        explain.hide();
        setPart(name ?? null);
        void result.run({ warehouse: run.warehouse, sql }, rowLimit);
      }}
      onStop={result.stop}
    />
  );
}

/** Tells Export what the tab shows. */
export function useShownRows(runId: string, origin: Origin | null) {
  const key = JSON.stringify(origin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the rows
  useEffect(() => {
    showEdited(runId, origin);
    return () => showEdited(runId, null);
  }, [runId, key]);
}

export function isBusy(state: ResultState): boolean {
  return state.status === "opening" || (state.result !== null && !state.result.handle.complete);
}

/** The result of edited SQL. */
export function sqlResult(
  { state, last }: Pick<ReturnType<typeof useResult>, "state" | "last">,
  question: string,
  part: string | null,
  exported?: boolean,
) {
  const label = part === null ? t`Result of the edited SQL` : t`Rows of ${part}`;
  return resultPane({ state, origin: last, question, label, empty: t`The query returned no rows.`, part, exported });
}
