import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Copy, Ellipsis, Search } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { ResultColumn, SelectionFigures } from "../../host/bindings";
import { IconButton } from "../../kit/button";
import { count } from "../../kit/format";
import { Menu, MenuItem, MenuLabel, MenuLine, MenuSwitch } from "../../kit/menu";
import { showOf } from "../../kit/show";
import { TextButton } from "../../kit/textButton";
import { ColumnPicker } from "./ColumnPicker";
import { COPY_FORMATS, type CopyFormat } from "./copy";
import { type GridLayout, isReshaped, newLayout, showAll } from "./layout";

export const BAR_HEIGHT = 32;

/** The line below the rows: what is selected and left out, and what can be done with all of it. */
export function GridBar({
  columns,
  look,
  rowCount,
  total,
  readAll,
  arranging,
  several,
  figures,
  blocked,
  onClear,
  onLook,
  onSearch,
  onCopy,
  onCancel,
}: {
  /** Columns of the source. */
  columns: ResultColumn[];
  look: GridLayout;
  /** Rows that are shown. */
  rowCount: number;
  /** Rows of the result. */
  total: number;
  /** They were all read, where only a part had been loaded. */
  readAll: boolean;
  /** They are being sorted, filtered or read for a search. */
  arranging: boolean;
  /** Several cells are selected. */
  several: boolean;
  /** Of the selected cells, once they are counted. */
  figures: SelectionFigures | null;
  blocked: string | null;
  /** Takes sorting and filters away; null where there are none. */
  onClear: (() => void) | null;
  onLook: (look: GridLayout) => void;
  onSearch: () => void;
  onCopy: (format: CopyFormat, all: boolean) => void;
  onCancel: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
    <div
      role="group"
      aria-label={t`Grid tools`}
      className="nums flex shrink-0 items-center gap-4 border-line border-t bg-sunk px-3 text-fg-2 text-sm"
      style={{ height: BAR_HEIGHT }}
    >
      <div
        aria-live="polite"
        className="flex h-full min-w-0 flex-1 items-center gap-4 overflow-hidden whitespace-nowrap"
      >
        {arranging ? (
          <>
            <span>
              {look.sort
                ? t`Sorting rows…`
                : Object.keys(look.filters).length > 0
                  ? t`Filtering rows…`
                  : t`Reading rows…`}
            </span>
            <TextButton onClick={onCancel}>
              <Trans>Cancel</Trans>
            </TextButton>
          </>
        ) : (
          <>
            {rowCount === total && readAll && (
              <span>
                <Plural value={total} one="# row" other="All # rows" />
              </span>
            )}
            {rowCount !== total && (
              <span>
                <Trans>
                  {count(rowCount)} of <Plural value={total} one="# row" other="# rows" />
                </Trans>
              </span>
            )}
            {onClear && (
              <TextButton label={t`Clear sorting and filters`} onClick={onClear}>
                <Trans context="what is sorted, filtered or highlighted">Clear</Trans>
              </TextButton>
            )}
          </>
        )}
        {look.hidden.length > 0 && (
          <span className="flex gap-2">
            {plural(look.hidden.length, { one: "# hidden column", other: "# hidden columns" })}
            <TextButton onClick={() => onLook(showAll(look))}>
              <Trans>Show all columns</Trans>
            </TextButton>
          </span>
        )}
        {figures && <Figures figures={figures} />}
      </div>
      <div className="flex shrink-0 items-center gap-0.5">
        <IconButton
          label={blocked ? t`Search: ${blocked}` : t`Search rows`}
          command={blocked ? undefined : "findInRows"}
          size="sm"
          onClick={onSearch}
        >
          <Search size={14} />
        </IconButton>
        <Menu
          align="end"
          width="w-56"
          trigger={
            <IconButton label={t`Copy`} size="sm">
              <Copy size={14} />
            </IconButton>
          }
        >
          {several && (
            <>
              <MenuLabel>
                <Trans>Copy selection as</Trans>
              </MenuLabel>
              {copies((format) => onCopy(format, false))}
              <MenuLine />
            </>
          )}
          <MenuLabel>
            <Trans>
              Copy <Plural value={rowCount} one="# row" other="# rows" /> as
            </Trans>
          </MenuLabel>
          {copies((format) => onCopy(format, true))}
        </Menu>
        <ColumnPicker columns={columns} look={look} onLook={onLook} />
        <Menu
          align="end"
          width="w-56"
          trigger={
            <IconButton label={t`More`} size="sm">
              <Ellipsis size={14} />
            </IconButton>
          }
        >
          <MenuSwitch checked={look.exact} onChange={(exact) => onLook({ ...look, exact })}>
            <Trans>Exact values</Trans>
          </MenuSwitch>
          <MenuLine />
          <MenuItem icon={<span />} disabled={look.hidden.length === 0} onSelect={() => onLook(showAll(look))}>
            <Trans>Show all columns</Trans>
          </MenuItem>
          <MenuItem icon={<span />} disabled={look.frozen === 0} onSelect={() => onLook({ ...look, frozen: 0 })}>
            <Trans>Unfreeze columns</Trans>
          </MenuItem>
          <MenuItem
            icon={<span />}
            disabled={!isReshaped(look)}
            onSelect={() => {
              const { order, hidden, widths, formats } = newLayout(columns.length);
              onLook({ ...look, order, hidden, widths, formats });
            }}
          >
            <Trans>Reset columns</Trans>
          </MenuItem>
        </Menu>
      </div>
    </div>
  );
}

function copies(onCopy: (format: CopyFormat) => void): ReactNode {
  return COPY_FORMATS.map(({ format, label }) => (
    <MenuItem key={format} onSelect={() => onCopy(format)}>
      {label}
    </MenuItem>
  ));
}

function Figures({ figures }: { figures: SelectionFigures }) {
  const number = useMemo(() => showOf({ name: "", type: "decimal" }), []);
  const { sum, mean } = figures;
  const fact = (name: string, value: string) => (
    <span className="min-w-0 truncate">
      <span className="text-fg-3">{name}</span> <span className="select-text">{value}</span>
    </span>
  );
  return (
    <>
      {fact(t`Count`, count(figures.count))}
      {sum !== null && fact(t`Sum`, number(sum))}
      {mean !== null && fact(t`Mean`, number(mean))}
    </>
  );
}
