import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useId, useMemo, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isMod } from "../../kit/keyNames";
import { showKnown } from "../../kit/period";
import { showExactly, typeable } from "../../kit/show";
import { toast, toastError } from "../../kit/toast";
import { useSlow } from "../../kit/useSlow";
import { whyNotHere } from "./arrange";
import { ColumnMenu } from "./ColumnMenu";
import { formatWords, hasFormats, showAs } from "./columnFormat";
import { columnSummaries } from "./columnSummary";
import type { CopyFormat } from "./copy";
import { copyRows } from "./copying";
import { FindBar } from "./FindBar";
import { GridBar } from "./GridBar";
import { GridDialog, type OpenGridDialog } from "./GridDialog";
import { GridMenu, WHY_WIDTH } from "./GridMenu";
import { GridTable, type SeenColumn, type TableHandle } from "./GridTable";
import { actionOf, type GridAction } from "./keys";
import { type GridLayout, isArranged, isChosen, isMoved, visibleColumns, withFilter } from "./layout";
import type { Origin } from "./origin";
import { type Cell, moveBy, rangeOf, type Selection } from "./select";
import { formattedValues } from "./shownAs";
import { type ShownRows, usePublishShownRows } from "./shownRows";
import { nextSort, type Sort, sameSort } from "./sort";
import type { Row, RowSource } from "./source";
import { useArranged } from "./useArranged";
import { severalCells, useFigures } from "./useFigures";
import { useResting } from "./useResting";
import { useFound, useRested, useSearchText } from "./useSearch";
import { clampWidth, firstWidths, fittingWidth, WIDTH_STEP } from "./widths";

const ORIGIN: Cell = { row: 0, column: 0 };

