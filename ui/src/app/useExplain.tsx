// Explains an edited query below the editor, in place of its rows.

import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useState } from "react";
import { ExplanationView } from "../features/explain/ExplanationView";
import type { Explained } from "../features/explain/state";
import type { Dialect } from "../host/bindings";
import { IconButton } from "../kit/button";

/** `onRows` shows the rows of a step, by its query. */
export function useExplain(query: Omit<Explained, "sql">, dialect: Dialect | null, onRows: (sql: string) => void) {
  const [sql, setSql] = useState<string | null>(null);
  return {
    explaining: sql !== null,
    /** Explains a query; explaining the same query again closes the explanation. */
    explain: (next: string) => setSql(next === sql ? null : next),
    hide: () => setSql(null),
    pane: sql !== null && (
      <section aria-label={t`Explanation`} className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center justify-between border-line border-b py-1 pr-2 pl-4 text-fg-2 text-sm">
          <h2>
            <Trans>Explanation</Trans>
          </h2>
          <IconButton size="sm" label={t`Close`} onClick={() => setSql(null)}>
            <X size={14} />
          </IconButton>
        </div>
        <ExplanationView
          query={{ ...query, sql }}
          dialect={dialect}
          onRows={(rows) => {
            setSql(null);
            onRows(rows);
          }}
        />
      </section>
    ),
  };
}
