// Languages of the editor: highlighting, completion.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  ifNotIn,
} from "@codemirror/autocomplete";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { keywordCompletionSource, type SQLDialect, schemaCompletionSource } from "@codemirror/lang-sql";
import { LanguageSupport } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { t } from "@lingui/core/macro";
import type { Catalog, Dialect, FoundName } from "../../host/bindings";
import { editorDialect } from "../../kit/sqlDialect";
import type { Search } from "../../kit/useSearchResults";
import { isReserved, quoteName } from "./quote";
import { columnsOf, completionSchema, namesOf, tablesNamedIn } from "./schema";

/** Names offered at a time where they are looked up. */
export const COMPLETIONS = 50;

/** A word as it is typed. */
const WORD = /[\p{L}\p{N}_$]+$/u;
/** Where neither words of the language nor names are begun. */
const ELSEWHERE = ["QuotedIdentifier", "String", "LineComment", "BlockComment", "."];

/** SQL with completion of the catalog's names; those of a large catalog are looked up as they are typed. */
export function sqlLanguage(
  dialect: Dialect | null,
  catalog: Catalog | null,
  namesAway: Search<FoundName> | null,
): Extension {
  const lang = editorDialect(dialect);
  const sources: CompletionSource[] = [
    schemaCompletionSource({ dialect: lang, schema: completionSchema(catalog, dialect) }),
    columnsSource(catalog, dialect),
    keywordsSource(lang, catalog, dialect),
  ];
  if (namesAway && "away" in namesAway) sources.push(namesSource(namesAway.away, dialect));
  return new LanguageSupport(
    lang.language,
    sources.map((autocomplete) => lang.language.data.of({ autocomplete })),
  );
}

/** Completes a word by the columns of the tables that the query names, wherever in it. */
function columnsSource(catalog: Catalog | null, dialect: Dialect | null): CompletionSource {
  return ifNotIn(ELSEWHERE, (context) => {
    const word = context.matchBefore(WORD);
    if (!word || context.matchBefore(/(\.|\b(from|join)\s+)[\p{L}\p{N}_$]+$/iu)) return null;
    const columns = tablesNamedIn(context.state.sliceDoc(), catalog).flatMap((table) => columnsOf(table, dialect));
    const options = [...new Map(columns.map((column) => [column.label, column])).values()];
    return options.length === 0 ? null : { from: word.from, options, validFor: WORD };
  });
}

/**
 * Completes a word by those of the language, in capitals. Not behind a dot, and not by one that is the name of something in the catalog
 * (`password`): in a case-sensitive engine the word would name nothing. One that is reserved means itself.
 */
function keywordsSource(lang: SQLDialect, catalog: Catalog | null, dialect: Dialect | null): CompletionSource {
  const names = namesOf(catalog);
  const words = keywordCompletionSource(lang, true);
  return async (context) => {
    if (context.matchBefore(/\.[\p{L}\p{N}_$]*$/u)) return null;
    const found = await words(context);
    if (!found) return null;
    const isName = ({ label }: Completion) => names.has(label.toLowerCase()) && !isReserved(label, dialect);
    return { ...found, options: found.options.filter((option) => !isName(option)) };
  };
}

/** Completes a word by names that a callback looks up. */
function namesSource(find: (typed: string) => Promise<FoundName[]>, dialect: Dialect | null) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(WORD);
    if (!word && !context.explicit) return null;
    // A failed lookup only means that nothing is suggested.
    const found = await find(word?.text ?? "").catch(() => []);
    if (context.aborted || found.length === 0) return null;
    const options = found.map(({ name, kind, table }) => ({
      label: name,
      type: kind === "table" ? "type" : "property",
      detail: kind === "table" ? table : t`column of ${table}`,
      apply: quoteName(name, dialect),
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
