import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { cx } from "../../kit/cx";
import { useTheme } from "../../kit/theme";
import type { Chart, Row } from "./choose";
import { type DrawnChart, drawChart } from "./draw";
import { inkOf } from "./ink";
import { drawingOf } from "./spec";
import { chartCaveat, describeChart, type NamedColumns, pointInWords, titleOf } from "./words";

/**
 * A chart. The arrow keys move through its points; the text below it describes the current point. A click or Enter
 * picks one.
 */
export function ChartFigure({
  named,
  chart,
  rows,
  height,
  onPick,
}: {
  named: NamedColumns;
  chart: Chart;
  rows: readonly Row[];
  height: number;
  /** Shows the source rows of a row's value. */
  onPick?: (row: Row) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  // The ink is that of the page: it changes with contrast, too.
  const theme = useTheme();
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const noteId = useId();
  // The drawing stays when the page hands in another function.
  const pick = useRef(onPick);
  pick.current = onPick;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const drawing = useMemo(
    () => (width > 80 ? drawingOf(named, chart, rows, inkOf(theme.dark), { width, height }) : null),
    [named, chart, rows, width, height, theme],
  );

  useEffect(() => {
    const element = place.current;
    if (!element || !drawing) return;
    let gone = false;
    let drawn: DrawnChart | null = null;
    setAt(null);
    // A view of its own for each drawing: one that comes late is thrown away.
    const inside = document.createElement("div");
    // The figure says what the marks show.
    inside.setAttribute("aria-hidden", "true");
    const onPoint = (index: number | null) => !gone && setAt(index);
    const onClick = (index: number) => {
      const row = drawing.rows[index];
      if (!gone && row) pick.current?.(row);
    };
    drawChart(inside, drawing.spec, onPoint, onClick).then(
      (made) => {
        if (gone) return made.close();
        drawn = made;
        setFailed(false);
        element.replaceChildren(inside);
      },
      () => !gone && setFailed(true),
    );
    return () => {
      gone = true;
      drawn?.close();
    };
  }, [drawing]);

  const last = (drawing?.rows.length ?? 0) - 1;
  const point = at === null ? null : (drawing?.rows[at] ?? null);
  const move = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && at !== null) setAt(null);
    else if (event.key === "Enter" && point && onPick) onPick(point);
    else if (event.key === "Home") setAt(0);
    else if (event.key === "End") setAt(last);
    else if (step) setAt(at === null ? (step > 0 ? 0 : last) : Math.min(last, Math.max(0, at + step)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const note = drawing && chartCaveat(named, chart, rows, drawing.rows.length, drawing.cut);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 truncate font-medium text-sm" title={titleOf(named, chart)}>
        {capital(titleOf(named, chart))}
      </figcaption>
      {failed ? (
        <p className="py-6 text-fg-2 text-sm">
          <Trans>This chart could not be drawn. The table shows its rows.</Trans>
        </p>
      ) : (
        <div
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk through its points
          tabIndex={0}
          aria-label={drawing ? describeChart(named, chart, drawing.rows) : t`Chart`}
          aria-describedby={noteId}
          aria-roledescription={t`chart`}
          onKeyDown={move}
          onBlur={() => setAt(null)}
          className={cx("overflow-x-hidden overflow-y-auto rounded-sm", onPick && point && "cursor-pointer")}
          style={{ height: height + 8 }}
        >
          <div ref={place} className="w-full" />
        </div>
      )}
      <p id={noteId} className="nums flex h-5 items-center gap-3 text-sm">
        <span role="status" className="min-w-0 truncate">
          {point && pointInWords(named, chart, point)}
        </span>
        {point && onPick && (
          <span className="shrink-0 text-fg-3">
            <Trans>Click or Enter: source rows</Trans>
          </span>
        )}
        {!point && note && <span className="min-w-0 truncate text-fg-2">{note}</span>}
      </p>
    </figure>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
