import { describe, expect, it } from "vitest";
import type { ResultColumn } from "../../host/bindings";
import { copyText, pickCells, toHtml, toTsv } from "./copy";
import { freezeColumns, hideColumn, isMoved, moveColumn, newLayout, showAll, visibleColumns } from "./layout";

const COLUMNS: ResultColumn[] = [
  { name: "id", type: "integer" },
  { name: "note", type: "text" },
  { name: "total", type: "decimal" },
];
const ROWS = [
  ["9223372036854775807", 'say "hi"', "123456789012345678.10"],
  ["2", "two\nlines | a\\b", null],
  ["3", "", "0.10"],
];

describe("copying", () => {
  it("writes tab-separated text, quoting what needs it", () => {
    expect(toTsv([["1", 'say "hi"', null]])).toBe('1\t"say ""hi"""\t');
    expect(toTsv([["2", "two\nlines", "x\ty"]])).toBe('2\t"two\nlines"\t"x\ty"');
    expect(copyText("tsv", COLUMNS.slice(0, 1), [["1"]])).toBe("id\n1");
  });
  it("leaves a value that looks like a formula as it is", () => {
    expect(toTsv([["=1+1", "-3", "@x"]])).toBe("=1+1\t-3\t@x");
  });
  it("writes CSV in which NULL and the empty text differ", () => {
    expect(copyText("csv", COLUMNS, ROWS)).toBe(
      'id,note,total\n9223372036854775807,"say ""hi""",123456789012345678.10\n2,"two\nlines | a\\b",\n3,"",0.10',
    );
  });
  it("writes Markdown that no value can break", () => {
    expect(copyText("markdown", COLUMNS, ROWS.slice(1, 2))).toBe(
      "| id | note | total |\n| ---: | --- | ---: |\n| 2 | two<br>lines \\| a\\\\b |  |",
    );
  });
  it("writes JSON with all digits", () => {
    const text = copyText("json", COLUMNS, ROWS);
    expect(text).toContain('{"id": 9223372036854775807, "note": "say \\"hi\\"", "total": 123456789012345678.10}');
    expect(text).toContain('"total": null');
    expect(() => JSON.parse(text)).not.toThrow();
    expect(JSON.parse(copyText("json", [{ name: "j", type: "nested" }], [['{"a":1}'], ["{broken"]]))).toEqual([
      { j: { a: 1 } },
      { j: "{broken" },
    ]);
    expect(copyText("json", [COLUMNS[0]!, COLUMNS[0]!], [["1", "NaN"]])).toBe('[\n  {"id": 1, "id_2": "NaN"}\n]');
  });
  it("begins with the question where text is read, and never where rows become cells", () => {
    const asked = "How many *stores*\n# are there?";
    const copied = (format: "tsv" | "csv" | "json" | "markdown") => copyText(format, COLUMNS, ROWS.slice(2), asked);
    for (const format of ["tsv", "csv", "json"] as const) {
      expect(copied(format)).toBe(copyText(format, COLUMNS, ROWS.slice(2)));
    }
    expect(copied("markdown")).toBe(
      "How many \\*stores\\* \\# are there?\n\n| id | note | total |\n| ---: | --- | ---: |\n| 3 |  | 0.10 |",
    );
  });
  it("writes a table for documents that no value can break", () => {
    const html = toHtml(COLUMNS, [["1", '<img src=x onerror="a">', null]], "a < b?");
    const page = new DOMParser().parseFromString(html, "text/html");
    expect(page.querySelector("p")?.textContent).toBe("a < b?");
    expect([...page.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["id", "note", "total"]);
    expect([...page.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual([
      "1",
      '<img src=x onerror="a">',
      "",
    ]);
    expect(page.querySelector("img")).toBeNull();
    expect(toHtml(COLUMNS, [])).not.toContain("<p>");
  });
  it("takes the columns in the order they are shown", () => {
    expect(pickCells(ROWS, [2, 0])[2]).toEqual(["0.10", "3"]);
  });
});

describe("columns", () => {
  it("are hidden, all but one, and shown again", () => {
    const look = hideColumn(hideColumn(newLayout(2), 0), 1);
    expect(visibleColumns(look)).toEqual([1]);
    expect(visibleColumns(showAll(look))).toEqual([0, 1]);
  });
  it("move among those that are seen", () => {
    const look = hideColumn(newLayout(4), 1);
    expect(visibleColumns(moveColumn(look, 0, 1))).toEqual([2, 0, 3]);
    expect(visibleColumns(moveColumn(look, 3, 0))).toEqual([3, 0, 2]);
    expect(moveColumn(look, 0, -1)).toBe(look);
    expect(isMoved(newLayout(3))).toBe(false);
    expect(isMoved(moveColumn(newLayout(3), 0, 1))).toBe(true);
  });
  it("stay frozen up to one, also when one of them is hidden", () => {
    const look = freezeColumns(newLayout(3), 1);
    expect(look.frozen).toBe(2);
    expect(hideColumn(look, 0).frozen).toBe(1);
    expect(hideColumn(look, 2).frozen).toBe(2);
    expect(freezeColumns(look, 1).frozen).toBe(0);
  });
});
