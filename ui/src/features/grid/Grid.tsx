import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";
import { host } from "../../host/host";
import { CellValue, isNumeric } from "../../kit/cell";
import { cx } from "../../kit/cx";
import { plural } from "../../kit/format";
import { isMod } from "../../kit/keys";
import { toast } from "../../kit/toast";
import { GridMenu, WHY_WIDTH, WhyButton } from "./GridMenu";
import { clampTop, isScaled, ROW_HEIGHT, scrollOf, toBar, topFor, toRows, windowOf } from "./scroll";
import { inRange, moveBy, rangeOf, type Selection, toTsv } from "./select";
import type { Row, RowSource } from "./source";
import { firstWidths, MIN_WIDTH } from "./widths";

const COPY_LIMIT = 100_000;

/** A virtual grid: only visible rows are rendered. Fills its parent, or is as high as its rows. */
export function Grid({
  source,
  label,
  onWhy,
}: {
  source: RowSource;
  label: string;
  /** Shows the source rows of a cell, or of a whole row if no column is given. */
  onWhy?: (row: Row, column: number | null) => void;
}) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => source.subscribe(redraw), [source]);

  const rowCount = source.rowCount;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const barTop = useRef(0);
  const [selection, setSelection] = useState<Selection | null>(null);
  const range = selection && rangeOf(selection);
  const [widths, setWidths] = useState<number[]>([]);
  const fitted = useRef(false);
  const beside = onWhy ? WHY_WIDTH : 0;

  const body = Math.max(ROW_HEIGHT, view.height - ROW_HEIGHT);
  const scroll = scrollOf(rowCount, body);
  const [first, last] = windowOf(scroll, top, rowCount);
  const gutter = Math.max(40, 18 + String(rowCount).length * 8);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setView({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  // A new source starts at its beginning.
  useEffect(() => {
    fitted.current = false;
    setSelection(null);
    setTop(0);
    barTop.current = 0;
    scroller.current?.scrollTo({ top: 0, left: 0 });
    setWidths(firstWidths(source.columns, []));
  }, [source]);

  useEffect(() => source.want(first, last), [source, first, last]);

  // Widths follow the first rows once they are loaded; after that the user sets them.
  const firstRow = source.row(0);
  useEffect(() => {
    if (fitted.current || !firstRow) return;
    fitted.current = true;
    const rows: Row[] = [];
    for (let i = 0; i < Math.min(60, source.rowCount); i++) {
      const row = source.row(i);
      if (row) rows.push(row);
    }
    setWidths(firstWidths(source.columns, rows).map((width) => width + beside));
  }, [source, firstRow, beside]);

  const columns = useVirtualizer({
    horizontal: true,
    count: source.columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => widths[i] ?? 120,
    overscan: 3,
    paddingStart: gutter,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new widths mean new positions
  useEffect(() => columns.measure(), [widths, gutter]);

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
  }, []);

  const select = (next: Selection) => {
    setSelection(next);
    const to = topFor(scroll, top, next.head.row);
    if (to !== top) moveTo(to);
    const item = columns.measurementsCache[next.head.column];
    const element = scroller.current;
    if (item && element) {
      if (item.start - gutter < element.scrollLeft) element.scrollLeft = item.start - gutter;
      else if (item.end > element.scrollLeft + element.clientWidth)
        element.scrollLeft = item.end - element.clientWidth;
    }
  };

  const copy = async (withHeader: boolean) => {
    if (!range) return;
    const rows = range.bottom - range.top + 1;
    if (rows > COPY_LIMIT) {
      toast({
        tone: "bad",
        title: `Only ${plural(COPY_LIMIT, "row")} can be copied at once.`,
        text: "Export to CSV instead.",
      });
      return;
    }
    const data = await source.read(range.top, range.bottom + 1);
    const names = source.columns.map((c) => c.name);
    await host().copyText(toTsv(data, range.left, range.right, withHeader ? names : undefined));
    if (rows > 1 || range.left !== range.right) toast({ title: `Copied ${plural(data.length, "row")}.`, life: 2000 });
  };

  const why = (wholeRow: boolean) => {
    const row = selection && source.row(selection.head.row);
    if (row) onWhy?.(row, wholeRow ? null : selection.head.column);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const mod = isMod(event);
    if (event.altKey && event.key === "Enter") {
      event.preventDefault();
      why(false);
      return;
    }
    if (mod && event.key.toLowerCase() === "c") {
      event.preventDefault();
      void copy(event.shiftKey);
      return;
    }
    if (mod && event.key.toLowerCase() === "a") {
      event.preventDefault();
      setSelection({
        anchor: { row: 0, column: 0 },
        head: { row: rowCount - 1, column: source.columns.length - 1 },
      });
      return;
    }
    const from = selection ?? { anchor: { row: 0, column: 0 }, head: { row: 0, column: 0 } };
    const pageRows = Math.max(1, Math.floor(body / ROW_HEIGHT) - 1);
    const next = moveBy(
      from,
      { key: event.key, shift: event.shiftKey, mod },
      rowCount,
      source.columns.length,
      pageRows,
    );
    if (!next) return;
    event.preventDefault();
    select(selection ? next : from);
  };

  const cells = columns.getVirtualItems();
  const totalWidth = Math.max(columns.getTotalSize(), gutter);
  const rows: number[] = [];
  for (let r = first; r < last; r++) rows.push(r);

  const grid = (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={source.columns.length}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      className={cx(
        "nums relative min-h-0 select-none overflow-auto outline-offset-[-2px]",
        selection && "outline-none",
      )}
      style={{ flex: "0 1 auto", overflowAnchor: "none" }}
    >
      <div style={{ height: scroll.shown + ROW_HEIGHT, width: totalWidth, minWidth: "100%", position: "relative" }}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-20 border-line border-b bg-sunk"
          style={{ height: ROW_HEIGHT }}
        >
          <div className="sticky left-0 z-10 h-full border-line border-r bg-sunk" style={{ width: gutter }} />
          {cells.map((cell) => (
            <HeaderCell
              key={cell.key}
              name={source.columns[cell.index]!.name}
              type={source.columns[cell.index]!.type}
              index={cell.index}
              left={cell.start}
              width={cell.size}
              onResize={(width) => setWidths((w) => w.map((old, i) => (i === cell.index ? width : old)))}
              onSelect={() =>
                setSelection({
                  anchor: { row: 0, column: cell.index },
                  head: { row: Math.max(0, rowCount - 1), column: cell.index },
                })
              }
            />
          ))}
        </div>
        {rows.map((r) => {
          const data = source.row(r);
          // Rows are placed against the view, so that no position grows beyond what a browser can hold.
          const y = isScaled(scroll) ? barTop.current + (r * ROW_HEIGHT - top) : r * ROW_HEIGHT;
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            <div
              key={r}
              role="row"
              aria-rowindex={r + 2}
              className="group/row absolute left-0 w-full border-line/70 border-b"
              style={{ top: ROW_HEIGHT + y, height: ROW_HEIGHT }}
            >
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the mouse's way to select a row */}
              <div
                className="sticky left-0 z-10 flex h-full items-center justify-end border-line border-r bg-bg pr-2 text-fg-3 text-xs group-hover/row:bg-sunk"
                style={{ width: gutter }}
                onMouseDown={() =>
                  setSelection({
                    anchor: { row: r, column: 0 },
                    head: { row: r, column: source.columns.length - 1 },
                  })
                }
              >
                {(r + 1).toLocaleString("en-US")}
              </div>
              {cells.map((cell) => {
                const chosen = inRange(range, r, cell.index);
                const head = selection?.head.row === r && selection.head.column === cell.index;
                return (
                  // biome-ignore lint/a11y/useSemanticElements: see above
                  // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
                  <div
                    key={cell.key}
                    role="gridcell"
                    aria-colindex={cell.index + 1}
                    aria-selected={chosen}
                    onMouseDown={(e) => {
                      if (e.button !== 0) return;
                      const at = { row: r, column: cell.index };
                      setSelection({ anchor: e.shiftKey && selection ? selection.anchor : at, head: at });
                    }}
                    onMouseEnter={(e) => {
                      if (e.buttons === 1 && selection)
                        setSelection({ anchor: selection.anchor, head: { row: r, column: cell.index } });
                    }}
                    onContextMenu={() => {
                      if (!chosen) {
                        const at = { row: r, column: cell.index };
                        setSelection({ anchor: at, head: at });
                      }
                    }}
                    className={cx(
                      "absolute top-0 h-full truncate px-2.5 text-sm leading-[27px]",
                      isNumeric(source.columns[cell.index]!.type) && "text-right",
                      chosen ? "bg-accent-soft" : "group-hover/row:bg-sunk",
                      head && "shadow-[inset_0_0_0_1.5px_var(--accent)]",
                    )}
                    style={{ left: cell.start, width: cell.size }}
                  >
                    {data ? (
                      <CellValue value={data[cell.index] ?? null} />
                    ) : (
                      <span className="shimmer mt-2 block h-3 w-2/3 rounded-sm" />
                    )}
                    {head && onWhy && data && (
                      <WhyButton
                        left={isNumeric(source.columns[cell.index]!.type)}
                        onClick={() => onWhy(data, cell.index)}
                      />
                    )}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
  if (!onWhy) return grid;
  return (
    <GridMenu onWhy={why} onCopy={() => void copy(false)}>
      {grid}
    </GridMenu>
  );
}

function HeaderCell({
  name,
  type,
  index,
  left,
  width,
  onResize,
  onSelect,
}: {
  name: string;
  type: Parameters<typeof isNumeric>[0];
  index: number;
  left: number;
  width: number;
  onResize: (width: number) => void;
  onSelect: () => void;
}) {
  const drag = (event: React.PointerEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const move = (e: PointerEvent) => onResize(Math.max(MIN_WIDTH, width + e.clientX - start));
    const stop = () => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", stop);
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", stop);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
    <div
      role="columnheader"
      aria-colindex={index + 1}
      title={`${name} (${type})`}
      onMouseDown={onSelect}
      className={cx(
        "absolute top-0 h-full truncate px-2.5 font-medium text-fg-2 text-sm leading-[27px]",
        isNumeric(type) && "text-right",
      )}
      style={{ left, width }}
    >
      {name}
      <div
        aria-hidden
        onPointerDown={drag}
        onMouseDown={(e) => e.stopPropagation()}
        className="absolute top-1 right-0 bottom-1 w-1.5 cursor-col-resize border-line-strong border-r opacity-60 hover:border-accent hover:opacity-100"
      />
    </div>
  );
}
