import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Table2 } from "lucide-react";
import type { TableName } from "../../host/bindings";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { MiniTable } from "../../kit/miniTable";
import { LoadingText } from "../../kit/status";
import { tableLabel } from "./search";
import { useAnswer } from "./useAnswer";

/** A few rows of a table, read when they are looked at. */
export function SampleRows({
  uri,
  table,
  onBrowse,
}: {
  uri: string;
  table: TableName;
  /** Shows all rows. */
  onBrowse?: () => void;
}) {
  const { answer, error, again } = useAnswer(() => host().sampleRows(uri, table), [uri, tableLabel(table)]);
  if (error) {
    return (
      <div className="mt-3 max-w-160">
        <ErrorNote error={error} compact again={again} />
      </div>
    );
  }
  if (!answer) return <LoadingText className="mt-3" />;
  const { page, sql } = answer;
  const rows = plural(page.rows.length, { one: "# row", other: "# rows" });
  return (
    <section aria-label={t`Sample rows`} className="mt-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-fg-3 text-sm">
          {!page.truncated
            ? plural(page.rows.length, { one: "All of it: # row.", other: "All # rows." })
            : sql === null
              ? t`${rows}, sampled across the table; more exist.`
              : t`${rows}, as returned by the database; more exist.`}
          {sql === null && ` ${t`Listed without a query, so free of charge.`}`}
        </p>
        {/* Where rows were listed without a query, reading them all would be billed. */}
        {onBrowse && sql !== null && page.rows.length > 0 && (
          <Button size="sm" icon={<Table2 size={14} />} onClick={onBrowse}>
            <Trans>Browse all rows</Trans>
          </Button>
        )}
      </div>
      <MiniTable page={page} rows={page.rows.length} readable />
    </section>
  );
}
