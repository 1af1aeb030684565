import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import type { RowsComparison } from "../../host/bindings";
import { CellValue } from "../../kit/cell";
import { cx } from "../../kit/cx";
import { differenceInWords } from "./words";

type Row = (string | null)[];

/** Shows the differences between two results. */
export function RowsDifference({ rows }: { rows: RowsComparison }) {
  const more =
    rows.changedCount -
    rows.changed.length +
    rows.onlyLeftCount -
    rows.onlyLeft.length +
    rows.onlyRightCount -
    rows.onlyRight.length;
  return (
    <div className="flex flex-col gap-3">
      <p>{differenceInWords(rows)}</p>
      {rows.changed.length > 0 && (
        <Table caption={t`Rows with other values`} head={[...rows.key, t`Column`, t`First`, t`Second`]}>
          {rows.changed.flatMap(({ key, cells }, r) =>
            cells.map(({ column, left, right }, c) => (
              <tr key={`${r}:${c}`} className="border-line border-t">
                {key.map((value, k) => (
                  <Cell key={k} value={value} />
                ))}
                <td className="px-2.5 py-1 text-fg-2">{column}</td>
                <Cell value={left} tone="bg-bad-soft" />
                <Cell value={right} tone="bg-good-soft" />
              </tr>
            )),
          )}
        </Table>
      )}
      <Only caption={t`Rows only in the first run`} columns={rows.columns} rows={rows.onlyLeft} tone="bg-bad-soft" />
      <Only
        caption={t`Rows only in the second run`}
        columns={rows.columns}
        rows={rows.onlyRight}
        tone="bg-good-soft"
      />
      {more > 0 && (
        <p className="text-fg-3 text-sm">
          <Trans>
            <Plural value={more} one="# more difference" other="# more differences" /> not shown.
          </Trans>
        </p>
      )}
      {rows.partial && (
        <p className="text-fg-3 text-sm">
          <Trans>Only the first rows of these results were recorded, so there may be more differences.</Trans>
        </p>
      )}
    </div>
  );
}

function Only({ caption, columns, rows, tone }: { caption: string; columns: string[]; rows: Row[]; tone: string }) {
  if (rows.length === 0) return null;
  return (
    <Table caption={caption} head={columns}>
      {rows.map((row, r) => (
        <tr key={r} className="border-line border-t">
          {row.map((value, c) => (
            <Cell key={c} value={value} tone={tone} />
          ))}
        </tr>
      ))}
    </Table>
  );
}

function Cell({ value, tone }: { value: string | null; tone?: string }) {
  return (
    <td className={cx("max-w-80 truncate whitespace-nowrap px-2.5 py-1", tone)}>
      <CellValue value={value} />
    </td>
  );
}

function Table({ caption, head, children }: { caption: string; head: string[]; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard
    <div className="max-h-100 overflow-auto rounded-md border border-line" tabIndex={0}>
      <table className="nums w-full border-collapse text-xs">
        <caption className="bg-sunk px-2.5 py-1 text-left font-medium text-fg-2">{caption}</caption>
        <thead>
          <tr className="bg-sunk text-left">
            {head.map((name, i) => (
              <th key={i} scope="col" className="whitespace-nowrap px-2.5 py-1 font-medium text-fg-2">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
