import { describe, expect, it } from "vitest";
import { EXPLAINED, STORIES } from "../../../../test/fake/explained";
import { column, Story } from "../../../../test/fake/story";
import type { Explanation } from "../../../host/bindings";
import type { Box } from "../../../kit/diagram/boxes";
import { textAt } from "../../../kit/diagram/levels";
import { fitsAcross } from "../../../kit/diagram/view";
import { textWidth } from "../../../kit/textWidth";
import { changeText } from "../rowChange";
import { findCards } from "./find";
import { type Layout, layoutPicture } from "./layout";
import { traceLineage, traceWords } from "./lineage";
import { type Picture, pictureOf, RESULT, stepCard } from "./model";
import { briefLines, columnsShown, NARROW, sizeOf, textLines, WIDE } from "./size";
import { neighbourCard } from "./walk";

/** A query with steps that read any earlier ones; the same seed gives the same query. */
function tangled(count: number, seed: number): Explanation {
  let state = seed;
  const random = (n: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % n;
  };
  const s = new Story();
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    const reads = new Set<string>();
    const wanted = i === 0 ? 0 : 1 + random(3);
    for (let k = 0; k < wanted; k++) reads.add(names[random(4) ? Math.max(0, i - 1 - random(3)) : random(i)]!);
    for (let k = 0; k < (i === 0 ? 1 : random(3)); k++) reads.add(`t${random(8)}`);
    const note = `Joins ${"many words of a sentence ".repeat(random(9))}.`;
    names.push(s.step({ kind: "join", as: "x", note, reads: [...reads], columns: [], rows: random(9999) }));
  }
  return s.told({ understood: [], question: null });
}

const inside = (box: Box, x: number, y: number) =>
  x > box.x + 0.5 && x < box.x + box.width - 0.5 && y > box.y + 0.5 && y < box.y + box.height - 0.5;

function check(picture: Picture, layout: Layout) {
  expect(layout.boxes).toHaveLength(picture.cards.length);
  const boxes = new Map(layout.boxes.map((box) => [box.id, box]));
  for (const a of layout.boxes) {
    expect(a.x).toBeGreaterThanOrEqual(0);
    expect(a.x + a.width).toBeLessThanOrEqual(layout.width);
    expect(a.y + a.height).toBeLessThanOrEqual(layout.height);
    for (const b of layout.boxes) {
      if (a === b) continue;
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      expect(apart, `${a.id} and ${b.id}`).toBe(true);
    }
  }
  // No empty space beside it.
  expect(Math.min(...layout.boxes.map((box) => box.x))).toBeLessThan(60);
  expect(layout.lines.map(({ from, to }) => `${from}>${to}`).sort()).toEqual(
    picture.reads.map(({ from, to }) => `${from}>${to}`).sort(),
  );
  for (const line of layout.lines) {
    const on = ([x, y]: [number, number], box: Box) =>
      x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    expect(on(line.points[0]!, boxes.get(line.from)!), "begins at what is read").toBe(true);
    expect(on(line.points.at(-1)!, boxes.get(line.to)!), "ends at the reader").toBe(true);
    for (const [i, [x2, y2]] of line.points.entries()) {
      const [x1, y1] = line.points[Math.max(0, i - 1)]!;
      // A bent piece stays inside the rectangle of its ends: no point of that may lie in a card.
      for (let a = 0; a <= 12; a++)
        for (let b = 0; b <= 12; b++)
          for (const box of layout.boxes)
            if (inside(box, x1 + ((x2 - x1) * a) / 12, y1 + ((y2 - y1) * b) / 12))
              throw new Error(`${line.from} > ${line.to} crosses ${box.id}`);
    }
  }
}

