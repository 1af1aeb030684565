// Scrolling far. Browsers refuse elements above some height (WebKitGTK about 33 million pixels, with errors before
// that), and a million rows are 28 million. Above the limit the scrolled element is shorter than the rows, and the
// position of the scroll bar is scaled to the position among the rows.

export const ROW_HEIGHT = 28;
/** The height of a header that says something of its values. */
export const TALL_HEADER = 42;
export const MAX_HEIGHT = 8_000_000;

export interface Scroll {
  /** Height of all rows. */
  full: number;
  /** Height of the scrolled element. */
  shown: number;
  view: number;
}

export function scrollOf(rows: number, view: number): Scroll {
  const full = rows * ROW_HEIGHT;
  return { full, shown: Math.min(full, MAX_HEIGHT), view };
}

export function isScaled(scroll: Scroll): boolean {
  return scroll.full > scroll.shown;
}

/** Pixels above the view, among all rows, for a position of the scroll bar. */
export function toRows(scroll: Scroll, barTop: number): number {
  if (!isScaled(scroll)) return barTop;
  const bar = Math.max(1, scroll.shown - scroll.view);
  return clampTop(scroll, (barTop / bar) * Math.max(0, scroll.full - scroll.view));
}

/** Position of the scroll bar for pixels above the view. */
export function toBar(scroll: Scroll, top: number): number {
  if (!isScaled(scroll)) return top;
  const rows = Math.max(1, scroll.full - scroll.view);
  return (top / rows) * Math.max(0, scroll.shown - scroll.view);
}

export function clampTop(scroll: Scroll, top: number): number {
  return Math.max(0, Math.min(scroll.full - scroll.view, top));
}

/** First and last row (exclusive) to draw. */
export function windowOf(scroll: Scroll, top: number, rows: number, extra = 6): [number, number] {
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - extra);
  const last = Math.min(rows, Math.ceil((top + scroll.view) / ROW_HEIGHT) + extra);
  return [first, Math.max(first, last)];
}

/** Where the view has to be for a row to be seen whole; unchanged when it is. */
export function topFor(scroll: Scroll, top: number, row: number): number {
  const start = row * ROW_HEIGHT;
  if (start < top) return clampTop(scroll, start);
  if (start + ROW_HEIGHT > top + scroll.view) return clampTop(scroll, start + ROW_HEIGHT - scroll.view);
  return top;
}
