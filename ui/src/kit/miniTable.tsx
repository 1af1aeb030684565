import { Trans } from "@lingui/react/macro";
import { useMemo } from "react";
import type { Page } from "../host/bindings";
import { CellValue, isNumeric } from "./cell";
import { cx } from "./cx";
import { showKnown } from "./period";

/** A table of a few rows. The grid shows larger results. */
export function MiniTable({
  page,
  rows = 5,
  readable,
}: {
  page: Page;
  rows?: number;
  /** Values as the desktop writes them, as in an answer; else as the database gave them. */
  readable?: boolean;
}) {
  const shows = useMemo(
    () =>
      readable
        ? page.columns.map((column, at) => showKnown(column, () => page.rows.map((row) => row[at] ?? null)))
        : [],
    [readable, page],
  );
  const shown = page.rows.slice(0, rows);
  if (page.columns.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard
    <div className="overflow-auto rounded-md border border-line" tabIndex={0}>
      <table className="nums w-full border-collapse text-xs">
        <thead>
          <tr className="bg-sunk">
            {page.columns.map((column, i) => (
              <th
                key={i}
                className={cx(
                  "whitespace-nowrap border-line border-b px-2.5 py-1 font-medium text-fg-2",
                  isNumeric(column.type) ? "text-right" : "text-left",
                )}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, r) => (
            <tr key={r} className="border-line border-b last:border-b-0">
              {row.map((value, c) => (
                <td
                  key={c}
                  className={cx(
                    "max-w-60 truncate whitespace-nowrap px-2.5 py-1",
                    isNumeric(page.columns[c]?.type ?? "text") && "text-right",
                  )}
                >
                  <CellValue value={value} show={shows[c]} />
                </td>
              ))}
            </tr>
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={page.columns.length} className="px-2.5 py-2 text-fg-3">
                <Trans>No rows</Trans>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
