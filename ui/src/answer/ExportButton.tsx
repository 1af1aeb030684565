import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDown, Copy, Download, FileJson2, FileSpreadsheet, Files, FileText, Rows3 } from "lucide-react";
import { COPY_FORMATS } from "../features/grid/copy";
import type { Origin } from "../features/grid/origin";
import { useShownRows } from "../features/grid/shownRows";
import { Button } from "../kit/button";
import { cx } from "../kit/cx";
import { Menu, MenuItem, MenuLabel, MenuLine, MenuSwitch } from "../kit/menu";
import type { ExportedAnswer } from "./aboutExport";
import { exportResult, setAboutFile, useAboutFile } from "./exports";
import { exportReport, isInThread } from "./report";

/**
 * Writes all rows of a result to a file: as CSV at a click, in other formats by its menu. Where the grid shows less, or otherwise,
 * the button says that it writes all of them, and the menu copies what is shown.
 */
export function ExportButton({
  origin,
  question,
  answer = null,
  disabled,
  className,
}: {
  origin: Origin;
  question: string;
  /** The answer whose rows they are, or which they were read for. */
  answer?: ExportedAnswer | null;
  disabled?: boolean;
  className?: string;
}) {
  const shown = useShownRows(origin);
  const beside = useAboutFile((s) => s.beside);
  const all =
    shown && (shown.total === null ? t`all rows` : plural(shown.total, { one: "all # row", other: "all # rows" }));
  return (
    <span className={cx("inline-flex items-center", className)}>
      <Button
        size="sm"
        variant="quiet"
        icon={<Download size={14} />}
        disabled={disabled}
        onClick={() => void exportResult(origin, question, "csv", answer)}
      >
        <Trans>Export CSV</Trans>
        {answer?.whose && ` (${answer.whose})`}
        {all && `: ${all}`}
      </Button>
      {!disabled && (
        <Menu
          align="end"
          trigger={
            <button
              type="button"
              aria-label={t`Export in another format`}
              className="-ml-1 flex h-7 w-6 items-center justify-center rounded-md text-fg-3 hover:bg-hover hover:text-fg data-popup-open:bg-hover"
            >
              <ChevronDown size={13} />
            </button>
          }
        >
          {all && (
            <MenuLabel>
              <Trans>To a file: {all}, as returned by the query</Trans>
            </MenuLabel>
          )}
          <MenuItem
            icon={<FileSpreadsheet size={14} />}
            note=".xlsx"
            onSelect={() => void exportResult(origin, question, "xlsx", answer)}
          >
            <Trans>Excel workbook</Trans>
          </MenuItem>
          <MenuItem
            icon={<Rows3 size={14} />}
            note=".parquet"
            onSelect={() => void exportResult(origin, question, "parquet", answer)}
          >
            Parquet
          </MenuItem>
          <MenuItem
            icon={<FileJson2 size={14} />}
            note=".json"
            onSelect={() => void exportResult(origin, question, "json", answer)}
          >
            JSON
          </MenuItem>
          {answer && answer.whose === null && (
            <>
              <MenuLine />
              <MenuItem
                icon={<FileText size={14} />}
                note=".html"
                onSelect={() => void exportReport(answer.runId, question, false)}
              >
                <Trans>Report</Trans>
              </MenuItem>
              {isInThread(answer.runId) && (
                <MenuItem
                  icon={<Files size={14} />}
                  note=".html"
                  onSelect={() => void exportReport(answer.runId, question, true)}
                >
                  <Trans>Report with all follow-up questions</Trans>
                </MenuItem>
              )}
            </>
          )}
          <MenuLine />
          <MenuSwitch checked={beside} onChange={setAboutFile}>
            <Trans>Add a text file about the answer</Trans>
          </MenuSwitch>
          {shown && (
            <>
              <MenuLine />
              <MenuLabel>{plural(shown.rows, { one: "Copy shown row (#)", other: "Copy shown rows (#)" })}</MenuLabel>
              {COPY_FORMATS.map(({ format, label }) => (
                <MenuItem key={format} icon={<Copy size={14} />} onSelect={() => shown.copy(format)}>
                  {label}
                </MenuItem>
              ))}
            </>
          )}
        </Menu>
      )}
    </span>
  );
}
