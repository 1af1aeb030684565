import { describe, expect, it } from "vitest";
import { EXAMPLES, glance } from "../../../test/fake/answers";
import type { CellType, Headline } from "../../host/bindings";
import { chooseCharts, MOST_BARS } from "./choose";
import { DARK, inkOf, LIGHT } from "./ink";
import { drawingOf } from "./spec";
import { readChoices } from "./state";
import { chartCaveat, pointInWords, describeChart as told } from "./words";

type Table = [string, CellType][];
const columns = (table: Table) => table.map(([name, type]) => ({ name, type }));
const types = (table: Table, rows: (string | null)[][], headline: Headline | null = null) =>
  chooseCharts(columns(table), rows, headline)?.measures.map(({ column, charts }) => [
    table[column]![0],
    ...charts.map(({ type }) => type),
  ]) ?? null;
const example = (id: string) => EXAMPLES.find(({ runId }) => runId === id)!;
const chartsOf = (id: string) => {
  const { page, headline } = example(id);
  return chooseCharts(page.columns, page.rows, headline)!.measures[0]!.charts;
};
const many = (n: number, row: (i: number) => (string | null)[]) => Array.from({ length: n }, (_, i) => row(i));

describe("the chart of a result", () => {
  it("is a line over time, bars over names, groups over two names", () => {
    expect(chartsOf("a-series").map(({ type, grain }) => [type, grain])).toEqual([
      ["line", "month"],
      ["bar", "month"],
    ]);
    expect(
      types(
        [
          ["product", "text"],
          ["revenue", "decimal"],
        ],
        [
          ["A", "2"],
          ["B", "1"],
        ],
      ),
    ).toEqual([["revenue", "bar"]]);
    expect(chartsOf("a-pairs").map(({ type, by }) => [type, by])).toEqual([
      ["grouped", 1],
      ["stacked", 1],
    ]);
  });
  it("is no line between rows that a name tells apart", () => {
    const stores: Table = [
      ["store", "text"],
      ["opened", "date"],
      ["revenue", "decimal"],
    ];
    const rows = many(6, (i) => [`Store ${i}`, `201${i}-03-01`, String(100 - i)]);
    expect(types(stores, rows)).toEqual([["revenue", "bar"]]);
    expect(types(stores, rows, glance(3, { shape: "ranked", labels: [0], measure: 2 }))).toEqual([
      ["revenue", "bar"],
    ]);
    // In the order of time it is one: each month with its best store.
    expect(types(stores, rows, glance(3, { shape: "series", labels: [1], measure: 2 }))).toEqual([
      ["revenue", "line", "bar"],
    ]);
  });
  it("is not stacked where the number does not add up", () => {
    const { page, headline } = example("a-pairs");
    const of = (over: Partial<Headline>) =>
      chooseCharts(page.columns, page.rows, { ...headline, ...over })!.measures[0]!.charts.map(({ type }) => type);
    expect(of({ addsUp: false })).toEqual(["grouped"]);
    const below = page.rows.map((row, i) => (i === 0 ? [...row.slice(0, 2), "-5"] : row));
    const charts = chooseCharts(page.columns, below, headline)!.measures[0]!.charts;
    expect(charts.map(({ type }) => type)).toEqual(["grouped"]);
  });
  it("is a pie only for two to six positive shares of a whole, after the bars", () => {
    const table: Table = [
      ["region", "text"],
      ["revenue", "decimal"],
    ];
    const whole = { shape: "ranked" as const, labels: [0], measure: 1, addsUp: true };
    const of = (values: (string | null)[], over: Partial<Headline> = {}) =>
      types(
        table,
        values.map((value, i) => [`R${i}`, value]),
        glance(2, { ...whole, ...over }),
      );
    expect(of(["3", "1"])).toEqual([["revenue", "bar", "pie"]]);
    expect(of(["6", "5", "4", "3", "2", "1"])).toEqual([["revenue", "bar", "pie"]]);
    for (const no of [
      of(["7", "6", "5", "4", "3", "2", "1"]),
      of(["3", "-1"]),
      of(["3", "0"]),
      of(["3", null]),
      of(["3", "1"], { limited: true }),
      of(["3", "1"], { addsUp: false }),
    ])
      expect(no).toEqual([["revenue", "bar"]]);
  });
  it("is points for two numbers", () => {
    const rows = many(6, (i) => [String(i * 1.5), String(i * i + 0.5)]);
    expect(
      types(
        [
          ["width", "decimal"],
          ["weight", "decimal"],
        ],
        rows,
      ),
    ).toEqual([
      ["width", "points"],
      ["weight", "points"],
    ]);
  });
  it("shows one measure at a time, the one that the result is about first", () => {
    const table: Table = [
      ["store", "text"],
      ["orders", "integer"],
      ["share_pct", "decimal"],
    ];
    const rows = [
      ["A", "10", "0.4"],
      ["B", "15", "0.6"],
    ];
    expect(types(table, rows, glance(3, { measure: 2 }))).toEqual([
      ["share_pct", "bar"],
      ["orders", "bar"],
    ]);
  });
});

