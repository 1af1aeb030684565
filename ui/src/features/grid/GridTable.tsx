import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CellType } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { cx } from "../../kit/cx";
import { count } from "../../kit/format";
import type { ValueFormatter } from "../../kit/show";
import { CellText } from "./CellText";
import { WhyButton } from "./GridMenu";
import { HeaderCell } from "./HeaderCell";
import { clampTop, isScaled, ROW_HEIGHT, scrollOf, TALL_HEADER, toBar, topFor, toRows, windowOf } from "./scroll";
import { type Cell, inRange, rangeOf, type Selection } from "./select";
import type { Row, RowSource } from "./source";

/** A column that is seen. */
export interface SeenColumn {
  /** Its place in the source. */
  index: number;
  name: string;
  type: CellType;
  show: ValueFormatter;
  width: number;
  sorted: "up" | "down" | null;
  filtered: boolean;
  /** The user's format, as text. */
  format: string | null;
  /** The summary of its values. */
  glance: string | null;
}

/** The properties of a table. */
export interface TableHandle {
  reveal: (cell: Cell) => void;
  revealColumn: (column: number) => void;
  /** Rows of a page, for the keyboard. */
  pageRows: () => number;
}

interface Props {
  ref: Ref<TableHandle>;
  scroller: RefObject<HTMLDivElement | null>;
  id: string;
  label: string;
  source: RowSource;
  columns: SeenColumn[];
  frozen: number;
  search: string;
  selection: Selection | null;
  /** The column whose header the keyboard is at. */
  header: number | null;
  menuFor: number | null;
  menu: (column: number) => ReactNode;
  /** Where the focus goes when a menu closes. */
  finalFocus: () => HTMLElement | null | false;
  onMenu: (column: number | null) => void;
  onSort: (column: number) => void;
  onResize: (column: number, width: number) => void;
  onFit: (column: number) => void;
  onSelect: (selection: Selection) => void;
  onOpen: (cell: Cell) => void;
  onWhy?: (row: Row, column: number) => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
}

/** Maximum share of the width for frozen columns. */
const MOST_FROZEN = 0.7;

const headerId = (id: string, column: number) => `${id}-head-${column}`;
const cellId = (id: string, cell: Cell) => `${id}-${cell.row}-${cell.column}`;

