// What was understood of a question, as chips: what is measured, for what, of which rows, in which order. Read from the answer's query.

import { isTimeParameter } from "../domain/parameter";
import type { RunModel } from "../features/graph/model/model";
import type { Explanation, QueryCondition, SavedParameter } from "../host/bindings";
import { conditionsOf } from "./answer";
import { columnLabel } from "./headline";

export interface Chip {
  kind: "measure" | "group" | "filter" | "time" | "order";
  text: string;
  /** The query without the condition of the chip; null if it cannot be removed. */
  without: string | null;
  /** The constants that the chip can change. */
  parameters: SavedParameter[];
}

/** The chips of an answer. `conditions` are those of its query that can be changed, `limit` is its row limit. */
export function chipsOf(
  run: Pick<RunModel, "page" | "headline">,
  explanation: Explanation | null,
  conditions: QueryCondition[],
  limit: SavedParameter | null,
): Chip[] {
  const { page, headline } = run;
  if (!page || !headline) return [];
  const label = (at: number) => columnLabel(page.columns[at]!, headline.meanings[at]);
  const tells = (kind: Chip["kind"], text: string): Chip => ({ kind, text, without: null, parameters: [] });
  const single = headline.shape === "value" && page.columns.length === 1 ? 0 : null;
  const measure = headline.measure ?? single;
  const grouped = explanation?.steps.some(({ kind }) => kind === "group") ?? false;
  const filters = conditions.map(({ text, parameters, without }): Chip => {
    return { kind: parameters.some(isTimeParameter) ? "time" : "filter", text, without, parameters };
  });
  const known = new Set(conditions.flatMap(({ text, variants }) => [text, ...variants]));
  const others = conditionsOf(run, explanation).filter((text) => !known.has(text));
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
