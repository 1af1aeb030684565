// The conditions that the chips of an answer edit, and the run that follows from an edit: the same query without a condition, or with
// other values. No model is asked.

import { useEffect, useState } from "react";
import type { RunModel } from "../features/graph/model/model";
import type { AppError, QueryCondition, SavedParameter } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { useLanguage } from "../kit/language";
import { runFrom, useSteering } from "../run/useSteering";

/** What the chips of an answer can change. */
export interface Editable {
  conditions: QueryCondition[];
  limit: SavedParameter | null;
}

const NOTHING: Editable = { conditions: [], limit: null };

interface Found extends Editable {
  key: string;
}

/** What can be edited of an answer's query; nothing while that is unknown, and where only SQL can tell. */
export function useEditable(run: RunModel): Editable {
  const { warehouse, sql, code, headline } = run;
  const steering = useSteering(run);
  const editable =
    code === null &&
    sql !== null &&
    (steering?.places.some(({ edits }) => edits.some(({ change }) => change.kind === "sql")) ?? false);
  const limited = headline?.limited === true;
  // They are worded in the language of the window.
  const language = useLanguage((s) => s.language);
  const key = editable ? JSON.stringify([warehouse, sql, language]) : "";
  const [found, setFound] = useState<Found>({ key: "", conditions: [], limit: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query
  useEffect(() => {
    if (key === "" || sql === null) return;
    let here = true;
    host()
      .queryConditions(warehouse, sql)
      .then(({ conditions, limit }) => here && setFound({ key, conditions, limit: limited ? limit : null }))
      // The chips only tell then.
      .catch(() => {});
    return () => {
      here = false;
    };
  }, [key, limited]);
  return found.key === key ? found : NOTHING;
}

/** Returns whether a chip can be removed or changed. */
export function isEditable({ conditions, limit }: Editable): boolean {
  return limit !== null || conditions.some(({ without, parameters }) => without !== null || parameters.length > 0);
}

/** Runs the answer's query with other values. Returns what is wrong with them. */
export async function runWithValues(run: RunModel, values: Record<string, string>): Promise<AppError | null> {
  try {
    const typed = Object.entries(values).map(([name, value]) => [name, { kind: null, value }] as const);
    const { sql } = await host().fillQuery(run.warehouse, run.sql ?? "", Object.fromEntries(typed));
    await runFrom(run.runId, [{ kind: "sql", sql }]);
    return null;
  } catch (thrown) {
    return toAppError(thrown);
  }
}

/** Runs the answer's query without a condition. */
export async function runWithout(run: RunModel, without: string): Promise<void> {
  await runFrom(run.runId, [{ kind: "sql", sql: without }]);
}
