// The first rows of a step as a page that the small table shows.

import type { ExplainedStep, Page } from "../../host/bindings";

const NUMBER = /^-?\d+(\.\d+)?$/;

export function samplePage({ columns, sample, rows }: ExplainedStep): Page {
  return {
    columns: columns.map(({ name }, i) => {
      const values = sample.map((row) => row[i] ?? null).filter((value) => value !== null);
      const numbers = values.length > 0 && values.every((value) => NUMBER.test(value));
      return { name, type: numbers ? "decimal" : "text" };
    }),
    rows: sample,
    rowCount: rows ?? sample.length,
    truncated: false,
  };
}
