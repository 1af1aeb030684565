import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Columns2, FileDiff, ListTree, PencilLine, SlidersHorizontal, WandSparkles, Workflow } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useParameters } from "../../domain/parameter";
import type { AppError, Catalog, Dialect, EventBody, FoundName } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { DiffView } from "../../kit/diffView";
import { toastError } from "../../kit/toast";
import type { Search } from "../../kit/useSearchResults";
import type { EditorHandle } from "./CodeEditor";
import { sqlLanguage } from "./language";
import { ParameterStrip } from "./ParameterStrip";
import { placeInSql } from "./place";
import { ReadEstimate } from "./ReadEstimate";
import { runParts } from "./runParts";
import { setDraft, useDrafts } from "./state";
import { fillValues, mayNeedValues, useTyped } from "./values";
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
  onRun,
  onSave,
  error,
  ...rest
}: {
  draftKey: string;
  /** The answer's own SQL. */
  sql: string;
  dialect: Dialect | null;
  warehouse: string;
  catalog: Catalog | null;
  /** Looks up its names if it is too large to be loaded. */
  namesAway: Search<FoundName> | null;
  revision: Pick<Extract<EventBody, { type: "revised" }>, "before" | "after"> | null;
  /** The query as the model wrote it, and what rules changed about it. */
  rules?: { written: string; notes: ReactNode } | null;
  running: boolean;
  error: AppError | null;
  /** The result of the last run of the edited SQL. */
  result: ReactNode;
  /** True if the query is explained below, in place of its rows. */
  explaining?: boolean;
  /** True if the plan of its engine is shown there. */
  planning?: boolean;
  onExplain: (sql: string) => void;
  onPlan: (sql: string) => void;
  /** With the values of its parameters. A part of it has a name. */
  onRun: (sql: string, part?: string) => void;
  onStop: () => void;
  /** With the constants that hold values which were typed for it. The page has its own button otherwise. */
  onSave?: (sql: string, parameters: string[]) => void;
}) {
  const { draftKey } = rest;
  const editor = useRef<EditorHandle>(null);
  const [panel, setPanel] = useState<"revision" | "rules" | "edits" | null>(null);
  const [settingConstants, setSettingConstants] = useState(false);
  const [unfilled, setUnfilled] = useState<AppError | null>(null);
  /** The query that ran last, as it was written and with its values: an error is about the latter. */
  const ran = useRef<{ written: string; sent: string } | null>(null);
  const withValues = async (text: string, then: (sql: string, parameters: string[]) => void) => {
    setUnfilled(null);
    if (!mayNeedValues(draftKey, text)) return then(text, []);
    try {
      const { sql, parameters } = await fillValues(draftKey, warehouse, text);
      then(sql, parameters);
    } catch (thrown) {
      setUnfilled(toAppError(thrown));
    }
  };
  const runFilled = (text: string, part?: string) =>
    void withValues(text, (sql) => {
      ran.current = { written: text, sent: sql };
      onRun(sql, part);
    });
  const run = useRef(runFilled);
  run.current = runFilled;
  const language = useMemo(
    () => [sqlLanguage(dialect, catalog, namesAway), runParts((part) => run.current(part.sql, part.name))],
    [dialect, catalog, namesAway],
  );

  const draft = useDrafts((s) => s.drafts[draftKey]);
  const parameters = useParameters(
    warehouse,
    draft ?? sql,
    settingConstants || mayNeedValues(draftKey, draft ?? sql),
  );
  const typed = useTyped(draftKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or value, another problem
  useEffect(() => setUnfilled(null), [draft, typed]);
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
    runFilled(rules.written);
  };

  return (
    <Workbench
      {...rest}
      editor={editor}
      own={sql}
      label="SQL"
      language={language}
      error={unfilled ?? error}
      onRun={runFilled}
      onSave={onSave && ((text) => void withValues(text, onSave))}
      placeOf={(message, text) => {
        const { written, sent } = (unfilled ? null : ran.current) ?? { written: text, sent: text };
        const place = placeInSql(message, sent, dialect);
        // Values, which stand on one line, have moved what is behind them.
        return place && sent !== written ? { ...place, column: null } : place;
      }}
      about={<ReadEstimate draftKey={draftKey} sql={draft ?? sql} dialect={dialect} warehouse={warehouse} />}
      tools={
        <>
          <PanelButton
            open={explaining}
            icon={<ListTree size={13} />}
            onClick={() => void withValues(written(), onExplain)}
          >
            <Trans>Explain</Trans>
          </PanelButton>
          <PanelButton
            open={planning}
            icon={<Workflow size={13} />}
            onClick={() => void withValues(written(), onPlan)}
          >
            <Trans context="of the database, to run a query">Plan</Trans>
          </PanelButton>
          <Button size="sm" variant="quiet" icon={<WandSparkles size={13} />} onClick={format}>
            <Trans>Format</Trans>
          </Button>
          <PanelButton
            open={settingConstants}
            icon={<SlidersHorizontal size={13} />}
            onClick={() => setSettingConstants(!settingConstants)}
          >
            <Trans>Parameters</Trans>
          </PanelButton>
          {revision && (
            <PanelButton open={panel === "revision"} icon={<Columns2 size={13} />} onClick={() => toggle("revision")}>
              <Trans>Final check</Trans>
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
          <ParameterStrip
            parameters={parameters.found}
            unread={parameters.unread}
            constants={settingConstants}
            draftKey={draftKey}
            warehouse={warehouse}
            onRun={() => runFilled(written())}
          />
          {panel === "revision" && revision && (
            <div className="max-h-[45%] shrink-0 overflow-auto border-line border-b p-3">
              <DiffView
                before={revision.before}
                after={revision.after}
                labels={[t`Before final check`, t`After final check`]}
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
