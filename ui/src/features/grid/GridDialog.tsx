import type { RefObject } from "react";
import type { ResultColumn } from "../../host/bindings";
import type { ValueFormatter } from "../../kit/show";
import { CellViewer } from "./CellViewer";
import { FilterDialog } from "./FilterDialog";
import { FormatDialog } from "./FormatDialog";
import { type GridLayout, withFilter, withFormat } from "./layout";
import { RowDetail } from "./RowDetail";
import { StatisticsDialog } from "./StatisticsDialog";
import { firstValue, type RowSource } from "./source";

/** What is open over the grid. Columns are places in the source, rows those that are shown. */
export type OpenGridDialog =
  | { kind: "filter"; column: number }
  | { kind: "statistics"; column: number }
  | { kind: "format"; column: number }
  | { kind: "cell"; column: number; row: number }
  | { kind: "row"; row: number };

/** The dialog over a grid. */
export function GridDialog({
  opened,
  columns,
  source,
  look,
  usual,
  shows,
  total,
  finalFocus,
  onLook,
  onRow,
  onClose,
}: {
  opened: OpenGridDialog;
  /** As they are called on screen. */
  columns: ResultColumn[];
  /** The rows that are shown. */
  source: RowSource;
  look: GridLayout;
  /** The default formatter of each column. */
  usual: ValueFormatter[];
  /** Its current formatter. */
  shows: ValueFormatter[];
  /** Rows of the result; null while that is not known. */
  total: number | null;
  finalFocus: RefObject<HTMLElement | null>;
  onLook: (look: GridLayout) => void;
  onRow: (row: number) => void;
  onClose: () => void;
}) {
  const ends = { finalFocus, onClose };
  if (opened.kind === "row")
    return <RowDetail source={source} order={look.order} shows={shows} row={opened.row} onRow={onRow} {...ends} />;
  const { column: index } = opened;
  const column = columns[index]!;
  switch (opened.kind) {
    case "filter":
      return (
        <FilterDialog
          column={column}
          filter={look.filters[index]}
          onFilter={(filter) => {
            onLook(withFilter(look, index, filter));
            onClose();
          }}
          {...ends}
        />
      );
    case "statistics":
      return (
        <StatisticsDialog
          column={column}
          index={index}
          source={source}
          total={total}
          show={shows[index]!}
          {...ends}
        />
      );
    case "format":
      return (
        <FormatDialog
          column={column}
          format={look.formats[index]}
          usual={usual[index]!}
          example={firstValue(source, index)}
          onFormat={(format) => {
            // A format of its own is to be seen at once.
            onLook(withFormat({ ...look, exact: false }, index, format));
            onClose();
          }}
          {...ends}
        />
      );
    case "cell":
      return (
        <CellViewer column={column} value={source.row(opened.row)?.[index] ?? null} row={opened.row} {...ends} />
      );
  }
}
