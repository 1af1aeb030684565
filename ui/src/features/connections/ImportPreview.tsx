import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { DefinitionImport } from "../../host/bindings";
import { Button } from "../../kit/button";
import { count, fileName } from "../../kit/format";
import { dismissImport, takeOver } from "./definitions";

/** Definitions shown before they are taken over. */
const MOST = 100;

/** The definitions found by an import, before they are imported. */
export function ImportPreview({ from, read }: { from: string; read: DefinitionImport }) {
  const more = read.found.length - MOST;
  return (
    <section aria-label={t`Import`} className="mb-3 rounded-lg border border-accent-line bg-accent-soft/40 px-4 py-3">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1">
          {read.found.length === 0
            ? t`Nothing new in ${fileName(from)}.`
            : t`${plural(read.found.length, { one: "# new definition", other: "# new definitions" })} in ${fileName(from)}`}
          {read.known > 0 && t`, ${count(read.known)} already present`}
        </p>
        <Button size="sm" onClick={dismissImport}>
          {read.found.length === 0 ? t`Close` : t`Cancel`}
        </Button>
        {read.found.length > 0 && (
          <Button size="sm" variant="primary" onClick={() => void takeOver()}>
            <Trans>Import definitions</Trans>
          </Button>
        )}
      </div>
      {read.notes.length > 0 && (
        <ul className="mt-1 text-fg-3 text-sm">
          {read.notes.map((note) => (
            <li key={note}>
              <Trans>Not imported: {note}.</Trans>
            </li>
          ))}
        </ul>
      )}
      {read.found.length > 0 && (
        <ul className="mt-2 max-h-64 overflow-y-auto text-sm">
          {read.found.slice(0, MOST).map((entry) => (
            <li key={`${entry.subject ?? ""} ${entry.term} ${entry.meaning}`} className="wrap-anywhere py-0.5">
              <span className="font-medium">{entry.term}</span>
              {entry.subject && <code className="ml-2 text-fg-3 text-xs">{entry.subject}</code>}
              <span className="ml-2 text-fg-2">{entry.meaning}</span>
            </li>
          ))}
          {more > 0 && (
            <li className="py-0.5 text-fg-3">
              <Trans>and {count(more)} more</Trans>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
