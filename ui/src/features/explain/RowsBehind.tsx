import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Database, Rows3 } from "lucide-react";
import { useEffect, useState } from "react";
import { untilGone } from "../../host/asking";
import type { AppError, Page, RowsBehind } from "../../host/bindings";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { clipText } from "../../kit/format";
import { LoadingText } from "../../kit/status";

/** A row of a result, or one cell of it. */
export interface SourceRowsRequest {
  row: Page["rows"][number];
  /** The cell's column; null for the whole row. */
  column: { index: number; name: string } | null;
}

/** The source rows of a value, in every table and at every step. */
export function RowsBehindDialog({
  warehouse,
  sql,
  asked,
  onRows,
  onClose,
}: {
  warehouse: string;
  sql: string;
  /** Null while nothing is asked. */
  asked: SourceRowsRequest | null;
  /** Shows rows, by their query. */
  onRows: (sql: string) => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={asked !== null}
      onClose={onClose}
      title={asked ? titleOf(asked) : ""}
      description={t`The rows it was computed from, in each table and at each step.`}
      width="w-160"
      still
    >
      {asked && <Behind warehouse={warehouse} sql={sql} asked={asked} onRows={onRows} />}
    </Dialog>
  );
}

function titleOf({ row, column }: SourceRowsRequest): string {
  if (column === null) return t`Source rows of this row`;
  return t`Source rows of ${column.name} ${clipText(row[column.index] ?? "NULL", 60)}`;
}

function Behind({
  warehouse,
  sql,
  asked,
  onRows,
}: {
  warehouse: string;
  sql: string;
  asked: SourceRowsRequest;
  onRows: (sql: string) => void;
}) {
  const [found, setFound] = useState<RowsBehind[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    setFound(null);
    setError(null);
    const rows = host().rowsBehind(warehouse, sql, asked.row, asked.column?.index ?? null);
    return untilGone(["rowsBehind", warehouse, sql], rows, setFound, setError);
  }, [warehouse, sql, asked, tries]);

  if (error) {
    return <ErrorNote error={error} again={() => setTries(tries + 1)} />;
  }
  if (!found) return <LoadingText className="py-2" />;
  if (found.length === 0) {
    return (
      <p className="py-2 text-fg-2">
        <Trans>This query cannot be traced to single rows. The Graph tab explains it as a whole.</Trans>
      </p>
    );
  }
  const tables = found.filter((rows) => rows.isTable);
  const steps = found.filter((rows) => !rows.isTable);
  return (
    <div className="flex flex-col gap-5">
      <Part title={t`Tables`} rows={tables} onRows={onRows} />
      <Part title={t`Steps`} rows={steps} onRows={onRows} />
    </div>
  );
}

function Part({ title, rows, onRows }: { title: string; rows: RowsBehind[]; onRows: (sql: string) => void }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium text-fg-2 text-sm">{title}</h3>
      <ul>
        {rows.map((behind) => (
          <li key={behind.source} className="flex items-center gap-3 border-line border-b py-2 last:border-b-0">
            {behind.isTable ? (
              <Database size={15} className="shrink-0 text-fg-3" aria-hidden />
            ) : (
              <Rows3 size={15} className="shrink-0 text-fg-3" aria-hidden />
            )}
            <span className="wrap-anywhere min-w-0 flex-1">{behind.isTable ? behind.source : behind.note}</span>
            {behind.rows !== null && (
              <span className="nums shrink-0 text-fg-2 text-sm">
                {plural(behind.rows, { one: "# row", other: "# rows" })}
              </span>
            )}
            <Button size="sm" onClick={() => onRows(behind.sql)}>
              <Trans>Show rows</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
