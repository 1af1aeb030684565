import { expect, it } from "vitest";
import { clearCorner } from "./boxes";

const FRAME = { width: 1000, height: 600 };
const MAP = { width: 150, height: 150 };
const box = (id: string, x: number, y: number) => ({ id, x, y, width: 200, height: 80 });
const AS_IT_IS = { x: 0, y: 0, zoom: 1 };

it("a map lies at the top right, where it covers nothing", () => {
  expect(clearCorner([box("result", 400, 500)], AS_IT_IS, FRAME, MAP)).toBe("top-right");
});

it("a map goes to the corner where it covers the fewest boxes, as they lie on screen", () => {
  const boxes = [box("table", 780, 20), box("result", 400, 500)];
  expect(clearCorner(boxes, AS_IT_IS, FRAME, MAP)).toBe("bottom-right");
  expect(clearCorner(boxes, { ...AS_IT_IS, zoom: 0.5 }, FRAME, MAP)).toBe("top-right");
  expect(clearCorner([...boxes, box("step", 800, 500)], AS_IT_IS, FRAME, MAP)).toBe("top-right");
});
