import type { TableName } from "../../host/bindings";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { plural } from "../../kit/format";
import { MiniTable } from "../../kit/miniTable";
import { LoadingText } from "../../kit/status";
import { tableLabel } from "./search";
import { useAnswer } from "./useAnswer";

/** A few rows of a table, read when they are looked at. */
export function SampleRows({ uri, table }: { uri: string; table: TableName }) {
  const { answer, error, again } = useAnswer(() => host().sampleRows(uri, table), [uri, tableLabel(table)]);
  if (error) {
    return (
      <div className="mt-3 max-w-160">
        <ErrorNote
          error={error}
          compact
          action={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (!answer) return <LoadingText className="mt-3" />;
  const { page, sql } = answer;
  const rows = plural(page.rows.length, "row");
  return (
    <section aria-label="Sample rows" className="mt-3">
      <p className="mb-2 text-fg-3 text-sm">
        {page.truncated
          ? `${rows}, ${sql === null ? "from all over the table" : "as the database returned them"}; the table has more.`
          : `All ${rows}.`}
        {sql === null && " Listed without a query, so nothing is billed."}
      </p>
      <MiniTable page={page} rows={page.rows.length} readable />
    </section>
  );
}
