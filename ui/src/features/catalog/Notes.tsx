import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Pencil, Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Definition, Table } from "../../host/bindings";
import { Button, IconButton } from "../../kit/button";
import { focusNeighbour } from "../../kit/focusNeighbour";
import { hasFormDraft, setFormDraft } from "../../kit/formDrafts";
import { Badge } from "../../kit/status";
import { definitionsOf } from "./columnKeys";
import { useGlossary } from "./glossary";
import { tableLabel } from "./search";

const SOURCES: Record<Definition["source"], string | null> = {
  user: null,
  get comment() {
    return t`comment`;
  },
  dbt: "dbt",
};

/**
 * Notes and synonyms of a table or a column. They are the connection's definitions, so that
 * models receive them with questions that use such a word.
 */
export function Notes({ table, column }: { table: Table; column: string | null }) {
  const { uri, known, keep, remove, Form } = useGlossary();
  const placeOf = (before: Definition | null) =>
    JSON.stringify(["note", uri, table.name, column, before?.term ?? null]);
  const [chosen, setEditing] = useState<{ before: Definition | null } | null | undefined>(undefined);
  const named = definitionsOf(known, table, column);
  const label = tableLabel(table.name);
  const what = column ?? label;
  // A note that was begun is open again.
  const begun = [null, ...named].find((before) => hasFormDraft(placeOf(before)));
  const editing = chosen !== undefined || begun === undefined ? chosen : { before: begun };
  /** The form is closed, and its button has the focus again. */
  const back = useRef(false);
  const close = () => {
    back.current = true;
    setEditing(null);
  };
  if (!known) return null;
  const put = async (definition: Definition) => {
    const before = editing?.before ?? null;
    const entries = before
      ? known.entries.map((entry) => (entry === before ? definition : entry))
      : [definition, ...known.entries];
    if (!(await keep({ ...known, entries }))) return;
    setFormDraft(placeOf(before), null);
    close();
  };
  return (
    <section aria-label={t`Notes on ${what}`}>
      {named.length > 0 && (
        <>
          <h4 className="text-fg-3 text-xs">
            <Trans>Notes and definitions</Trans>
          </h4>
          <ul>
            {named.map((definition) => (
              <li
                key={`${definition.term} ${definition.subject ?? ""} ${definition.meaning}`}
                className="flex items-start gap-1 text-fg-2 text-sm"
              >
                <span className="wrap-anywhere min-w-0 flex-1 py-0.5">
                  <span className="font-medium text-fg">{definition.term}</span>
                  {definition.synonyms.length > 0 && t` (also: ${definition.synonyms.join(", ")})`}
                  {definition.meaning !== "" && `: ${definition.meaning}`}
                  {SOURCES[definition.source] && (
                    <span className="ml-1.5">
                      <Badge>{SOURCES[definition.source]}</Badge>
                    </span>
                  )}
                  {definition.condition !== null && (
                    <code className="block text-fg-3 text-xs">{definition.condition}</code>
                  )}
                </span>
                <IconButton
                  label={t`Edit the note on ${definition.term}`}
                  size="sm"
                  onClick={() => setEditing({ before: definition })}
                >
                  <Pencil size={12} />
                </IconButton>
                <IconButton
                  label={t`Remove the note on ${definition.term}`}
                  size="sm"
                  data-removes
                  onClick={(event) => {
                    focusNeighbour(event.currentTarget);
                    remove(definition);
                  }}
                >
                  <X size={13} />
                </IconButton>
              </li>
            ))}
          </ul>
        </>
      )}
      {editing ? (
        <Form
          key={placeOf(editing.before)}
          place={placeOf(editing.before)}
          before={editing.before ?? newNote(column ?? table.name.name, column ? `${label}.${column}` : label)}
          label={editing.before ? t`Edit the note on ${editing.before.term}` : t`New note on ${what}`}
          onKeep={(definition) => void put(definition)}
          onCancel={close}
        />
      ) : (
        <Button
          ref={(button) => {
            if (!button || !back.current) return;
            back.current = false;
            button.focus();
          }}
          size="sm"
          variant="quiet"
          data-stays
          className="-ml-2.5"
          icon={<Plus size={13} />}
          aria-label={t`Add note or synonyms: ${what}`}
          onClick={() => setEditing({ before: null })}
        >
          <Trans>Add note or synonyms</Trans>
        </Button>
      )}
      {editing && (
        <p className="mt-1 text-fg-3 text-xs">
          <Trans>Sent to the model with every question that uses the term or a synonym.</Trans>
        </p>
      )}
    </section>
  );
}

function newNote(name: string, subject: string): Definition {
  return { term: inWords(name), synonyms: [], meaning: "", condition: null, always: false, subject, source: "user" };
}

/** A name as people say it: `order_total` and `OrderTotal` are "order total". */
function inWords(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
