import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft } from "lucide-react";
import { useEffect, useMemo } from "react";
import { resultPane } from "../answer/ResultPane";
import { tableLabel } from "../domain/catalogNames";
import { quoteName } from "../features/editor/quote";
import { useResult } from "../features/grid/state";
import { useSettings } from "../features/settings/state";
import type { Dialect, TableName } from "../host/bindings";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";

/** The query for all rows of a table. */
export function allRowsQuery({ catalog, schema, name }: TableName, dialect: Dialect): string {
  const parts = [catalog, schema, name].filter((part) => part !== null);
  return `SELECT * FROM ${parts.map((part) => quoteName(part, dialect)).join(".")}`;
}

/** All rows of a table, to be sorted, filtered, searched and exported like a result. */
export function BrowseRows({
  uri,
  table,
  dialect,
  onClose,
}: {
  uri: string;
  table: TableName;
  dialect: Dialect;
  onClose: () => void;
}) {
  const { state, run, stop } = useResult();
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const label = tableLabel(table);
  const origin = useMemo(() => ({ warehouse: uri, sql: allRowsQuery(table, dialect) }), [uri, table, dialect]);
  const open = () => void run(origin, rowLimit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another limit reads nothing again
  useEffect(open, [origin]);
  const reading = state.status === "opening" || (state.result !== null && !state.result.handle.complete);
  return (
    <section aria-label={t`Rows of ${label}`} className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-4 py-1">
        <Button size="sm" variant="quiet" icon={<ArrowLeft size={14} />} onClick={onClose}>
          <Trans>Sample rows</Trans>
        </Button>
        {reading && (
          <Button size="sm" variant="quiet" onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        )}
      </div>
      {state.status === "failed" && state.error && (
        <div className="max-w-160 p-4">
          <ErrorNote error={state.error} again={open} />
        </div>
      )}
      {resultPane({ state, origin, question: label, label: t`Rows of ${label}`, empty: t`This table has no rows.` })}
    </section>
  );
}
