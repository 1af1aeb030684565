// Names of tables and columns for a question that is being written: `@` lists them, and one of them takes its place.

import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { findNames, prepareNames } from "../../domain/catalogNames";
import type { Catalog, FoundName } from "../../host/bindings";
import { type Search, useSearchResults } from "../../kit/useSearchResults";
import { MentionList } from "./MentionList";
import { type Mention, mentionAt, typedAfter, withName } from "./mention";

/** Names offered at most. */
export const NAMES = 12;

export interface MentionedNames {
  /** Where names come from; null while it is not known. */
  catalog: Catalog | null;
  /** Looks them up if the catalog is too large to be loaded. */
  namesAway: Search<FoundName> | null;
}

export function useMentions({
  area,
  text,
  onText,
  above,
  catalog,
  namesAway,
}: MentionedNames & {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  /** The position of the list: above or below the text. */
  above?: boolean;
}) {
  const [mention, setMention] = useState<Mention | null>(null);
  const [at, setAt] = useState(0);
  /** Where the caret goes; another object each time, since the text may stay the same. */
  const [caret, setCaret] = useState<{ at: number } | null>(null);
  /** Where the blank behind a name ends that was put in. */
  const blank = useRef<number | null>(null);
  const id = useId();
  const search = useMemo(
    () => namesAway ?? (catalog && { here: (typed: string) => findNames(catalog, typed, NAMES) }),
    [namesAway, catalog],
  );
  const names = useSearchResults(search, mention?.typed ?? null);
  const listed = mention !== null && names.length > 0;

  // Half a million names take a moment to read: before they are needed.
  useEffect(() => {
    if (!catalog || namesAway) return;
    const timer = setTimeout(() => prepareNames(catalog), 300);
    return () => clearTimeout(timer);
  }, [catalog, namesAway]);

  // Once the text has changed.
  useLayoutEffect(() => {
    if (caret === null) return;
    area.current?.focus();
    area.current?.setSelectionRange(caret.at, caret.at);
  }, [caret, area]);

  const put = (found: FoundName) => {
    if (!mention) return;
    const next = withName(text, mention, found.name);
    setCaret({ at: next.caret });
    blank.current = next.text[next.caret - 1] === " " ? next.caret : null;
    setMention(null);
    onText(next.text);
  };
  return {
    /** The text has changed, and the caret is there. */
    onType: (value: string, to: number) => {
      const mended = blank.current === null ? null : typedAfter(blank.current, value, to);
      blank.current = null;
      if (mended) setCaret({ at: mended.caret });
      onText(mended?.text ?? value);
      setMention(search && !mended ? mentionAt(value, to) : null);
      setAt(0);
    },
    /** True where the key was one of the list. */
    onKey: (event: KeyboardEvent): boolean => {
      if (!listed || event.shiftKey) return false;
      if (event.key === "ArrowDown") setAt((at + 1) % names.length);
      else if (event.key === "ArrowUp") setAt((at + names.length - 1) % names.length);
      else if (event.key === "Enter" || event.key === "Tab") put(names[at]!);
      else if (event.key === "Escape") setMention(null);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    close: () => setMention(null),
    aria: {
      "aria-autocomplete": "list" as const,
      "aria-controls": listed ? id : undefined,
      "aria-activedescendant": listed ? `${id}-${at}` : undefined,
    },
    list: mention && <MentionList id={id} names={names} at={at} above={above} onPick={put} />,
  };
}
