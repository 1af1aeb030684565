// Languages of the editor: highlighting, completion.

import type { Completion } from "@codemirror/autocomplete";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { sql } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { t } from "@lingui/core/macro";
import type { Catalog, Dialect } from "../../host/bindings";
import { editorDialect } from "../../kit/sqlDialect";
import { completionSchema } from "./schema";

export function sqlLanguage(dialect: Dialect | null, catalog: Catalog | null): Extension {
  return sql({ dialect: editorDialect(dialect), schema: completionSchema(catalog), upperCaseKeywords: true });
}

/** Python with completion of table names. */
export function pythonOver(views: string[]): Extension {
  const options: Completion[] = [
    ...views.map((label) => ({ label, type: "variable", detail: t`view` })),
    { label: "result", type: "variable", detail: t`the answer` },
  ];
  return [
    python(),
    pythonLanguage.data.of({
      autocomplete: (context: { matchBefore(e: RegExp): { from: number; to: number } | null; explicit: boolean }) => {
        const word = context.matchBefore(/\w+$/);
        return word || context.explicit ? { from: word?.from ?? 0, options } : null;
      },
    }),
  ];
}
