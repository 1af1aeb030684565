// What was understood of a question, as chips: what is measured, for what, of which rows, in which order. Read from the answer's query.

import type { RunModel } from "../features/graph/model/model";
import type { Explanation, QueryCondition, SavedParameter } from "../host/bindings";
import { conditionsOf } from "./answer";
import { columnLabel } from "./headline";

export interface Chip {
  kind: "measure" | "group" | "filter" | "time" | "order";
  text: string;
  /** The condition that the chip can remove; null if it only tells. */
  condition: QueryCondition | null;
  /** The constants that the chip can change. */
  parameters: SavedParameter[];
}

/** Names of parts of dates, which the program gives to a constant that is compared with one. */
const DATE_PARTS = ["year", "quarter", "month", "week", "day"];

/** The chips of an answer. `conditions` are those of its query that can be removed, `limit` is its row limit. */
export function chipsOf(
  run: Pick<RunModel, "page" | "headline">,
  explanation: Explanation | null,
  conditions: QueryCondition[],
  limit: SavedParameter | null,
): Chip[] {
  const { page, headline } = run;
  if (!page || !headline) return [];
  const label = (at: number) => columnLabel(page.columns[at]!, headline.meanings[at]);
  const tells = (kind: Chip["kind"], text: string): Chip => ({ kind, text, condition: null, parameters: [] });
  const single = headline.shape === "value" && page.columns.length === 1 ? 0 : null;
  const measure = headline.measure ?? single;
  const grouped = explanation?.steps.some(({ kind }) => kind === "group") ?? false;
  const filters = conditions.map((condition): Chip => {
    const { text, parameters } = condition;
    return { kind: isTime(condition) ? "time" : "filter", text, condition, parameters };
  });
  const told = conditionsOf(run, explanation);
  // As many of both are the same conditions, maybe in other words.
  const others =
    told.length === conditions.length ? [] : told.filter((text) => !conditions.some((own) => own.text === text));
  const order = explanation?.rewritten?.ordering ?? "";
  return [
    ...(measure !== null && page.columns[measure] ? [tells("measure", label(measure))] : []),
    ...(grouped ? headline.labels.map((at) => tells("group", label(at))) : []),
    ...filters,
    ...others.map((text) => tells("filter", text)),
    ...(order !== "" || limit
      ? [{ ...tells("order", order || (limit?.value ?? "")), parameters: limit ? [limit] : [] }]
      : []),
  ];
}

function isTime({ parameters }: QueryCondition): boolean {
  return parameters.some(({ kind, name }) => kind === "date" || DATE_PARTS.includes(name.replace(/_\d+$/, "")));
}
