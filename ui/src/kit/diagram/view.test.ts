import { describe, expect, it } from "vitest";
import { beginOf, keptView, READABLE, scaleToFit, viewOf } from "./view";

const frame = { width: 1000, height: 600 };
const result = { id: "result", x: 240, y: 1900, width: 380, height: 60 };
const seen = (view: { x: number; y: number; zoom: number }, box: typeof result, room = frame) =>
  box.x * view.zoom + view.x >= 0 &&
  box.y * view.zoom + view.y >= 0 &&
  (box.x + box.width) * view.zoom + view.x <= room.width &&
  (box.y + box.height) * view.zoom + view.y <= room.height;

describe("the view of a picture", () => {
  it("is all of it, in the middle, where its text can be read", () => {
    const small = { width: 630, height: 500 };
    const view = viewOf(small, frame, { ...result, y: 400 });
    expect(view.zoom).toBe(scaleToFit(small, frame));
    expect(view.x * 2 + small.width * view.zoom).toBeCloseTo(frame.width);
    expect(view.y * 2 + small.height * view.zoom).toBeCloseTo(frame.height);
  });

  it("is never smaller than text can be read, with the result in view", () => {
    for (const size of [
      { width: 640, height: 1960 },
      { width: 4000, height: 1960 },
      { width: 9000, height: 9000 },
    ]) {
      for (const room of [frame, { width: 712, height: 430 }, { width: 352, height: 430 }]) {
        const view = viewOf(size, room, result);
        expect(view.zoom).toBeGreaterThanOrEqual(READABLE);
        expect(12 * view.zoom).toBeGreaterThanOrEqual(10);
        expect(seen(view, result, room)).toBe(true);
      }
    }
  });

  it("begins at its top left where it is too large, with the first card whole and text that can be read", () => {
    const small = { width: 630, height: 500 };
    expect(beginOf(small, frame, undefined)).toEqual(viewOf(small, frame, undefined));
    for (const size of [
      { width: 640, height: 1960 },
      { width: 4000, height: 300 },
      { width: 9000, height: 9000 },
    ]) {
      for (const first of [
        { ...result, x: 0, y: 0 },
        { ...result, x: 100, y: 240 },
      ]) {
        const view = beginOf(size, frame, first);
        expect(view.zoom).toBe(READABLE);
        expect(seen(view, first)).toBe(true);
        expect(seen(view, { ...result, x: 0, y: 0, width: 20, height: 20 })).toBe(true);
      }
    }
    // Far from the corner, it is what counts.
    expect(
      seen(beginOf({ width: 9000, height: 9000 }, frame, { ...result, x: 5000, y: 0 }), { ...result, x: 5000, y: 0 }),
    ).toBe(true);
  });

  it("keeps its scale in a narrower frame, and what is selected in view", () => {
    const size = { width: 4000, height: 1960 };
    const chosen = { ...result, x: 3000, y: 700 };
    const view = keptView(size, { width: 600, height: 600 }, { x: 0, y: 0, zoom: 1 }, chosen);
    expect(view.zoom).toBe(1);
    expect(seen(view, chosen, { width: 600, height: 600 })).toBe(true);
    expect(keptView(size, frame, { x: -5, y: -7, zoom: 1 }, undefined)).toEqual({ x: -5, y: -7, zoom: 1 });
  });

  it("keeps what is in the middle where text has to be larger to be read", () => {
    const size = { width: 40_000, height: 1960 };
    const middle = { id: "middle", x: 20_000, y: 700, width: 20, height: 20 };
    const now = { x: frame.width / 2 - 20_010 * 0.4, y: frame.height / 2 - 710 * 0.4, zoom: 0.4 };
    const view = keptView(size, frame, now, undefined);
    expect(view.zoom).toBe(READABLE);
    expect(seen(view, middle)).toBe(true);
  });
});