/** Rows to read, sort, filter, search and copy. Fills its parent, or is as high as its rows. */
export function Grid({
  source,
  label,
  onWhy,
  remember,
  order: ownOrder = null,
  names,
  origin = null,
  question,
}: {
  source: RowSource;
  label: string;
  /** Shows the source rows of a cell, or of a whole row if no column is given. */
  onWhy?: (row: Row, column: number | null) => void;
  /** The key of the grid's layout while the program is open. */
  remember?: string;
  /** The default order of rows without their own. */
  order?: Sort | null;
  /** Column names on screen, if they differ from the query's. */
  names?: (string | null)[];
  /** Where an export reads the same rows (`shownRows.ts`). */
  origin?: Origin | null;
  /** The question of the rows: a table copied as text starts with it. */
  question?: string;
}) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => source.subscribe(redraw), [source]);
  const id = useId();
  const { look, setLook, resting } = useResting(source, remember, ownOrder);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [headerAt, setHeader] = useState<number | null>(null);
  const [menuFor, setMenuFor] = useState<number | null>(null);
  const [opened, setOpened] = useState<OpenGridDialog | null>(null);
  const search = useSearchText();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<TableHandle>(null);
  const field = useRef<HTMLDivElement>(null);
  const dialog = useRef(false);
  dialog.current = opened !== null;

  const formats = useMemo(
    () =>
      source.columns.map((column, at) => showKnown(column, () => (source.all ?? []).map((row) => row[at] ?? null))),
    [source],
  );
  const called = useMemo(
    () => source.columns.map((column, at) => ({ ...column, name: names?.[at] ?? column.name })),
    [source, names],
  );
  const { exact, formats: chosen } = look;
  const shows = useMemo(
    () => formats.map((usual, at) => (exact ? showExactly : chosen[at] ? showAs(chosen[at]) : usual)),
    [formats, exact, chosen],
  );
  const known = useMemo(() => columnSummaries(source, called, shows, formats), [source, called, shows, formats]);
  const { order, hidden, sort, filters } = look;
  const seen = useMemo(() => visibleColumns({ order, hidden }), [order, hidden]);

  const lastColumn = seen.length - 1;
  const header = headerAt === null ? null : Math.min(headerAt, lastColumn);
  const blocked = whyNotHere(source);
  const arranged = blocked === null && isArranged(look);
  // A search of a part would pass for one of the whole: all rows are shown first.
  const rested = useRested(search.settled.trim());
  const reads = arranged || (blocked === null && source.extent === "part" && rested !== "");
  const { view, busy, error } = useArranged(source, formats, reads ? { sort, filters } : null);
  useEffect(() => view.subscribe(redraw), [view]);
  const arranging = useSlow(busy);
  const total = view.total ?? (source.extent === "whole" ? source.rowCount : null);
  const differs =
    isMoved(look) || view.rowCount !== source.rowCount || (view !== source && !sameSort(sort, ownOrder));
  const told = useMemo((): ShownRows | null => {
    const copy = (format: CopyFormat) => void copyRows(view, seen, 0, view.rowCount, format, question);
    return differs ? { rows: view.rowCount, total, copy } : null;
  }, [differs, view, seen, total, question]);
  usePublishShownRows(origin, told);
  const range = selection && rangeOf(selection);
  const figures = useFigures(view, seen, range);
  const searched = useMemo(
    () => seen.map((column) => ({ column, shown: formattedValues(source.columns[column]!, chosen[column], exact) })),
    [seen, source, chosen, exact],
  );
  const { found, at, next } = useFound(search.settled, view, seen, shows, searched, selection?.head ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows or columns, another selection
  useEffect(() => setSelection(null), [view, seen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source starts at its left end
  useEffect(() => {
    scroller.current?.scrollTo({ left: 0 });
  }, [source]);

  const cancel = () => {
    setLook({ ...look, sort: null, filters: {} });
    search.setText(null);
    setOpened(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once
  useEffect(() => {
    if (!error) return;
    toastError(error);
    cancel();
  }, [error]);

  // Widths follow the first rows once they are loaded; after that the user sets them.
  // A format of one's own makes room for itself.
  const [widths, setWidths] = useState<{
    source: RowSource;
    loaded: boolean;
    chosen: GridLayout["formats"];
    widths: number[];
  } | null>(null);
  const loaded = source.row(0) !== undefined;
  const beside = onWhy ? WHY_WIDTH : 0;
  if (widths?.source !== source || (loaded && (!widths.loaded || widths.chosen !== chosen))) {
    const rows: Row[] = [];
    for (let r = 0; r < Math.min(60, source.rowCount); r++) {
      const row = source.row(r);
      if (row) rows.push(row);
    }
    const first = firstWidths(called, rows, shows, known);
    setWidths({ source, loaded, chosen, widths: first.map((width) => width + (loaded ? beside : 0)) });
  }

  const columns = useMemo(
    () =>
      seen.map((index): SeenColumn => {
        const sorted =
          arranged && view !== source && !busy && sort?.column === index ? (sort.down ? "down" : "up") : null;
        const width = look.widths[index] ?? widths?.widths[index] ?? 120;
        const filtered = arranged && filters[index] !== undefined;
        const format = chosen[index] && !exact ? formatWords(chosen[index]) : null;
        const shown = { show: shows[index]!, format, glance: known[index]! };
        return { ...called[index]!, ...shown, index, width, sorted, filtered };
      }),
    [seen, called, shows, chosen, exact, known, look.widths, widths, sort, filters, arranged, view, source, busy],
  );

  const select = (next: Selection) => {
    setHeader(null);
    setSelection(next);
  };
  const moveTo = (next: Selection) => {
    select(next);
    table.current?.reveal(next.head);
  };
  const resize = (column: number, width: number) =>
    setLook({ ...look, widths: { ...look.widths, [seen[column]!]: clampWidth(width) } });
  const fit = (column: number) => {
    const index = seen[column]!;
    const values: (string | null)[] = [];
    for (let r = 0; r < Math.min(view.rowCount, 20_000); r++) {
      const row = view.row(r);
      if (row) values.push(row[index] ?? null);
    }
    resize(column, fittingWidth(called[index]!, values, shows[index]!) + beside);
  };
  const refuse = () =>
    toast({ id: "grid-blocked", title: t`This result cannot be sorted or searched here.`, text: blocked });
  const sortBy = (column: number) => {
    if (blocked) refuse();
    else setLook({ ...look, sort: nextSort(look.sort, seen[column]!) });
  };
  const openSearch = () => {
    if (blocked) return refuse();
    // Now and not a moment later: what is typed right after the keys belongs into the field.
    flushSync(() => search.setText(search.text ?? ""));
    field.current?.querySelector("input")?.select();
  };
  const closeSearch = () => {
    search.setText(null);
    scroller.current?.focus();
  };
  const copy = (format: CopyFormat | null) => {
    if (!range) return;
    const columns = seen.slice(range.left, range.right + 1);
    void copyRows(view, columns, range.top, range.bottom + 1, format, question);
  };
  const why = (wholeRow: boolean) => {
    const row = selection && view.row(selection.head.row);
    if (row) onWhy?.(row, wholeRow ? null : seen[selection.head.column]!);
  };
  const open = (cell: Cell) => {
    if (view.rowCount > 0) setOpened({ kind: "cell", row: cell.row, column: seen[cell.column]! });
  };
  const openRow = () => {
    if (view.rowCount > 0) setOpened({ kind: "row", row: head.row });
  };
  const head = selection?.head ?? ORIGIN;
  const only = () => {
    const column = seen[head.column]!;
    const value = view.row(head.row)?.[column] ?? null;
    const text = value === null ? null : typeable(value, source.columns[column]!.type);
    setLook(withFilter(look, column, text === null ? { kind: "empty" } : { kind: "equals", text }));
  };

  const lastRow = Math.max(0, view.rowCount - 1);
  const toColumn = (column: number) => {
    const to = Math.max(0, Math.min(lastColumn, column));
    setHeader(to);
    table.current?.revealColumn(to);
  };
  const selectColumn = (column: number) => select({ anchor: { row: 0, column }, head: { row: lastRow, column } });
  const act = (action: GridAction) => {
    const column = header ?? 0;
    const width = columns[column]?.width ?? 0;
    const acts: Record<GridAction, () => void> = {
      why: () => why(false),
      copy: () => copy(null),
      copyNamed: () => copy("tsv"),
      selectAll: () => select({ anchor: ORIGIN, head: { row: lastRow, column: lastColumn } }),
      selectColumn: () => selectColumn(header ?? head.column),
      selectRow: () => select({ anchor: { row: head.row, column: 0 }, head: { row: head.row, column: lastColumn } }),
      search: openSearch,
      open: () => (selection ? open(head) : moveTo({ anchor: ORIGIN, head: ORIGIN })),
      row: openRow,
      sort: () => sortBy(column),
      menu: () => setMenuFor(column),
      wider: () => resize(column, width + WIDTH_STEP),
      narrower: () => resize(column, width - WIDTH_STEP),
      left: () => toColumn(column - 1),
      right: () => toColumn(column + 1),
      first: () => toColumn(0),
      last: () => toColumn(lastColumn),
      toRows: () => moveTo({ anchor: { row: 0, column }, head: { row: 0, column } }),
      toHeader: () => toColumn(head.column),
    };
    acts[action]();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = actionOf(event, header !== null ? null : selection ? selection.head.row : -1);
    if (action) {
      event.preventDefault();
      act(action);
      return;
    }
    const from = selection ?? { anchor: ORIGIN, head: ORIGIN };
    const key = { key: event.key, shift: event.shiftKey, mod: isMod(event) };
    const next = moveBy(from, key, view.rowCount, seen.length, table.current?.pageRows() ?? 1);
    if (!next || header !== null) return;
    event.preventDefault();
    moveTo(selection ? next : from);
  };

  return (
    <div className="flex min-h-0 flex-col" style={{ flex: "0 1 auto" }}>
      <FindBar
        columns={called}
        look={arranged ? look : { ...look, filters: {} }}
        search={blocked ? null : search.text}
        found={found}
        at={at}
        field={field}
        onLook={setLook}
        onFilter={(column) => setOpened({ kind: "filter", column })}
        onSearch={search.setText}
        onNext={(back) => {
          const to = next(back);
          if (to) moveTo({ anchor: to, head: to });
        }}
        onClose={closeSearch}
        resting={blocked ? null : resting}
      />
      <GridMenu
        onWhy={onWhy && why}
        onCopy={() => copy(null)}
        onCopyAs={copy}
        onOpen={() => open(head)}
        onRow={openRow}
        onOnly={blocked ? null : only}
      >
        <GridTable
          ref={table}
          scroller={scroller}
          id={id}
          label={label}
          source={view}
          columns={columns}
          frozen={look.frozen}
          search={blocked ? "" : search.settled}
          selection={selection}
          header={header}
          menuFor={menuFor}
          menu={(column) => (
            <ColumnMenu
              column={seen[column]!}
              look={look}
              blocked={blocked}
              onLook={setLook}
              onFilter={() => setOpened({ kind: "filter", column: seen[column]! })}
              onStatistics={() => setOpened({ kind: "statistics", column: seen[column]! })}
              onSelect={() => selectColumn(column)}
              onFit={() => fit(column)}
              onFormat={
                hasFormats(called[seen[column]!]!.type)
                  ? () => setOpened({ kind: "format", column: seen[column]! })
                  : null
              }
            />
          )}
          finalFocus={() => (dialog.current ? false : scroller.current)}
          onMenu={setMenuFor}
          onSort={sortBy}
          onResize={resize}
          onFit={fit}
          onSelect={select}
          onOpen={open}
          onWhy={onWhy}
          onKeyDown={onKeyDown}
        />
      </GridMenu>
      {arranged && view !== source && view.rowCount === 0 && (
        <p className="px-5 py-4 text-fg-2">
          <Trans>No rows match the filters.</Trans>
        </p>
      )}
      <GridBar
        columns={called}
        look={look}
        rowCount={view.rowCount}
        total={view.total ?? source.rowCount}
        readAll={source.extent === "part" && view.total !== undefined}
        arranging={arranging}
        several={severalCells(range)}
        figures={figures}
        blocked={blocked}
        onClear={
          arranged && isChosen(look, ownOrder) ? () => setLook({ ...look, sort: ownOrder, filters: {} }) : null
        }
        onLook={setLook}
        onSearch={openSearch}
        onCopy={(format, whole) =>
          whole ? void copyRows(view, seen, 0, view.rowCount, format, question) : copy(format)
        }
        onCancel={cancel}
      />
      {opened && (
        <GridDialog
          opened={opened}
          columns={called}
          source={view}
          look={look}
          usual={formats}
          shows={shows}
          total={total}
          finalFocus={scroller}
          onLook={setLook}
          onRow={(row) => {
            setOpened({ kind: "row", row });
            moveTo({ anchor: { row, column: head.column }, head: { row, column: head.column } });
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
