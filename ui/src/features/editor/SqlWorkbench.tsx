import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Columns2, FileDiff, ListTree, PencilLine, WandSparkles, Workflow } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { AppError, Catalog, Dialect, EventBody, FoundName } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { DiffView } from "../../kit/diffView";
import { toastError } from "../../kit/toast";
import type { Search } from "../../kit/useFound";
import type { EditorHandle } from "./CodeEditor";
import { sqlLanguage } from "./language";
import { placeInSql } from "./place";
import { ReadEstimate } from "./ReadEstimate";
import { runParts } from "./runParts";
import { setDraft, useDrafts } from "./state";
import { PanelButton, Workbench } from "./Workbench";

/** The editable SQL of an answer: run, also a part of it, format, compare with the revision and with what was generated. */
export function SqlWorkbench({
  sql,
  dialect,
  warehouse,
  catalog,
  namesAway,
  revision,
  rules = null,
  explaining = false,
  planning = false,
  onExplain,
  onPlan,
  ...rest
}: {
  draftKey: string;
  /** The answer's own SQL. */
  sql: string;
  dialect: Dialect | null;
  warehouse: string;
  catalog: Catalog | null;
  /** How its names are looked up where it is too large to be here. */
  namesAway: Search<FoundName> | null;
  revision: Pick<Extract<EventBody, { type: "revised" }>, "before" | "after"> | null;
  /** The query as the model wrote it, and what rules changed about it. */
  rules?: { written: string; notes: ReactNode } | null;
  running: boolean;
  error: AppError | null;
  /** The result of the last run of the edited SQL. */
  result: ReactNode;
  /** Whether the query is explained below, in place of its rows. */
  explaining?: boolean;
  /** Whether the plan of its engine is shown there. */
  planning?: boolean;
  onExplain: (sql: string) => void;
  onPlan: (sql: string) => void;
  /** A part of it has a name. */
  onRun: (sql: string, part?: string) => void;
  onStop: () => void;
  onSave: (sql: string) => void;
}) {
  const { draftKey } = rest;
  const editor = useRef<EditorHandle>(null);
  const [panel, setPanel] = useState<"revision" | "rules" | "edits" | null>(null);
  const run = useRef(rest.onRun);
  run.current = rest.onRun;
  const language = useMemo(
    () => [sqlLanguage(dialect, catalog, namesAway), runParts((part) => run.current(part.sql, part.name))],
    [dialect, catalog, namesAway],
  );

  const draft = useDrafts((s) => s.drafts[draftKey]);
  const written = () => useDrafts.getState().drafts[draftKey] ?? sql;
  const format = async () => {
    try {
      const text = written();
      editor.current?.setText(await host().formatSql(text, warehouse));
    } catch (thrown) {
      toastError(toAppError(thrown));
    }
  };

  const isEdited = draft !== undefined && draft !== sql;
  const toggle = (which: typeof panel) => setPanel(panel === which ? null : which);

  const runWritten = () => {
    if (!rules) return;
    setDraft(draftKey, rules.written);
    rest.onRun(rules.written);
  };

  return (
    <Workbench
      {...rest}
      editor={editor}
      own={sql}
      label="SQL"
      language={language}
      placeOf={(message, text) => placeInSql(message, text, dialect)}
      about={dialect === "bigquery" && <ReadEstimate sql={draft ?? sql} warehouse={warehouse} />}
      tools={
        <>
          <PanelButton open={explaining} icon={<ListTree size={13} />} onClick={() => onExplain(written())}>
            <Trans>Explain</Trans>
          </PanelButton>
          <PanelButton open={planning} icon={<Workflow size={13} />} onClick={() => onPlan(written())}>
            <Trans context="of the database, to run a query">Plan</Trans>
          </PanelButton>
          <Button size="sm" variant="quiet" icon={<WandSparkles size={13} />} onClick={format}>
            <Trans>Format</Trans>
          </Button>
          {revision && (
            <PanelButton open={panel === "revision"} icon={<Columns2 size={13} />} onClick={() => toggle("revision")}>
              <Trans>Revision</Trans>
            </PanelButton>
          )}
          {rules && (
            <PanelButton open={panel === "rules"} icon={<PencilLine size={13} />} onClick={() => toggle("rules")}>
              <Trans>Rules</Trans>
            </PanelButton>
          )}
          {isEdited && (
            <PanelButton open={panel === "edits"} icon={<FileDiff size={13} />} onClick={() => toggle("edits")}>
              <Trans>Changes</Trans>
            </PanelButton>
          )}
        </>
      }
      panel={
        <>
          {panel === "revision" && revision && (
            <div className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
              <DiffView
                before={revision.before}
                after={revision.after}
                labels={[t`Before revision`, t`After revision`]}
                dialect={dialect}
              />
            </div>
          )}
          {panel === "edits" && isEdited && (
            <section aria-label={t`Changes`} className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
              <DiffView before={sql} after={draft} labels={[t`The answer's SQL`, t`Edited`]} dialect={dialect} />
            </section>
          )}
          {panel === "rules" && rules && (
            <section
              aria-label={t`Changed by rules`}
              className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3"
            >
              <div className="mb-2 flex items-start gap-4 text-sm">
                <div className="min-w-0 flex-1 text-fg-2">{rules.notes}</div>
                <Button size="sm" onClick={runWritten}>
                  <Trans>Run original query</Trans>
                </Button>
              </div>
              <DiffView
                before={rules.written}
                after={sql}
                labels={[t`Original query`, t`Executed query`]}
                dialect={dialect}
              />
            </section>
          )}
        </>
      }
    />
  );
}
