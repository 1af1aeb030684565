// Tells the steps of a made-up query, so that what columns are made of always fits together.

import type {
  ExplainedColumn,
  ExplainedStep,
  Explanation,
  ExplanationCheck,
  UsedTable,
} from "../../src/host/bindings";

type Kind = "table" | "join" | "filter" | "group" | "project" | "set" | "order" | "limit" | "window";

interface Told
  extends Pick<ExplainedStep, "note" | "reads" | "columns" | "rows">,
    Partial<Pick<ExplainedStep, "grain" | "sample" | "sql" | "view">> {
  kind: Kind;
  /** How the step is called, without its number. */
  as: string;
}

export class Story {
  readonly steps: ExplainedStep[] = [];
  readonly checks: ExplanationCheck[] = [];
  private readonly tables = new Map<string, UsedTable>();

  table(table: string, rows: number | null, columns: UsedTable["columns"]) {
    this.tables.set(table, { table, rows, columns });
    return this;
  }

  /** Adds a step and gives its name. */
  step({ kind, as, note, reads, columns, rows, grain, sample = [], sql, view }: Told): string {
    const name = `s${this.steps.length + 1}_${as}`;
    const query = sql ?? `SELECT ${columns.map((c) => c.name).join(", ")}\nFROM ${reads.join("\nJOIN ")}`;
    this.steps.push({
      name,
      kind,
      note,
      sql: query,
      runs: `WITH … ${query}`,
      reads,
      rows,
      grain: grain ?? null,
      columns,
      sample,
      view: view ?? null,
    });
    return name;
  }

  check(step: string, code: string, text: string, mayChange = false) {
    this.checks.push({ code, step, text, mayChange });
    return this;
  }

  told(rest: Pick<Explanation, "understood" | "question">): Explanation {
    return {
      ...rest,
      rewritten: {
        task: rest.understood.join("; "),
        outputs: [],
        filters: [],
        ordering: "",
        direction: "none",
        rows: 0,
        ties: false,
      },
      selection: [...this.tables.values()],
      steps: this.steps,
      proven: true,
      unproven: null,
      checks: this.checks,
    };
  }
}

/** A column, and what it is made of: `source.column`. */
export const column = (name: string, ...from: string[]): ExplainedColumn => ({
  name,
  from: from.map((path) => {
    const dot = path.indexOf(".");
    return { source: path.slice(0, dot), column: path.slice(dot + 1) };
  }),
});

/** Columns handed on as they are. */
export const kept = (source: string, ...names: string[]) => names.map((name) => column(name, `${source}.${name}`));
