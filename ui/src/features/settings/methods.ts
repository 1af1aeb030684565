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

/** Every parameter of every method, in the order in which it comes to matter. */
export const PARAMETERS: { [M in Method]: Record<keyof Methods[M], Parameter> } = {
  "dsr-sql": {
    samples: number("Selections of tables", "Made apart from each other; what any of them names is kept.", 1, 16),
    probes: number("Probing queries", "Look at the data before the answer is written.", 1, 20),
    steps: automatic(
      "Steps",
      "The most that the query takes to grow. Automatic is 20, or 10 where the whole schema fits into one request.",
      1,
      50,
    ),
    fixes: number("Corrections", "For the query of one step.", 0, 10),
  },
  "chase-sql": {
    candidates: automatic(
      "Queries written in each way",
      "There are three ways of writing. Automatic is 7, or 3 with a model on this computer.",
      1,
      32,
    ),
    examples: automatic(
      "Examples of each kind",
      "Questions with queries, made up for this database. Automatic is 75 in all, or 3 of each kind where the model's context is small.",
      1,
      75,
    ),
    fixes: number("Corrections", "For one query that does not run or finds nothing.", 0, 10),
    select: {
      kind: "choice",
      label: "How the answer is chosen",
      help: "Among the results of all queries.",
      choices: [
        { value: null, label: "Automatic", note: "In pairs with a large model, else the most common result" },
        { value: "pairwise", label: "In pairs", note: "Every two results are compared, both ways round" },
        { value: "self-consistency", label: "Most common result", note: "No further request" },
        { value: "ranker", label: "One ranking", note: "A single request ranks all results" },
      ],
    },
    compared: number("Results compared", "At most. The most common ones are taken.", 2, 16),
  },
  reforce: {
    votes: number("Votes", "Queries that vote by their results.", 1, 64),
    rounds: number("Corrections", "For one query that does not run or finds nothing.", 0, 10),
    explore: {
      kind: "choice",
      label: "Look at columns",
      help: "With probing queries.",
      choices: [
        { value: "tie", label: "After a tie", note: "Where the vote has no winner" },
        { value: "always", label: "Always", note: "Before any query is written" },
      ],
    },
    probes: number("Probing queries", "The most that looking at columns takes.", 1, 20),
    link_above: number(
      "Choose tables from",
      "Tokens that the schema takes. Below that it is read whole.",
      0,
      10_000_000,
    ),
  },
  prospy: {
    prunings: number(
      "Pruning rounds",
      "The most in each pass. A pass ends sooner where nothing more is left out.",
      1,
      10,
    ),
    views: number("Views", "Fetched one after another.", 1, 12),
    view_rows: number("Rows of a view", "The most that are kept.", 1, 10_000_000),
    executions: number("Runs of the analysis", "Those after a correction included.", 1, 10),
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

/** Whether everything about a method is as in its paper. */
export function asInPaper(methods: Methods, method: Method): boolean {
  return keysOf(method).every((key) => valueIn(methods, method, key) === valueIn(PAPER_METHODS, method, key));
}

export function reset(methods: Methods, method: Method): Methods {
  return { ...methods, [method]: PAPER_METHODS[method] };
}
