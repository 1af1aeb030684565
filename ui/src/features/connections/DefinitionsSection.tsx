import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BookA, FileInput, MessageSquareText, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Definition } from "../../host/bindings";
import { host } from "../../host/host";
import { Button, IconButton } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { SearchInput, Textarea } from "../../kit/field";
import { focusNeighbour } from "../../kit/focusNeighbour";
import { count } from "../../kit/format";
import { hasFormDraft, setFormDraft } from "../../kit/formDrafts";
import { Menu, MenuItem } from "../../kit/menu";
import { Badge, Skeleton } from "../../kit/status";
import { DefinitionForm } from "./DefinitionForm";
import { keepDefinitions, loadDefinitions, readDefinitions, removeDefinition, useDefinitions } from "./definitions";
import { ImportPreview } from "./ImportPreview";

/** Definitions shown at a time. */
const MOST = 30;

const SOURCES: Record<Definition["source"], string | null> = {
  user: null,
  get comment() {
    return t`comment`;
  },
  dbt: "dbt",
};

/** The context of every question about this database: a text, and definitions. */
export function DefinitionsSection({ uri }: { uri: string }) {
  const known = useDefinitions((s) => s.kept[uri]);
  const { found, failed, reading } = useDefinitions();
  const placeOf = (before: Definition | null) => `definition ${uri} ${before?.term ?? ""}`;
  // A new one that was begun is open again.
  const [form, setForm] = useState<{ before: Definition | null } | null>(() =>
    hasFormDraft(placeOf(null)) ? { before: null } : null,
  );
  const [typed, setTyped] = useState("");
  const [all, setAll] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const close = () => {
    setForm(null);
    add.current?.focus();
  };
  useEffect(() => void loadDefinitions(uri), [uri]);
  if (!known) return <Skeleton className="h-32 rounded-lg" />;
  const words = typed.toLowerCase().split(/\s+/);
  const fits = known.entries.filter((entry) => {
    const text = [entry.term, ...entry.synonyms, entry.meaning, entry.subject, entry.condition]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const shown = all ? fits.slice(0, 500) : fits.slice(0, MOST);
  const pickDbt = async () => {
    const path = await host().pickOpenPath("dbt");
    if (path) await readDefinitions(uri, path);
  };
  const put = async (definition: Definition) => {
    const entries = form?.before
      ? known.entries.map((entry) => (entry === form.before ? definition : entry))
      : [definition, ...known.entries];
    if (!(await keepDefinitions(uri, { ...known, entries }))) return;
    setFormDraft(placeOf(form?.before ?? null), null);
    close();
  };
  return (
    <section aria-label={t`Definitions`}>
      <div className="mb-2 flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-medium text-fg-2">
            <Trans>Definitions</Trans>
          </h2>
          <p className="text-fg-3 text-sm">
            <Trans>
              Used for every question about this database. A definition applies when a question uses its term or a
              synonym.
            </Trans>
          </p>
        </div>
        <Menu
          align="end"
          trigger={
            <Button size="sm" icon={<FileInput size={14} />} busy={reading}>
              <Trans>Import</Trans>
            </Button>
          }
        >
          <MenuItem icon={<BookA size={14} />} onSelect={() => void pickDbt()}>
            <Trans>From dbt: schema.yml, manifest.json…</Trans>
          </MenuItem>
          <MenuItem icon={<MessageSquareText size={14} />} onSelect={() => void readDefinitions(uri, null)}>
            <Trans>From comments in the database</Trans>
          </MenuItem>
        </Menu>
        <Button ref={add} size="sm" data-stays icon={<Plus size={14} />} onClick={() => setForm({ before: null })}>
          <Trans>Add</Trans>
        </Button>
      </div>
      {failed && (
        <div className="mb-3">
          <ErrorNote error={failed} compact />
        </div>
      )}
      {found?.uri === uri && <ImportPreview from={found.from} read={found.read} />}
      <Textarea
        key={known.text}
        aria-label={t`Context for every question`}
        rows={3}
        maxLength={4000}
        defaultValue={known.text}
        placeholder={t`Context for every question: units, time zone, what to leave out. Saved when you leave the field.`}
        onBlur={(e) =>
          e.target.value.trim() !== known.text && void keepDefinitions(uri, { ...known, text: e.target.value })
        }
      />
      {form && (
        <DefinitionForm
          key={placeOf(form.before)}
          place={placeOf(form.before)}
          before={form.before}
          onKeep={(next) => void put(next)}
          onCancel={close}
        />
      )}
      {known.entries.length > MOST && (
        <SearchInput value={typed} onChange={setTyped} placeholder={t`Search definitions`} className="mt-3 w-64" />
      )}
      {shown.length > 0 && (
        <ul className="mt-3 flex flex-col">
          {shown.map((entry) => (
            <li
              key={`${entry.term} ${entry.subject ?? ""} ${entry.meaning}`}
              className="group -mx-2 flex items-start gap-2 rounded-md px-2 hover:bg-hover"
            >
              <button
                type="button"
                className="min-w-0 flex-1 rounded-md py-1.5 text-left"
                onClick={() => setForm({ before: entry })}
              >
                <span className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{entry.term}</span>
                  {entry.synonyms.length > 0 && (
                    <span className="text-fg-3 text-sm">{entry.synonyms.join(", ")}</span>
                  )}
                  {entry.subject && <code className="text-fg-3 text-xs">{entry.subject}</code>}
                  {entry.always && <Badge tone="accent">{t`always`}</Badge>}
                  {SOURCES[entry.source] && <Badge>{SOURCES[entry.source]}</Badge>}
                </span>
                <span className="wrap-anywhere line-clamp-3 block text-fg-2 text-sm">{entry.meaning}</span>
                {entry.condition && <code className="wrap-anywhere block text-fg-3 text-xs">{entry.condition}</code>}
              </button>
              <IconButton
                label={t`Remove ${entry.term}`}
                size="sm"
                className="mt-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
                data-removes
                onClick={(event) => {
                  focusNeighbour(event.currentTarget);
                  void removeDefinition(uri, entry);
                }}
              >
                <X size={13} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {fits.length > shown.length && (
        <Button size="sm" variant="quiet" className="mt-1" onClick={() => setAll(true)}>
          {all
            ? t`${count(fits.length - shown.length)} more: search for them`
            : t`Show ${count(fits.length - shown.length)} more`}
        </Button>
      )}
    </section>
  );
}
