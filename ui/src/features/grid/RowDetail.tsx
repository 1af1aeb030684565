import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type RefObject, useEffect, useReducer, useRef } from "react";
import { Button } from "../../kit/button";
import { CellValue, isNumeric } from "../../kit/cell";
import { cx } from "../../kit/cx";
import { Dialog } from "../../kit/dialog";
import { count } from "../../kit/format";
import type { ValueFormatter } from "../../kit/show";
import { LoadingText } from "../../kit/status";
import type { RowSource } from "./source";

/** All columns of a row, hidden ones too. */
export function RowDetail({
  source,
  order,
  shows,
  row,
  onRow,
  finalFocus,
  onClose,
}: {
  source: RowSource;
  /** The columns, in the order of the grid. */
  order: number[];
  shows: ValueFormatter[];
  row: number;
  onRow: (row: number) => void;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => source.subscribe(redraw), [source]);
  useEffect(() => source.requestRows(row, row + 1), [source, row]);
  const data = source.row(row);
  const go = (by: number) => {
    const next = row + by;
    if (next >= 0 && next < source.rowCount) onRow(next);
  };
  const keys = useRef(go);
  keys.current = go;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "ArrowLeft") keys.current(-1);
      if (event.key === "ArrowRight") keys.current(1);
    };
    // The dialog lets no arrow key out.
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, []);
  return (
    <Dialog
      open
      still
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Row ${count(row + 1)} of ${count(source.rowCount)}`}
      width="w-150"
      footer={
        <>
          <Button icon={<ChevronLeft size={14} />} disabled={row === 0} onClick={() => go(-1)}>
            <Trans>Previous</Trans>
          </Button>
          <Button icon={<ChevronRight size={14} />} disabled={row >= source.rowCount - 1} onClick={() => go(1)}>
            <Trans>Next</Trans>
          </Button>
        </>
      }
    >
      {data ? (
        <dl className="nums" aria-live="polite">
          {order.map((c) => {
            const column = source.columns[c]!;
            const value = data[c] ?? null;
            return (
              <div
                key={c}
                className="grid grid-cols-[minmax(7rem,2fr)_5fr] gap-4 border-line border-b py-1.5 last:border-b-0"
              >
                <dt className="wrap-anywhere text-fg-3" title={column.type}>
                  {column.name}
                </dt>
                <dd
                  dir="auto"
                  className={cx(
                    "wrap-anywhere max-h-40 min-w-0 select-text overflow-y-auto whitespace-pre-wrap",
                    isNumeric(column.type) && "font-medium",
                  )}
                >
                  {value === null || value === "" ? <CellValue value={value} /> : shows[c]!(value)}
                </dd>
              </div>
            );
          })}
        </dl>
      ) : (
        <LoadingText />
      )}
    </Dialog>
  );
}
