import { plural, t } from "@lingui/core/macro";
import { type RefObject, useMemo } from "react";
import type { ColumnFigures, ResultColumn } from "../../host/bindings";
import { CellValue, isNumeric } from "../../kit/cell";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { count, decimalPercent, percent } from "../../kit/format";
import { showOf, type ValueFormatter } from "../../kit/show";
import { LoadingText } from "../../kit/status";
import type { RowSource } from "./source";
import { useColumnFigures } from "./useFigures";

/** Figures about one column over the rows that are shown. */
export function StatisticsDialog({
  column,
  index,
  source,
  total,
  show,
  finalFocus,
  onClose,
}: {
  column: ResultColumn;
  /** Its place in a row. */
  index: number;
  /** The rows that are shown. */
  source: RowSource;
  /** Rows of the result; null while that is not known. */
  total: number | null;
  show: ValueFormatter;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const { figures, error } = useColumnFigures(source, index);
  const rows = figures?.rows ?? 0;
  return (
    <Dialog
      open
      still
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Statistics of ${column.name}`}
      description={
        figures === null
          ? undefined
          : total === null || rows === total
            ? t`Based on ${plural(rows, { one: "# row", other: "# rows" })}`
            : t`Based on ${count(rows)} of ${plural(total, { one: "# row", other: "# rows" })} (filtered)`
      }
      width="w-100"
    >
      {error ? (
        <ErrorNote error={error} compact />
      ) : figures ? (
        <Figures column={column} figures={figures} show={show} />
      ) : (
        <LoadingText />
      )}
    </Dialog>
  );
}

function Figures({ column, figures, show }: { column: ResultColumn; figures: ColumnFigures; show: ValueFormatter }) {
  // A sum of whole numbers that name things is still a number.
  const number = useMemo(() => showOf({ name: "", type: "decimal" }), []);
  const line = (name: string, value: string | null, shown: ValueFormatter) => (
    <div key={name} className="flex justify-between gap-6 border-line border-b py-1.5 last:border-b-0">
      <dt className="shrink-0 text-fg-3">{name}</dt>
      <dd className="min-w-0 select-text truncate text-right" title={value ?? undefined}>
        {value === null ? t`None` : <CellValue value={value} show={shown} />}
      </dd>
    </div>
  );
  const { rows: all, nulls, empty, distinct, least, most, sum, mean } = figures;
  const ends = !["nested", "binary", "boolean", "null"].includes(column.type);
  return (
    <dl className="nums">
      {line(t`Values`, count(all - nulls), String)}
      {line(t`Distinct values`, count(distinct), String)}
      {line("NULL", nulls === 0 ? "0" : `${count(nulls)} (${share(nulls, all)})`, String)}
      {empty > 0 && line(t`Empty texts`, count(empty), String)}
      {ends && line(t`Minimum`, least, show)}
      {ends && line(t`Maximum`, most, show)}
      {isNumeric(column.type) && line(t`Sum`, sum, number)}
      {isNumeric(column.type) && line(t`Mean`, mean, number)}
    </dl>
  );
}

function share(part: number, all: number): string {
  if (part === all) return percent(1);
  return part / all < 0.001 ? `<${decimalPercent(0.001)}` : decimalPercent(part / all);
}
