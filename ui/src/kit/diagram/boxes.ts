// Boxes of a diagram: which one an arrow key leads to, and how far the viewport moves to show one.

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  id: string;
  x: number;
  y: number;
}

export interface View {
  x: number;
  y: number;
  zoom: number;
}

/** Corners of a frame that a map may lie in, in the order of preference. One has the zoom buttons, and in one a picture begins. */
const CORNERS = ["top-right", "bottom-right"] as const;
export type Corner = (typeof CORNERS)[number];

/** The corner in which something of a size lies over the fewest boxes. */
export function clearCorner(boxes: Box[], view: View, frame: Size, size: Size): Corner {
  const covered = (corner: Corner) => {
    const left = corner.endsWith("left") ? 0 : frame.width - size.width;
    const top = corner.startsWith("top") ? 0 : frame.height - size.height;
    return boxes.filter((box) => {
      const [x, y] = [box.x * view.zoom + view.x, box.y * view.zoom + view.y];
      const across = x < left + size.width && x + box.width * view.zoom > left;
      return across && y < top + size.height && y + box.height * view.zoom > top;
    }).length;
  };
  return CORNERS.reduce((best, corner) => (covered(corner) < covered(best) ? corner : best));
}

export type Direction = "left" | "right" | "up" | "down";

export const ARROWS: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** Distance from the edge that a box is shown with. */
const MARGIN = 24;

/** The nearest point in a direction, straight ahead preferred. */
export function nearestBox(
  points: { id: string; x: number; y: number }[],
  from: string,
  direction: Direction,
): string | null {
  const here = points.find((p) => p.id === from);
  if (!here) return points[0]?.id ?? null;
  let best: { id: string; cost: number } | null = null;
  for (const { id, x, y } of points) {
    if (id === from) continue;
    const dx = x - here.x;
    const dy = y - here.y;
    const ahead = direction === "left" ? -dx : direction === "right" ? dx : direction === "up" ? -dy : dy;
    const aside = Math.abs(direction === "left" || direction === "right" ? dy : dx);
    if (ahead <= 1) continue;
    const cost = ahead + aside * 2.5;
    if (!best || cost < best.cost) best = { id, cost };
  }
  return best?.id ?? null;
}

/** The view moved, at its scale, as far as it takes to see a box whole. */
export function viewShowing(view: View, box: Box, frame: Size): View {
  const shift = (start: number, length: number, room: number) => {
    if (start < MARGIN) return MARGIN - start;
    if (start + length > room - MARGIN) return Math.max(room - MARGIN - start - length, MARGIN - start);
    return 0;
  };
  const { x, y, zoom } = view;
  return {
    x: x + shift(box.x * zoom + x, box.width * zoom, frame.width),
    y: y + shift(box.y * zoom + y, box.height * zoom, frame.height),
    zoom,
  };
}