describe("the picture of an answer", () => {
  for (const [steps, story] of Object.entries(STORIES)) {
    it(`of ${steps} steps has no overlaps and no line across a card`, () => {
      expect(story.steps).toHaveLength(Number(steps));
      const picture = pictureOf(story, null);
      for (const widths of [WIDE, NARROW]) check(picture, layoutPicture(picture, widths));
    });
  }

  it("holds for steps that read each other in any way", () => {
    for (const [count, seed] of [
      [1, 3],
      [5, 1],
      [15, 2],
      [15, 7],
      [40, 4],
      [40, 11],
    ] as const) {
      const picture = pictureOf(tangled(count, seed), { columns: ["a"], rows: 1 });
      check(picture, layoutPicture(picture));
    }
  });

  it("is the same every time", () => {
    const lay = () => layoutPicture(pictureOf(STORIES[40]!, null));
    expect(lay()).toEqual(lay());
  });

  it("of two joined branches fits across the usual window where its cards are narrower", () => {
    const s = new Story();
    const join = (as: string, reads: string[]) =>
      s.step({ kind: "join", as, note: "Joins a to b.", reads, columns: [], rows: 10 });
    join("both", [join("left", ["order_items", "products"]), join("right", ["orders"])]);
    const picture = pictureOf(s.told({ understood: [], question: null }), null);
    const frame = { width: 1032, height: 640 };
    expect(fitsAcross(layoutPicture(picture, WIDE), frame)).toBe(false);
    expect(fitsAcross(layoutPicture(picture, NARROW), frame)).toBe(true);
  });

  it("of hundreds of steps is laid out, too", () => {
    const picture = pictureOf(tangled(400, 5), null);
    expect(layoutPicture(picture).boxes).toHaveLength(picture.cards.length);
  });

  it("has tables left of their reader, steps above theirs and the result at the end", () => {
    const picture = pictureOf(EXPLAINED, null);
    const { boxes } = layoutPicture(picture);
    const box = (id: string) => boxes.find((b) => b.id === id)!;
    for (const { from, to } of picture.reads) {
      if (from.startsWith("table:")) expect(box(from).x + box(from).width).toBeLessThan(box(to).x);
      else expect(box(from).y + box(from).height).toBeLessThan(box(to).y);
    }
    expect(Math.max(...boxes.map((b) => b.y))).toBe(box(RESULT).y);
    const middles = EXPLAINED.steps.map((s) => box(stepCard(s.name)).x);
    expect(new Set(middles.map(Math.round)).size, "a chain is straight").toBe(1);
  });

  it("of a query that stays whole leads from its tables to the result", () => {
    const whole = { ...EXPLAINED, steps: [], proven: false, unproven: "it is recursive" };
    const picture = pictureOf(whole, { columns: ["n"], rows: 1 });
    expect(picture.reads.map(({ to }) => to)).toEqual([RESULT, RESULT, RESULT, RESULT]);
    expect(picture.cards.at(-1)).toMatchObject({ kind: "result", whole: "it is recursive" });
    check(picture, layoutPicture(picture));
  });
});

