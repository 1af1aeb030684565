import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RotateCw } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { AllRows } from "../answer/AllRows";
import { AnswerChart, chartAndRows, chartsOf } from "../answer/AnswerChart";
import { ExportButton } from "../answer/ExportButton";
import { headerNames, headlineText } from "../answer/headline";
import { ownOrder } from "../answer/rowOrder";
import { SingleValue } from "../answer/SingleValue";
import { withApproval } from "../domain/approval";
import { savedQuestionName } from "../domain/deletions";
import { parameterLabel, useParameters } from "../domain/parameter";
import { Grid } from "../features/grid/Grid";
import { useAnswerSource } from "../features/grid/state";
import { ParameterForm } from "../features/saved/Parameters";
import type { AppError, SavedQuestion, SavedResult } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { calendarDay, timeOfDay } from "../kit/format";
import { Empty, LoadingText } from "../kit/status";

/** Shows the last result of a saved question; the reader can refresh it. */
export function SavedAnswer({ question }: { question: SavedQuestion }) {
  const { id, warehouse, sql } = question;
  const { checked } = question.filing;
  // Verifying runs it, so there is another last result then.
  const verifiedAt = checked?.result ? checked.at : null;
  const [result, setResult] = useState<SavedResult | null | undefined>(undefined);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  /** The origin of the rows on screen, if it is not the question's own query. */
  const [filled, setFilled] = useState<{ sql: string; values: [string, string][] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew once it was verified
  useEffect(() => {
    let here = true;
    host()
      .savedResult(id)
      .then((found) => {
        if (!here) return;
        setResult(found);
        setFilled(null);
      })
      .catch((thrown) => {
        if (!here) return;
        setResult(null);
        setError(toAppError(thrown));
      });
    return () => {
      here = false;
    };
  }, [id, verifiedAt]);
  const { found } = useParameters(warehouse, sql);
  const asked = (found ?? []).filter(({ name }) => question.filing.parameters.includes(name));
  const run = async (values: Record<string, string> = {}) => {
    setRunning(true);
    setError(null);
    try {
      const pairs = Object.entries(values);
      const query = pairs.length === 0 ? sql : await host().filledQuery(id, values);
      setResult(await withApproval(warehouse, query, () => host().runSaved(id, values)));
      setFilled(pairs.length === 0 ? null : { sql: query, values: pairs });
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setRunning(false);
    }
  };
  if (result === undefined) return <LoadingText className="p-6" />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="@container w-full max-w-300 px-6 pt-4 pb-7">
        {error && (
          <div className="mb-4">
            <ErrorNote error={error} />
          </div>
        )}
        {asked.length > 0 && <ParameterForm parameters={asked} busy={running} onRun={(values) => void run(values)} />}
        {result ? (
          <>
            <div className="mb-3 flex items-center gap-3 text-fg-3 text-sm">
              <span className="nums">{ranAt(`${calendarDay(result.at)}, ${timeOfDay(result.at)}`, filled)}</span>
              {asked.length === 0 && (
                <Button size="sm" icon={<RotateCw size={13} />} busy={running} onClick={() => void run()}>
                  <Trans>Refresh data</Trans>
                </Button>
              )}
              <ExportButton
                origin={{ warehouse, sql: filled?.sql ?? sql }}
                question={question.title}
                className="ml-auto"
              />
            </div>
            <Shown
              key={result.at}
              id={id}
              title={question.title}
              warehouse={warehouse}
              sql={filled?.sql ?? sql}
              result={result}
            />
          </>
        ) : (
          <Empty
            icon={<RotateCw size={20} />}
            title={t`No saved result for this query`}
            action={
              <Button variant="primary" busy={running} onClick={() => void run()}>
                <Trans>Run</Trans>
              </Button>
            }
          >
            <Trans>Run it to see its answer on current data.</Trans>
          </Empty>
        )}
      </div>
    </div>
  );
}

function Shown({
  id,
  title,
  warehouse,
  sql,
  result: { page, headline },
}: {
  id: string;
  title: string;
  warehouse: string;
  /** The origin of the rows. */
  sql: string;
  result: SavedResult;
}) {
  const origin = useMemo(() => ({ warehouse, sql }), [warehouse, sql]);
  const source = useAnswerSource(page, origin);
  const charts = useMemo(() => chartsOf(page, headline), [page, headline]);
  const names = useMemo(() => headerNames(page, headline), [page, headline]);
  const order = useMemo(() => ownOrder(page, { sql, code: null, headline }), [page, sql, headline]);
  if (page.rows.length === 1 && page.columns.length === 1 && !page.truncated)
    return <SingleValue column={page.columns[0]!} value={page.rows[0]?.[0] ?? null} headline={headline} />;
  return (
    <>
      <h2 className="nums wrap-anywhere max-w-220 text-balance font-semibold text-xl leading-[1.35]">
        {headlineText(headline, page)}
      </h2>
      <AllRows origin={origin} page={page} chart={charts !== null} />
      {page.rowCount > 0 && (
        <div className={chartAndRows(page, charts)}>
          {charts && (
            <AnswerChart
              run={{ runId: savedQuestionName(id), question: title, headline }}
              page={page}
              choices={charts}
            />
          )}
          <div className="flex max-h-[60vh] min-w-0 flex-col self-start overflow-hidden rounded-lg border border-line">
            <Grid
              source={source}
              label={t`Answer`}
              remember={savedQuestionName(id)}
              order={order}
              names={names}
              origin={origin}
              question={title}
            />
          </div>
        </div>
      )}
    </>
  );
}

/** When the rows came, and with which values. */
function ranAt(when: string, filled: { values: [string, string][] } | null): string {
  if (!filled) return t`Last run ${when}`;
  const values = filled.values.map(([name, value]) => `${parameterLabel(name)} ${value}`).join(", ");
  return values === "" ? t`Run ${when}` : t`Run ${when}, with ${values}`;
}
