import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDown, Download, FileJson2, FileSpreadsheet, Rows3 } from "lucide-react";
import type { Origin } from "../features/grid/origin";
import { Button } from "../kit/button";
import { cx } from "../kit/cx";
import { Menu, MenuItem } from "../kit/menu";
import { exportResult } from "./exports";

/** Writes all rows of a result to a file: as CSV at a click, in other formats by its menu. */
export function ExportButton({
  origin,
  question,
  whose,
  disabled,
  className,
}: {
  origin: Origin;
  question: string;
  /** Which rows, if they are not those of the answer. */
  whose?: string | null;
  disabled?: boolean;
  className?: string;
}) {
  return (
    <span className={cx("inline-flex items-center", className)}>
      <Button
        size="sm"
        variant="quiet"
        icon={<Download size={14} />}
        disabled={disabled}
        onClick={() => void exportResult(origin, question, "csv")}
      >
        <Trans>Export CSV</Trans>
        {whose && ` (${whose})`}
      </Button>
      {!disabled && (
        <Menu
          align="end"
          trigger={
            <button
              type="button"
              aria-label={t`Export in another format`}
              className="-ml-1 flex h-7 w-5 items-center justify-center rounded-md text-fg-3 hover:bg-hover hover:text-fg data-popup-open:bg-hover"
            >
              <ChevronDown size={13} />
            </button>
          }
        >
          <MenuItem
            icon={<FileSpreadsheet size={14} />}
            note=".xlsx"
            onSelect={() => void exportResult(origin, question, "xlsx")}
          >
            <Trans>Excel workbook</Trans>
          </MenuItem>
          <MenuItem
            icon={<Rows3 size={14} />}
            note=".parquet"
            onSelect={() => void exportResult(origin, question, "parquet")}
          >
            Parquet
          </MenuItem>
          <MenuItem
            icon={<FileJson2 size={14} />}
            note=".json"
            onSelect={() => void exportResult(origin, question, "json")}
          >
            JSON
          </MenuItem>
        </Menu>
      )}
    </span>
  );
}