describe("no chart", () => {
  it.each([
    [
      "of ids and years as amounts",
      [
        ["name", "text"],
        ["cust_id", "integer"],
      ],
      [
        ["A", "7"],
        ["B", "9"],
      ],
    ],
    [
      "of places",
      [
        ["city", "text"],
        ["lat", "float"],
        ["lon", "float"],
      ],
      [
        ["A", "1.5", "2"],
        ["B", "3", "4"],
      ],
    ],
    [
      "of a single row",
      [
        ["name", "text"],
        ["n", "integer"],
      ],
      [["A", "7"]],
    ],
    [
      "of text alone",
      [
        ["name", "text"],
        ["note", "text"],
      ],
      [
        ["A", "x"],
        ["B", "y"],
      ],
    ],
    [
      "of numbers that are none",
      [
        ["name", "text"],
        ["x", "float"],
      ],
      [
        ["A", "NaN"],
        ["B", "1"],
      ],
    ],
  ] as [string, Table, string[][]][])("%s", (_, table, rows) => {
    expect(types(table, rows)).toBeNull();
  });
  it("of more rows than a picture holds", () => {
    expect(
      types(
        [
          ["name", "text"],
          ["n", "decimal"],
        ],
        many(5001, (i) => [`N${i}`, "1"]),
      ),
    ).toBeNull();
  });
  it("of a wide table, unless it is about one number", () => {
    const wide: Table = [
      ["store", "text"],
      ...many(12, (i) => [`n${i}`]).map(([n]): [string, CellType] => [n!, "decimal"]),
    ];
    const rows = many(6, (i) => [`Store ${i}`, ...many(12, (n) => [String(n + i)]).map(([v]) => v!)]);
    expect(types(wide, rows)).toBeNull();
    expect(types(wide, rows, glance(13, {}))).toBeNull();
    expect(types(wide, rows, glance(13, { measure: 3 }))![0]).toEqual(["n2", "bar", "points"]);
    expect(
      types(
        wide.slice(1),
        rows.map((row) => row.slice(1)),
      ),
    ).not.toBeNull();
  });
  it("of time where several rows share a point and nothing tells them apart", () => {
    const rows = [
      ["2024-01", "1"],
      ["2024-01", "2"],
      ["2024-02", "3"],
    ];
    expect(
      types(
        [
          ["month", "text"],
          ["n", "decimal"],
        ],
        rows,
      ),
    ).toBeNull();
  });
});

