// Explains an edited query below the editor, in place of its rows: what it does in words, or the plan of its engine.

import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { useState } from "react";
import { ExplanationView } from "../features/explain/ExplanationView";
import type { ExplainedQuery } from "../features/explain/state";
import { PlanView } from "../features/plan/PlanView";
import type { Dialect } from "../host/bindings";
import { IconButton } from "../kit/button";

type ExplanationKind = "words" | "plan";

/** `onRows` shows the rows of a step, by its query. */
export function useExplain(
  query: Omit<ExplainedQuery, "sql">,
  dialect: Dialect | null,
  onRows: (sql: string) => void,
) {
  const [shown, setShown] = useState<{ sql: string; by: ExplanationKind } | null>(null);
  /** Explaining the same query again in the same way closes the explanation. */
  const explainBy = (by: ExplanationKind) => (sql: string) =>
    setShown(shown?.sql === sql && shown.by === by ? null : { sql, by });
  const title = shown?.by === "plan" ? t`Database plan` : t`Explanation`;
  return {
    explaining: shown?.by === "words",
    planning: shown?.by === "plan",
    explain: explainBy("words"),
    plan: explainBy("plan"),
    hide: () => setShown(null),
    pane: shown !== null && (
      <section aria-label={title} className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center justify-between border-line border-b py-1 pr-2 pl-4 text-fg-2 text-sm">
          <h2>{title}</h2>
          <IconButton size="sm" label={t`Close`} onClick={() => setShown(null)}>
            <X size={14} />
          </IconButton>
        </div>
        {shown.by === "plan" ? (
          <PlanView warehouse={query.warehouse} sql={shown.sql} />
        ) : (
          <ExplanationView
            query={{ ...query, sql: shown.sql }}
            dialect={dialect}
            onRows={(rows) => {
              setShown(null);
              onRows(rows);
            }}
          />
        )}
      </section>
    ),
  };
}
