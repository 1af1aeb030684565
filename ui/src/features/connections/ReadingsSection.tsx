import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { focusNeighbour } from "../../kit/focusNeighbour";
import { calendarDay, count } from "../../kit/format";
import { SqlText } from "../../kit/sqlText";
import { TextButton } from "../../kit/textButton";
import { forgetReading, loadReadings, useReadings } from "./readings";
import { useConnections } from "./state";

/** Readings shown at a time. */
const MOST = 20;

/** The interpretations that the user chose. Each applies when its question is asked again. */
export function ReadingsSection({ uri }: { uri: string }) {
  const kept = useReadings((s) => s.kept[uri]);
  const dialect = useConnections((s) => (s.current?.uri === uri ? s.current.dialect : null));
  const [all, setAll] = useState(false);
  useEffect(() => void loadReadings(uri), [uri]);
  if (!kept || kept.length === 0) return null;
  const shown = all ? kept : kept.slice(0, MOST);
  return (
    <section aria-label={t`Chosen interpretations`}>
      <h2 className="font-medium text-fg-2">
        <Trans>Chosen interpretations</Trans>
      </h2>
      <p className="mb-2 text-fg-3 text-sm">
        <Trans>When you ask a question again in the same words, Vitrine uses the interpretation you chose.</Trans>
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {shown.map((reading) => (
          <li key={reading.id} className="flex items-start gap-3 px-3 py-2">
            <Disclosure
              wrap
              className="min-w-0 flex-1"
              title={
                <span className="wrap-anywhere">
                  {reading.question} <span className="block text-fg-2 text-sm">{reading.meaning}</span>
                </span>
              }
              note={calendarDay(reading.chosenAt)}
            >
              <SqlText sql={reading.sql} dialect={dialect} />
            </Disclosure>
            <IconButton
              label={t`Forget the interpretation of ${reading.question}`}
              size="sm"
              data-removes
              onClick={(event) => {
                focusNeighbour(event.currentTarget);
                void forgetReading(uri, reading.id);
              }}
            >
              <X size={13} />
            </IconButton>
          </li>
        ))}
      </ul>
      {kept.length > shown.length && (
        <TextButton onClick={() => setAll(true)}>
          <Trans>Show {count(kept.length - shown.length)} more</Trans>
        </TextButton>
      )}
    </section>
  );
}