describe("what is drawn", () => {
  const ink = inkOf(false);
  const size = { width: 400, height: 240 };
  it("is the largest of many bars, and says so", () => {
    const rows = many(50, (i) => [`N${i}`, String((i * 37) % 50)]);
    const named = {
      columns: columns([
        ["name", "text"],
        ["n", "integer"],
      ]),
      labels: ["name", "n"],
    };
    const [chart] = chooseCharts(named.columns, rows, null)!.measures[0]!.charts;
    const drawing = drawingOf(named, chart!, rows, ink, size);
    expect(drawing.rows).toHaveLength(MOST_BARS);
    expect(drawing.rows[0]![1]).toBe("49");
    expect(chartCaveat(named, chart!, rows, drawing.rows.length, drawing.cut)).toBe("The 30 largest of 50.");
  });
  it("has the value at each bar, shortened or left out where there is no room", () => {
    const labelsOf = (values: string[], width = 400) => {
      const named = {
        columns: columns([
          ["name", "text"],
          ["n", "decimal"],
        ]),
        labels: ["name", "n"],
      };
      const rows = values.map((value, i) => [`N${i}`, value]);
      const [chart] = chooseCharts(named.columns, rows, null)!.measures[0]!.charts;
      const { spec } = drawingOf(named, chart!, rows, ink, { ...size, width });
      const { data, layer } = spec as unknown as { data: { values: { label?: string }[] }; layer: unknown[] };
      const labels = data.values.map(({ label }) => label);
      expect(layer).toHaveLength(labels[0] === undefined ? 1 : 2);
      return labels;
    };
    expect(labelsOf(["184230.40", "12"])).toEqual(["184,230.40", "12"]);
    expect(labelsOf(["184230.40123456789", "12.345678901"])).toEqual(["184k", "12.3"]);
    expect(labelsOf(["184230.40", "12"], 100)).toEqual([undefined, undefined]);
    expect(labelsOf(["5", "-5"])).toEqual([undefined, undefined]);
    expect(labelsOf(["0", "0"])).toEqual(["0", "0"]);
  });
  it("names the shares of a pie with their percentages", () => {
    const table: Table = [
      ["region", "text"],
      ["revenue", "decimal"],
    ];
    const rows = [
      ["North", "30"],
      ["South", "10"],
    ];
    const named = { columns: columns(table), labels: ["region", "revenue"] };
    const told = glance(2, { shape: "ranked", labels: [0], measure: 1, addsUp: true });
    const pie = chooseCharts(named.columns, rows, told)!.measures[0]!.charts.find(({ type }) => type === "pie")!;
    const { spec } = drawingOf(named, pie, rows, ink, size);
    const { data } = spec as unknown as { data: { values: { share: string; y: number }[] } };
    expect(data.values.map(({ share, y }) => [share, y])).toEqual([
      ["North: 75%", 30],
      ["South: 25%", 10],
    ]);
  });
  it("has no values over more bars than have room", () => {
    const { page } = example("a-series");
    const named = { columns: page.columns, labels: ["month", "revenue"] };
    const bars = (width: number) =>
      drawingOf(named, chartsOf("a-series")[1]!, page.rows, ink, { ...size, width }).spec as unknown as {
        layer: unknown[];
      };
    expect(bars(1000).layer).toHaveLength(2);
    expect(bars(300).layer).toHaveLength(1);
  });
  it("says where a line does not begin at 0, and begins there where it moves", () => {
    const named = {
      columns: columns([
        ["month", "text"],
        ["n", "decimal"],
      ]),
      labels: ["month", "n"],
    };
    const cut = (values: number[]) => {
      const rows = values.map((v, m) => [`2024-0${m + 1}`, String(v)]);
      const [chart] = chooseCharts(named.columns, rows, null)!.measures[0]!.charts;
      return drawingOf(named, chart!, rows, ink, size).cut;
    };
    expect(cut([1000, 1010, 990])).toBe(true);
    expect(cut([1000, 200, 990])).toBe(false);
  });
  it("keeps text of the database as data: nothing opens, loads or computes from it", () => {
    const rows = [
      ["<img src=x onerror=alert(1)>", "2"],
      ['https://example.com"]; alert(1)', "1"],
      [null, "3"],
    ];
    const named = {
      columns: columns([
        ["name", "text"],
        ["n", "decimal"],
      ]),
      labels: ["name", "n"],
    };
    const [chart] = chooseCharts(named.columns, rows, null)!.measures[0]!.charts;
    const { data, ...rest } = drawingOf(named, chart!, rows, ink, size).spec as unknown as { data: unknown };
    expect(JSON.stringify(data)).toContain("onerror");
    const spec = JSON.stringify(rest);
    for (const never of ["onerror", "example.com", "href", '"url"', "Expr", "signal"])
      expect(spec).not.toContain(never);
    expect(pointInWords(named, chart!, rows[2]!)).toBe("no name: 3");
  });
  it("is described for those who do not see it", () => {
    const { page } = example("a-series");
    const named = { columns: page.columns, labels: ["month", "revenue"] };
    expect(told(named, chartsOf("a-series")[0]!, page.rows)).toBe(
      "Line chart of revenue by month, 12 months. Highest: Dec 2024: 97,310.55. Lowest: Feb 2024: 38,950.00.",
    );
  });
});

describe("colours that tell apart", () => {
  const light = (hex: string) => {
    const part = (at: number) => {
      const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  };
  const contrast = (a: string, b: string) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };
  it("have 3:1 on the background of their theme", () => {
    for (const colour of LIGHT) expect(contrast(colour, "#ffffff"), colour).toBeGreaterThanOrEqual(3);
    for (const colour of DARK) expect(contrast(colour, "#141618"), colour).toBeGreaterThanOrEqual(3);
  });
});

it("leaves out remembered choices that are none", () => {
  expect(readChoices('{"a":{"type":"bar","measure":"n"},"b":{"type":"map","measure":"n"},"c":1}')).toEqual({
    a: { type: "bar", measure: "n" },
  });
  expect(readChoices("[")).toEqual({});
});
