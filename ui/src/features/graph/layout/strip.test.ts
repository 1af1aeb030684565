import { expect, it } from "vitest";
import { reforce, stage, thirty } from "../../../../test/fake/methodRuns";
import { stripLines, stripOf } from "./strip";

it("stays readable with thirty candidates", () => {
  const strip = stripOf(thirty, stage(thirty, "generator"))!;
  expect(strip).toMatchObject({ kind: "marks", more: 15 });
  expect(stripLines(stage(thirty, "generator"))).toBe(2);
});

it("marks the candidates whose result became the answer", () => {
  const strip = stripOf(reforce, stage(reforce, "generator-2"))!;
  const chosen = strip.kind === "marks" ? strip.marks.filter((m) => m.tone === "chosen").map((m) => m.number) : [];
  expect(chosen).toEqual([9, 10, 11, 13, 15, 16]);
  expect(stripOf(reforce, stage(reforce, "vote-1"))).toMatchObject({
    kind: "parts",
    parts: [{ tone: "plain" }, { tone: "plain" }, { tone: "doubtful" }],
  });
});