describe("what a card tells", () => {
  const stepsOf = (picture: Picture) => picture.cards.filter((card) => card.kind === "step");
  const marked = (explanation: Explanation) =>
    stepsOf(pictureOf(explanation, null)).flatMap(({ number, largest }) =>
      largest ? [[number, changeText(largest)]] : [],
    );
  const table = (s: Story, as: string, rows: number) => {
    s.table(as, rows, []);
    return s.step({ kind: "table", as, note: "", reads: [as], columns: [], rows });
  };
  const join = (s: Story, reads: string[], rows: number | null) =>
    s.step({ kind: "join", as: "both", note: "", reads, columns: [], rows });
  const told = (s: Story) => s.told({ understood: [], question: null });

  it("is the number by which sentences name a step, and what a join adds", () => {
    const picture = pictureOf(EXPLAINED, null);
    expect(stepsOf(picture).map(({ number, joined }) => [number, joined])).toEqual([
      [1, ""],
      [2, "order_items"],
      [3, ""],
      [4, "products and categories"],
      [5, ""],
    ]);
    expect(findCards(picture, "3. for each")).toEqual([stepCard("s3_group")]);
    const s = new Story();
    const one = s.step({ kind: "group", as: "a", note: "", reads: ["t"], columns: [], rows: 5 });
    const customers = s.step({ kind: "table", as: "c", note: "", reads: ["main.customers"], columns: [], rows: 5 });
    join(s, [customers, one], 5);
    join(s, [one, customers], 5);
    expect(stepsOf(pictureOf(told(s), null)).map(({ joined }) => joined)).toEqual(["", "", "step 1", "customers"]);
  });

  it("is the step that loses or multiplies the most rows", () => {
    expect(marked(EXPLAINED)).toEqual([[1, "68% fewer rows"]]);
    const s = new Story();
    join(s, [table(s, "a", 100), table(s, "b", 200)], 4200);
    expect(marked(told(s))).toEqual([[3, "21.0× the rows"]]);
    const lost = new Story();
    join(lost, [table(lost, "a", 100), table(lost, "b", 100)], 0);
    expect(marked(told(lost))).toEqual([[3, "all rows lost"]]);
  });

  it("is no change where a small table is matched, rows are grouped or cut, or something was not counted", () => {
    const s = new Story();
    const both = join(s, [table(s, "stores", 48), table(s, "orders", 61204)], 61204);
    s.step({ kind: "group", as: "group", note: "", reads: [both], columns: [], rows: 48 });
    s.step({ kind: "limit", as: "limit", note: "", reads: ["s4_group"], columns: [], rows: 3 });
    expect(marked(told(s))).toEqual([]);
    const unknown = new Story();
    unknown.table("a", null, []);
    const some = unknown.step({ kind: "table", as: "a", note: "", reads: ["a"], columns: [], rows: 10 });
    join(unknown, [some, "b"], 1000);
    join(unknown, [some, some], null);
    expect(marked(told(unknown))).toEqual([]);
  });

  it("is the answer's only value, unless the query has changed since", () => {
    const result = (shown: Parameters<typeof pictureOf>[1]) => pictureOf(told(counted), shown).cards.at(-1)!;
    const counted = new Story();
    counted.step({ kind: "group", as: "n", note: "", reads: ["t"], columns: [column("n")], rows: 1 });
    const card = result({ columns: ["n"], rows: 1, value: "1,204" });
    expect(card).toMatchObject({ kind: "result", value: "1,204" });
    expect(sizeOf(card, WIDE).height).toBeGreaterThan(sizeOf(result({ columns: ["n"], rows: 1 }), WIDE).height);
    expect(result({ columns: ["a", "b"], rows: 1, value: "1,204" })).toMatchObject({ value: null });
  });
});

describe("looking for a card", () => {
  const picture = pictureOf(EXPLAINED, { columns: ["product", "category", "revenue"], rows: 10 });

  it("finds tables, sentences, queries and columns, in the order of work", () => {
    const tables = picture.cards.filter((card) => card.kind === "table" && card.table === "order_items");
    expect(tables.length).toBeGreaterThan(0);
    expect(findCards(picture, "ORDER_ITEMS")).toEqual(expect.arrayContaining(tables.map((card) => card.id)));
    expect(findCards(picture, "revenue")).toContain(RESULT);
    const step = EXPLAINED.steps[2]!;
    expect(findCards(picture, step.note.split(" ").slice(0, 3).join(" "))).toContain(stepCard(step.name));
    expect(findCards(picture, step.sql.slice(0, 30))).toContain(stepCard(step.name));
  });

  it("finds nothing where nothing is typed or nothing has it", () => {
    expect(findCards(picture, "  ")).toEqual([]);
    expect(findCards(picture, "unheard-of")).toEqual([]);
  });
});

describe("a step's sentence at the middle level", () => {
  it("has as many lines as its card has room for", () => {
    const width = { 1: "Short.", 4: "A long sentence that goes on. ".repeat(12) };
    for (const [lines, note] of Object.entries(width)) {
      const step = { ...EXPLAINED.steps[0]!, note };
      const rest = { number: 1, joined: "", largest: null, rows: 1, columns: [], checks: [] };
      const card = { kind: "step" as const, id: "s", step, ...rest };
      const room = sizeOf(card, WIDE).height - 20;
      expect(briefLines(note, WIDE)).toBe(Math.max(1, Number(lines) - 1));
      // The largest text of that level.
      expect(briefLines(note, WIDE) * textAt(0.52) * 1.2).toBeLessThanOrEqual(room);
    }
  });
});

