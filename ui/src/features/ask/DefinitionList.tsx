import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { Definitions } from "../../host/bindings";
import { count } from "../../kit/format";
import { TextButton } from "../../kit/textButton";
import { listDefinitions } from "./definitions";

/** Definitions that are shown before the rest is asked for. */
const SHOWN = 5;

/** What the database's definitions say already, those named in the question first. */
export function DefinitionList({
  known,
  question,
  onEdit,
}: {
  known: Definitions;
  question: string;
  onEdit: () => void;
}) {
  const [all, setAll] = useState(false);
  const listed = listDefinitions(known.entries, question);
  const most = all ? listed.length : Math.max(SHOWN, listed.filter(({ named }) => named).length);
  const text = known.text.trim();
  return (
    <section aria-label={t`Definitions of this database`} className="px-1 pb-1 text-sm">
      <div className="flex items-baseline gap-3">
        <h3 className="font-medium text-fg-2">
          <Trans>Definitions of this database</Trans>
        </h3>
        <TextButton onClick={onEdit}>
          <Trans>Edit</Trans>
        </TextButton>
      </div>
      {listed.length === 0 && text === "" && (
        <p className="text-fg-3">
          <Trans>None yet.</Trans>
        </p>
      )}
      {text !== "" && (
        <p className="wrap-anywhere line-clamp-2 text-fg-2" title={text}>
          {text}
        </p>
      )}
      <ul className="max-h-48 overflow-y-auto">
        {listed.slice(0, most).map(({ definition, named }, i) => (
          <li key={i} className="wrap-anywhere py-0.5">
            <span className="font-medium">{definition.term}</span>
            {named && (
              <span className="ml-1.5 rounded-sm bg-accent-soft px-1 text-accent text-xs">
                <Trans>in your question</Trans>
              </span>
            )}
            {definition.always && (
              <span className="ml-1.5 rounded-sm bg-hover px-1 text-fg-2 text-xs">
                <Trans>applies to every query</Trans>
              </span>
            )}{" "}
            <span className="text-fg-2">{definition.meaning || definition.condition}</span>
          </li>
        ))}
      </ul>
      {listed.length > most && (
        <TextButton onClick={() => setAll(true)}>
          <Trans>Show {count(listed.length - most)} more</Trans>
        </TextButton>
      )}
    </section>
  );
}
