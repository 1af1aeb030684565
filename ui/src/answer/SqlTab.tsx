import { t } from "@lingui/core/macro";
import { useEffect, useMemo, useState } from "react";
import { useNamesAway } from "../features/catalog/large";
import { COMPLETIONS } from "../features/editor/language";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import { useDrafts } from "../features/editor/state";
import type { RunModel } from "../features/graph/model/model";
import { Grid } from "../features/grid/Grid";
import type { Origin } from "../features/grid/origin";
import { type ResultState, useAnswerSource, useResult } from "../features/grid/state";
import { useSettings } from "../features/settings/state";
import type { Catalog, Page } from "../host/bindings";
import { answerOrigin } from "./answer";
import { ChangeNotes } from "./QueryNotes";
import { resultPane } from "./ResultPane";
import { putInEditor, showEdited } from "./shownQuery";
import { useExplain } from "./useExplain";

/** The answer's SQL with its rows, or with the result of an edited version. */
export function SqlTab({ run, catalog }: { run: RunModel; catalog: Catalog | null }) {
  const namesAway = useNamesAway(run.warehouse, COMPLETIONS);
  const result = useResult();
  const [part, setPart] = useState<string | null>(null);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  useShownRows(run.runId, result.state.result === null ? null : result.last);
  const revision = run.revision && run.revision.before !== run.revision.after ? run.revision : null;
  const { warehouse, question } = run;
  const explain = useExplain({ warehouse, question }, run.dialect, (sql) => putInEditor(run.runId, sql));
  const edited = useDrafts((s) => s.drafts[`run:${run.runId}`] ?? run.sql) !== run.sql;
  const answerRows = result.state.status === "idle" && !edited && run.page && (
    <AnswerRows run={run} page={run.page} />
  );
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
      result={explain.pane || sqlResult(result, run.question, part, true) || answerRows}
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

/** The rows of the answer, which its unedited query returned. */
function AnswerRows({ run, page }: { run: RunModel; page: Page }) {
  const { runId, warehouse, sql, code } = run;
  const origin = useMemo(() => answerOrigin({ runId, warehouse, sql, code }), [runId, warehouse, sql, code]);
  const source = useAnswerSource(page, origin);
  if (page.columns.length === 0 || page.rowCount === 0) return null;
  return <Grid source={source} label={t`Rows of the answer`} origin={origin} />;
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
