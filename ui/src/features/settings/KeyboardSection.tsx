import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../kit/button";
import { cx } from "../../kit/cx";
import { Disclosure } from "../../kit/disclosure";
import { listText } from "../../kit/format";
import { keysText, pressedKeys } from "../../kit/keyNames";
import { Keys } from "../../kit/keys";
import {
  FIXED,
  GROUP_NAMES,
  GROUPS,
  problemOf,
  resetAllKeys,
  resetKeys,
  SHORTCUT_IDS,
  SHORTCUTS,
  type ShortcutId,
  setKeys,
  shortcutsWithKeys,
  useKeysOf,
  useShortcuts,
} from "../../kit/shortcuts";

/** Every shortcut: a press on its keys, then the new keys. */
export function KeyboardSection() {
  const changed = useShortcuts((s) => Object.keys(s.chosen).length > 0);
  const [at, setAt] = useState<ShortcutId | null>(null);
  return (
    <>
      <div className="mb-1 flex min-h-8 items-center justify-between gap-4">
        <h2 className="font-semibold text-lg">
          <Trans>Keyboard</Trans>
        </h2>
        {changed && (
          <Button size="sm" onClick={resetAllKeys}>
            <Trans>Reset all</Trans>
          </Button>
        )}
      </div>
      <p className="mb-5 max-w-140 text-fg-2">
        <Trans>
          Select the keys of a shortcut here, then press the new ones. Shortcuts without {keysText("mod")} work only
          while you are not typing.
        </Trans>
      </p>
      {GROUPS.map((group) => (
        <section key={group} aria-labelledby={`keys-${group}`} className="mb-6">
          <h3 id={`keys-${group}`} className="mb-1 font-medium text-fg-3 text-sm">
            {i18n._(GROUP_NAMES[group])}
          </h3>
          <ul>
            {SHORTCUT_IDS.filter((id) => SHORTCUTS[id].group === group).map((id) => (
              <Row key={id} id={id} recording={at === id} onRecord={(on) => setAt(on ? id : null)} />
            ))}
          </ul>
        </section>
      ))}
      <Disclosure title={t`Fixed keys`} note={t`They navigate a page, as in any program`}>
        <dl className="pt-1">
          {FIXED.map(({ group, title, keys }) => (
            <div key={group + title.id} className="flex items-center justify-between gap-3 py-1">
              <dt className="text-fg-2">
                {i18n._(GROUP_NAMES[group])}: {i18n._(title)}
              </dt>
              <dd className="shrink-0">
                <Keys keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </>
  );
}

interface RowProps {
  id: ShortcutId;
  recording: boolean;
  onRecord: (on: boolean) => void;
}

function Row({ id, recording, onRecord }: RowProps) {
  const keys = useKeysOf(id);
  const own = useShortcuts((s) => s.chosen[id] !== undefined);
  const [tried, setTried] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const title = i18n._(SHORTCUTS[id].title);
  const problem = tried === "" ? null : problemOf(id, tried);
  const others = tried === "" ? [] : shortcutsWithKeys(id, tried);
  useEffect(() => {
    if (!recording) setTried("");
  }, [recording]);
  const done = (next: string | null) => {
    if (next !== null) setKeys(id, next);
    onRecord(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!recording) return;
    const pressed = pressedKeys(event.nativeEvent);
    if (pressed === "tab" || pressed === "shift+tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (pressed === null) return;
    if (pressed === "esc") done(null);
    else if (pressed === "backspace" || pressed === "delete") done("");
    else if (problemOf(id, pressed) || shortcutsWithKeys(id, pressed).length > 0) setTried(pressed);
    else done(pressed);
  };
  return (
    <li className="border-line border-b py-1.5 last:border-b-0">
      <div className="flex min-h-8 items-center gap-2">
        <span className="min-w-0 flex-1">{title}</span>
        {own && !recording && (
          <IconButton
            label={t`Reset “${title}” to ${keysText(SHORTCUTS[id].keys)}`}
            size="sm"
            onClick={() => resetKeys(id)}
          >
            <RotateCcw size={13} />
          </IconButton>
        )}
        <button
          ref={button}
          type="button"
          aria-pressed={recording}
          onClick={() => onRecord(!recording)}
          onKeyDown={onKeyDown}
          onBlur={(event) =>
            recording && !event.currentTarget.closest("li")?.contains(event.relatedTarget) && onRecord(false)
          }
          className={cx(
            "inline-flex h-7.5 min-w-24 items-center justify-center rounded-md border px-2 text-sm transition-colors",
            recording ? "border-accent bg-accent-soft text-accent" : "border-line-strong text-fg-3 hover:bg-hover",
          )}
        >
          <span className="sr-only">
            <Trans>Change “{title}”:</Trans>{" "}
          </span>
          {recording ? tried ? <Keys keys={tried} /> : t`Press keys…` : keys ? <Keys command={id} /> : t`None`}
        </button>
      </div>
      {recording && (
        <div role="status" className="flex min-h-7 items-center justify-end gap-2 text-sm">
          {problem ? (
            <span className="text-bad">
              {keysText(tried)}: {problem}
            </span>
          ) : others.length > 0 ? (
            <>
              <span className="text-warn">
                <Trans>
                  {keysText(tried)} is already used for{" "}
                  {listText(others.map((other) => `“${i18n._(SHORTCUTS[other].title)}”`))}.
                </Trans>
              </span>
              <Button size="sm" onClick={() => done(tried)}>
                <Trans>Use it here instead</Trans>
              </Button>
            </>
          ) : (
            <span className="text-fg-3">
              <Trans>Press Esc to keep the keys, {keysText("backspace")} to remove them.</Trans>
            </span>
          )}
        </div>
      )}
    </li>
  );
}
