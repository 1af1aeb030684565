// Languages of the editor: highlighting, completion.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { sql } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { t } from "@lingui/core/macro";
import type { Catalog, Dialect, FoundName } from "../../host/bindings";
import { editorDialect } from "../../kit/sqlDialect";
import type { Search } from "../../kit/useFound";
import { quoted } from "./quote";
import { completionSchema } from "./schema";

/** Names offered at a time where they are looked up. */
export const COMPLETIONS = 50;

/** SQL with completion of the catalog's names; those of a large catalog are looked up as they are typed. */
export function sqlLanguage(
  dialect: Dialect | null,
  catalog: Catalog | null,
  namesAway: Search<FoundName> | null,
): Extension {
  const language = sql({
    dialect: editorDialect(dialect),
    schema: completionSchema(catalog, dialect),
    upperCaseKeywords: true,
  });
  if (!namesAway || !("away" in namesAway)) return language;
  return [language, language.language.data.of({ autocomplete: namesSource(namesAway.away, dialect) })];
}

/** Completes a word by names that somebody else looks up. */
export function namesSource(find: (typed: string) => Promise<FoundName[]>, dialect: Dialect | null) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}\p{N}_$]+$/u);
    if (!word && !context.explicit) return null;
    // What cannot be looked up is only not offered.
    const found = await find(word?.text ?? "").catch(() => []);
    if (context.aborted || found.length === 0) return null;
    const options = found.map(({ name, kind, table }) => ({
      label: name,
      type: kind === "table" ? "type" : "property",
      detail: kind === "table" ? table : t`column of ${table}`,
      apply: quoted(name, dialect),
    }));
    // The host has chosen and ordered them.
    return { from: word?.from ?? context.pos, options, filter: false };
  };
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
