import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import type { AppError, TablePage } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import { compact, count } from "../../kit/format";
import { Skeleton } from "../../kit/status";

/** Tables of one page. */
const PAGE = 50;

/** The tables by page and search: a database may have thousands. */
export function TablesSection({ uri }: { uri: string }) {
  const [typed, setTyped] = useState("");
  const [offset, setOffset] = useState(0);
  const [page, setPage] = useState<TablePage | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(
      () =>
        host()
          .tables(uri, typed, offset, PAGE)
          .then((next) => {
            if (!here) return;
            setPage(next);
            setError(null);
          })
          .catch((thrown) => here && setError(toAppError(thrown))),
      typed === "" ? 0 : 150,
    );
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [uri, typed, offset]);
  const last = page ? Math.min(offset + PAGE, page.found) : 0;
  return (
    <section aria-label={t`Tables`}>
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="font-medium text-fg-2">
          <Trans>Tables</Trans>
          {page && ` (${count(page.total)})`}
        </h2>
        <SearchInput
          value={typed}
          onChange={(next) => {
            setTyped(next);
            setOffset(0);
          }}
          placeholder={t`Search tables and columns`}
          className="w-64"
        />
      </div>
      {error && <ErrorNote error={error} compact />}
      {!page && !error && <Skeleton className="h-24 rounded-lg" />}
      {page && page.found === 0 && <p className="text-fg-3">{typed ? t`No matches.` : t`No tables.`}</p>}
      {page && page.found > 0 && (
        <>
          <table className="nums w-full border-collapse text-left">
            <thead>
              <tr className="border-line border-b text-fg-3 text-xs">
                <th className="py-1.5 pr-4 font-medium">
                  <Trans>Table</Trans>
                </th>
                <th className="py-1.5 pr-4 text-right font-medium">
                  <Trans>Columns</Trans>
                </th>
                <th className="py-1.5 text-right font-medium">
                  <Trans>Rows</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {page.tables.map((table) => (
                <tr key={table.name} className="border-line border-b align-top">
                  <td className="wrap-anywhere py-1.5 pr-4">
                    {table.name}
                    {table.isView && (
                      <span className="ml-2 text-fg-3 text-xs">
                        <Trans>view</Trans>
                      </span>
                    )}
                    {table.comment && <span className="line-clamp-2 block text-fg-3 text-sm">{table.comment}</span>}
                  </td>
                  <td className="py-1.5 pr-4 text-right text-fg-2">{count(table.columns)}</td>
                  <td className="py-1.5 text-right text-fg-2">{table.rows === null ? "" : compact(table.rows)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {page.found > PAGE && (
            <div className="mt-2 flex items-center justify-end gap-2">
              <span className="text-fg-3 text-sm" role="status">
                <Trans>
                  {count(offset + 1)} to {count(last)} of <Plural value={page.found} one="# table" other="# tables" />
                </Trans>
              </span>
              <Button size="sm" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
                <Trans>Previous</Trans>
              </Button>
              <Button size="sm" disabled={last >= page.found} onClick={() => setOffset(offset + PAGE)}>
                <Trans>Next</Trans>
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