describe("lineage", () => {
  const picture = pictureOf(EXPLAINED, { columns: ["product", "category", "revenue"], rows: 10 });

  it("goes back to the tables, through every step between", () => {
    const found = traceLineage(picture, { card: RESULT, column: "revenue" });
    expect(found.sources.map(({ table, column }) => `${table}.${column}`)).toEqual([
      "order_items.qty",
      "order_items.unit_price",
      "order_items.disc_pct",
    ]);
    expect([...found.columns.keys()]).toEqual([
      RESULT,
      ...[5, 4, 3, 2].map((n) => stepCard(EXPLAINED.steps[n - 1]!.name)),
      `table:order_items@${stepCard("s2_order_items")}`,
    ]);
    expect(found.reads).toContain(`${stepCard("s5_order")}>${RESULT}`);
    expect(traceWords(picture, found)).toBe(
      "revenue ← order_items.qty, order_items.unit_price, order_items.disc_pct",
    );
  });

  it("goes forward to the result", () => {
    const found = traceLineage(picture, { card: `table:products@${stepCard("s4_products")}`, column: "prod_nm" });
    expect(found.results).toEqual(["product"]);
    expect(found.sources).toEqual([]);
    expect(traceWords(picture, found)).toBe("products.prod_nm → product");
  });

  it("goes both ways from the middle, and not into columns beside", () => {
    const found = traceLineage(picture, { card: stepCard("s3_group"), column: "revenue" });
    expect([...found.columns.get(RESULT)!]).toEqual(["revenue"]);
    expect(found.columns.get(stepCard("s2_order_items"))).toEqual(new Set(["revenue"]));
    expect(found.columns.has(`table:products@${stepCard("s4_products")}`)).toBe(false);
  });

  it("says where nothing is shown of a column, and where one is made of none", () => {
    const joined = traceLineage(picture, { card: stepCard("s2_order_items"), column: "order_id" });
    expect(traceWords(picture, joined)).toBe("order_id ← orders.order_id · not in the result");
    const s = new Story();
    s.step({ kind: "group", as: "group", note: "Counts.", reads: ["t"], columns: [column("n")], rows: 1 });
    const counted = pictureOf(s.told({ understood: [], question: null }), null);
    expect(traceWords(counted, traceLineage(counted, { card: RESULT, column: "n" }))).toBe(
      "n ← no stored column (a count or a constant)",
    );
  });

  it("ends where columns name each other in a circle", () => {
    const s = new Story();
    s.step({ kind: "query", as: "a", note: "", reads: ["t"], columns: [column("x", "s1_a.x")], rows: null } as never);
    const circle = pictureOf(s.told({ understood: [], question: null }), null);
    expect(traceLineage(circle, { card: RESULT, column: "x" }).columns.size).toBeGreaterThan(0);
  });

  it("reaches every column of 40 steps once", () => {
    const long = pictureOf(STORIES[40]!, null);
    const found = traceLineage(long, { card: RESULT, column: "growth" });
    expect(found.sources.map(({ table, column }) => `${table}.${column}`)).toEqual([
      "order_items.qty",
      "order_items.unit_price",
    ]);
  });
});

describe("arrow keys", () => {
  const { boxes, lines, ...size } = layoutPicture(pictureOf(STORIES[40]!, null));
  const layout = { boxes, lines, ...size };

  it("follow the lines", () => {
    const last = stepCard(STORIES[40]!.steps.at(-1)!.name);
    expect(neighbourCard(layout, RESULT, "up")).toBe(last);
    expect(neighbourCard(layout, last, "down")).toBe(RESULT);
    const first = stepCard(STORIES[40]!.steps[0]!.name);
    expect(neighbourCard(layout, first, "left")).toBe(`table:orders@${first}`);
    expect(neighbourCard(layout, `table:orders@${first}`, "right")).toBe(first);
  });

  it("reach every card", () => {
    const seen = new Set<string>();
    const queue = [RESULT];
    for (let id = queue.pop(); id; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const way of ["left", "right", "up", "down"] as const) {
        const next = neighbourCard(layout, id, way);
        if (next) queue.push(next);
      }
    }
    expect(seen.size).toBe(boxes.length);
  });
});

describe("sizes", () => {
  it("grow with the text", () => {
    expect(textWidth("ill")).toBeLessThan(textWidth("www"));
    expect(textLines("one two three", 1000)).toBe(1);
    expect(textLines("word ".repeat(40), 100)).toBeGreaterThan(10);
    expect(textLines("x".repeat(100), 100)).toBeGreaterThan(6);
    expect(columnsShown([], 100)).toEqual({ shown: 0, lines: 0 });
    expect(columnsShown(["a", "b"], 100)).toEqual({ shown: 2, lines: 1 });
    expect(columnsShown(Array(50).fill("a_long_column_name"), 188)).toMatchObject({ lines: 3 });
  });
});
