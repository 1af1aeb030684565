// The parameters of the published methods, as the settings page shows them. Bounds are those that the program checks;
// the papers' values are in the kit.

import type { Methods } from "../../host/bindings";
import { PAPER_METHODS } from "../../kit/methods";

export type Method = keyof Methods;
export type Value = number | string | null;

interface Words {
  label: string;
  help: string;
}
export interface NumberOf extends Words {
  kind: "number";
  min: number;
  max: number;
  /** Whether nothing means that the size of model and schema decide. */
  automatic?: true;
}
export interface OneOf extends Words {
  kind: "choice";
  /** Without a value: what the size of the model decides. */
  choices: { value: string | null; label: string; note?: string }[];
}
export type Parameter = NumberOf | OneOf;

const number = (label: string, help: string, min: number, max: number): NumberOf => ({
  kind: "number",
  label,
  help,
  min,
  max,
});
const automatic = (label: string, help: string, min: number, max: number): NumberOf => ({
  ...number(label, help, min, max),
  automatic: true,
});

/** Every parameter of every method, in the order of its use. */
export const PARAMETERS: { [M in Method]: Record<keyof Methods[M], Parameter> } = {
  "dsr-sql": {
    samples: number("Table selections", "Made independently. A table that any of them names is kept.", 1, 16),
    probes: number(
      "Probing queries",
      "Number of queries that explore the data before the final query is written.",
      1,
      20,
    ),
    steps: automatic(
      "Steps",
      "Maximum number of steps. Automatic: 20, or 10 if the whole schema fits into one request.",
      1,
      50,
    ),
    fixes: number("Corrections", "Maximum for the query of one step.", 0, 10),
  },
  "chase-sql": {
    candidates: automatic(
      "Queries per generator",
      "There are three generators. Automatic: 7, or 3 with a local model.",
      1,
      32,
    ),
    examples: automatic(
      "Examples of each kind",
      "Synthetic questions with SQL for this database. Automatic: 75 in total, or 3 of each kind if the model's context is small.",
      1,
      75,
    ),
    fixes: number("Corrections", "Maximum for one query that fails or returns no rows.", 0, 10),
    select: {
      kind: "choice",
      label: "Choice of the answer",
      help: "How one of the results is chosen.",
      choices: [
        { value: null, label: "Automatic", note: "Pairwise with a large model, otherwise the most common result" },
        { value: "pairwise", label: "Pairwise", note: "Compares every pair of results in both orders" },
        { value: "self-consistency", label: "Most common result", note: "No additional request" },
        { value: "ranker", label: "Ranking", note: "One request ranks all results" },
      ],
    },
    compared: number("Results compared", "Maximum number. The most common results are compared.", 2, 16),
  },
  reforce: {
    votes: number("Votes", "Number of queries that vote by their results.", 1, 64),
    rounds: number("Corrections", "Maximum for one query that fails or returns no rows.", 0, 10),
    explore: {
      kind: "choice",
      label: "Explore columns",
      help: "When probing queries are run.",
      choices: [
        { value: "tie", label: "After a tie", note: "If the vote has no winner" },
        { value: "always", label: "Always", note: "Before any query is written" },
      ],
    },
    probes: number("Probing queries", "Maximum number of queries that explore columns.", 1, 20),
    link_above: number(
      "Select tables above",
      "Schema size in tokens. A smaller schema is used whole.",
      0,
      10_000_000,
    ),
  },
  prospy: {
    prunings: number("Pruning rounds", "Maximum for each pass. A pass ends early if it removes nothing.", 1, 10),
    views: number("Views", "Maximum number, fetched one after another.", 1, 12),
    view_rows: number("Rows per view", "Maximum number of rows that are kept.", 1, 10_000_000),
    executions: number("Analysis executions", "Maximum number, including those after a correction.", 1, 10),
  },
};

/** The keys of one method's parameters, in order. */
export function keysOf(method: Method): string[] {
  return Object.keys(PARAMETERS[method]);
}

export function parameterOf(method: Method, key: string): Parameter {
  return (PARAMETERS[method] as Record<string, Parameter>)[key]!;
}

export function valueIn(methods: Methods, method: Method, key: string): Value {
  return (methods[method] as Record<string, Value>)[key] ?? null;
}

export function withValue(methods: Methods, method: Method, key: string, value: Value): Methods {
  return { ...methods, [method]: { ...methods[method], [key]: value } };
}

/** Whether all parameters of a method have the paper's values. */
export function asInPaper(methods: Methods, method: Method): boolean {
  return keysOf(method).every((key) => valueIn(methods, method, key) === valueIn(PAPER_METHODS, method, key));
}

export function reset(methods: Methods, method: Method): Methods {
  return { ...methods, [method]: PAPER_METHODS[method] };
}