/** A virtual table: only rows and columns in view are rendered. */
export function GridTable(props: Props) {
  const { scroller, id, source, columns, selection, header } = props;
  const rowCount = source.rowCount;
  const [view, setView] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const barTop = useRef(0);
  const range = selection && rangeOf(selection);

  const headerHeight = columns.some((column) => column.glance !== null) ? TALL_HEADER : ROW_HEIGHT;
  const body = Math.max(ROW_HEIGHT, view.height - headerHeight);
  const scroll = scrollOf(rowCount, body);
  const [first, last] = windowOf(scroll, top, rowCount);
  // Rows from afar take the elements of those before them: pulled by its bar, the table would else make all of them anew for each frame.
  const drawn = useRef({ first, last, base: 0 });
  const before = drawn.current;
  const far = first >= before.last || last <= before.first;
  const base = far ? before.base + first - before.first : before.base;
  drawn.current = { first, last, base };
  const gutter = Math.max(40, 18 + String(rowCount).length * 8);

  /** Where each column begins, and the last one ends. */
  const starts = useMemo(() => {
    const all = [gutter];
    for (const column of columns) all.push(all.at(-1)! + column.width);
    return all;
  }, [columns, gutter]);
  let frozen = Math.min(props.frozen, columns.length);
  while (frozen > 0 && view.width > 0 && starts[frozen]! > view.width * MOST_FROZEN) frozen--;
  const frozenEnd = starts[frozen]!;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setView({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [scroller]);

  // A new source starts at its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setTop(0);
    barTop.current = 0;
    scroller.current?.scrollTo({ top: 0 });
  }, [source, scroller]);

  useEffect(() => source.requestRows(first, last), [source, first, last]);

  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => columns[i]?.width ?? 120,
    overscan: 3,
    paddingStart: gutter,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new widths mean new positions
  useEffect(() => across.measure(), [starts]);

  const moveTo = (next: number) => {
    const to = clampTop(scroll, next);
    const bar = toBar(scroll, to);
    barTop.current = bar;
    setTop(to);
    scroller.current?.scrollTo({ top: bar });
  };

  const onScroll = () => {
    const bar = scroller.current?.scrollTop ?? 0;
    // Our own move, rounded by the browser.
    if (isScaled(scroll) && Math.abs(bar - barTop.current) < 1) return;
    barTop.current = bar;
    setTop(toRows(scroll, bar));
  };

  // In a scaled grid a turn of the wheel has to move rows, not the scaled bar; a passive listener could not stop it.
  const wheel = useRef<(event: WheelEvent) => void>(() => {});
  wheel.current = (event) => {
    if (!isScaled(scroll) || event.deltaY === 0 || event.ctrlKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? ROW_HEIGHT : event.deltaMode === 2 ? body : 1;
    moveTo(top + event.deltaY * unit);
  };
  useEffect(() => {
    const element = scroller.current;
    const listen = (event: WheelEvent) => wheel.current(event);
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, [scroller]);

  const revealColumn = (column: number) => {
    const element = scroller.current;
    if (!element || column < frozen || column >= columns.length) return;
    const [start, end] = [starts[column]!, starts[column + 1]!];
    if (start - frozenEnd < element.scrollLeft) element.scrollLeft = start - frozenEnd;
    else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth;
  };
  useImperativeHandle(props.ref, () => ({
    reveal: (cell) => {
      const to = topFor(scroll, top, cell.row);
      if (to !== top) moveTo(to);
      revealColumn(cell.column);
    },
    revealColumn,
    pageRows: () => Math.max(1, Math.floor(body / ROW_HEIGHT) - 1),
  }));

  const inView = across.getVirtualItems();
  const from = Math.max(frozen, inView[0]?.index ?? 0);
  const moving = spanOf(from, Math.max(from, (inView.at(-1)?.index ?? -1) + 1));
  const kept = spanOf(0, frozen);
  const totalWidth = Math.max(starts.at(-1)!, gutter);
  const rows = spanOf(first, last);
  const keeper = cx("sticky left-0 z-10 h-full", frozen > 0 && "shadow-[1px_0_0_var(--line-strong)]");

  const bodyCell = (r: number, c: number, data: Row | undefined) => {
    const column = columns[c]!;
    const at = { row: r, column: c };
    const numeric = isNumeric(column.type);
    const chosen = inRange(range, r, c);
    const head = header === null && selection?.head.row === r && selection.head.column === c;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view
      // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
      <div
        key={column.index}
        id={cellId(id, at)}
        role="gridcell"
        aria-colindex={c + 1}
        aria-selected={chosen}
        onMouseDown={(e) => {
          if (e.button !== 0) return;
          props.onSelect({ anchor: e.shiftKey && selection ? selection.anchor : at, head: at });
        }}
        onMouseEnter={(e) => {
          if (e.buttons === 1 && selection) props.onSelect({ anchor: selection.anchor, head: at });
        }}
        onContextMenu={() => !chosen && props.onSelect({ anchor: at, head: at })}
        onDoubleClick={() => props.onOpen(at)}
        className={cx(
          "absolute top-0 h-full truncate px-2.5 text-sm leading-[27px]",
          numeric && "text-right",
          chosen ? "bg-accent-soft" : c < frozen ? "bg-bg group-hover/row:bg-sunk" : "group-hover/row:bg-sunk",
          head && "shadow-[inset_0_0_0_1.5px_var(--accent)]",
        )}
        style={{ left: starts[c], width: column.width }}
      >
        {data ? (
          <CellText value={data[column.index] ?? null} show={column.show} search={props.search} />
        ) : (
          <span className="shimmer mt-2 block h-3 w-2/3 rounded-sm" />
        )}
      </div>
    );
  };

  /** Beside the active cell, and not in it: Orca reads nothing of a cell that has anything but text in it. */
  const whyButton = (r: number, data: Row | undefined, isKept: boolean) => {
    const { row, column: c } = selection?.head ?? { row: -1, column: -1 };
    const column = columns[c];
    if (!props.onWhy || header !== null || row !== r || !column || !data || c < frozen !== isKept) return null;
    return (
      <WhyButton
        at={starts[c]!}
        width={column.width}
        left={isNumeric(column.type)}
        onClick={() => props.onWhy?.(data, column.index)}
      />
    );
  };

  const active =
    header !== null
      ? headerId(id, header)
      : selection && selection.head.row < rowCount
        ? cellId(id, selection.head)
        : undefined;

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view
    <div
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-multiselectable
      aria-activedescendant={active}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={props.onKeyDown}
      className={cx(
        "nums relative min-h-0 select-none overflow-auto outline-offset-[-2px]",
        (selection || header !== null) && "outline-none",
      )}
      style={{ flex: "0 1 auto", overflowAnchor: "none" }}
    >
      <div style={{ height: scroll.shown + headerHeight, width: totalWidth, minWidth: "100%", position: "relative" }}>
        <HeaderRow
          table={props}
          starts={starts}
          height={headerHeight}
          gutter={gutter}
          frozen={frozen}
          from={from}
          to={from + moving.length}
          keeper={keeper}
        />
        {rows.map((r) => {
          const data = source.row(r);
          // Rows are placed against the view, so that no position grows beyond what a browser can hold.
          const y = isScaled(scroll) ? barTop.current + (r * ROW_HEIGHT - top) : r * ROW_HEIGHT;
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            <div
              key={r - base}
              role="row"
              aria-rowindex={r + 2}
              className="group/row absolute left-0 w-full border-line/70 border-b"
              style={{ top: headerHeight + y, height: ROW_HEIGHT }}
            >
              <div role="presentation" className={cx(keeper, "bg-bg")} style={{ width: frozenEnd }}>
                {/* biome-ignore lint/a11y/noStaticElementInteractions: the mouse's way to select a row */}
                <div
                  className="flex h-full items-center justify-end border-line border-r pr-2 text-fg-3 text-xs group-hover/row:bg-sunk"
                  style={{ width: gutter }}
                  onMouseDown={() =>
                    props.onSelect({
                      anchor: { row: r, column: 0 },
                      head: { row: r, column: columns.length - 1 },
                    })
                  }
                >
                  {count(r + 1)}
                </div>
                {kept.map((c) => bodyCell(r, c, data))}
                {whyButton(r, data, true)}
              </div>
              {moving.map((c) => bodyCell(r, c, data))}
              {whyButton(r, data, false)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The headers, which stay as they are while rows are scrolled. */
const HeaderRow = memo(function HeaderRow({
  table,
  starts,
  height,
  gutter,
  frozen,
  from,
  to,
  keeper,
}: {
  table: Props;
  /** Where each column begins. */
  starts: number[];
  height: number;
  gutter: number;
  /** The number of frozen columns, and the other visible columns. */
  frozen: number;
  from: number;
  to: number;
  /** The look of what holds the frozen ones. */
  keeper: string;
}) {
  const cell = (c: number) => {
    const column = table.columns[c]!;
    return (
      <HeaderCell
        key={column.index}
        id={headerId(table.id, c)}
        name={column.name}
        type={column.type}
        index={c}
        left={starts[c]!}
        width={column.width}
        sorted={column.sorted}
        filtered={column.filtered}
        format={column.format}
        glance={column.glance}
        active={table.header === c}
        menuOpen={table.menuFor === c}
        menu={() => table.menu(c)}
        finalFocus={table.finalFocus}
        onMenu={(open) => table.onMenu(open ? c : null)}
        onSort={() => table.onSort(c)}
        onResize={(width) => table.onResize(c, width)}
        onFit={() => table.onFit(c)}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
    <div role="row" aria-rowindex={1} className="sticky top-0 z-20 border-line border-b bg-sunk" style={{ height }}>
      <div role="presentation" className={cx(keeper, "bg-sunk")} style={{ width: starts[frozen] }}>
        <div className="h-full border-line border-r" style={{ width: gutter }} />
        {spanOf(0, frozen).map(cell)}
      </div>
      {spanOf(from, to).map(cell)}
    </div>
  );
});

const spanOf = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
