import { t } from "@lingui/core/macro";
import { Panel } from "@xyflow/react";
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { IconButton } from "../button";
import { SearchInput } from "../field";
import { isShortcut } from "../shortcuts";

/** The search text of a diagram, and the matching cards. */
export function useFind(search: (typed: string) => string[]) {
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const found = useMemo(() => search(typed ?? ""), [search, typed]);
  return {
    shown: typed !== null,
    typed: typed ?? "",
    found,
    at: Math.min(at, Math.max(0, found.length - 1)),
    setAt,
    open: () => setTyped((now) => now ?? ""),
    type: (next: string) => {
      setTyped(next);
      setAt(0);
    },
    close: () => setTyped(null),
    /** Opens on its shortcut; whether that was it. */
    onKey: (event: KeyboardEvent) => {
      if (!isShortcut(event, "findInGraph")) return false;
      setTyped((now) => now ?? "");
      return true;
    },
  };
}

type Finding = ReturnType<typeof useFind>;

/** Opens the search of a diagram. */
export function FindButton({ find }: { find: Finding }) {
  return (
    <IconButton size="sm" label={t`Find in the graph`} command="findInGraph" pressed={find.shown} onClick={find.open}>
      <Search size={13} />
    </IconButton>
  );
}

/** Looks for cards while it is open: Enter goes to the next one, Escape to the card that was found. */
export function Find({
  find: { shown, typed, type, found: cards, at },
  onGo,
  onClose,
}: {
  find: Finding;
  onGo: (to: number) => void;
  onClose: () => void;
}) {
  if (!shown) return null;
  const found = cards.length;
  const step = (by: number) => found > 0 && onGo((at + by + found) % found);
  return (
    <Panel
      position="top-left"
      className="m-3! flex items-center gap-0.5 rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      <SearchInput
        autoFocus
        value={typed}
        onChange={type}
        placeholder={t`Find in the graph`}
        className="w-52"
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className="nums min-w-16 px-1.5 text-center text-fg-2 text-sm">
        {typed.trim() === "" ? "" : found === 0 ? t`No matches` : t`${at + 1} of ${found}`}
      </span>
      <IconButton size="sm" label={t`Previous`} keys="shift+enter" onClick={() => step(-1)} disabled={found === 0}>
        <ChevronUp size={14} />
      </IconButton>
      <IconButton size="sm" label={t`Next`} keys="enter" onClick={() => step(1)} disabled={found === 0}>
        <ChevronDown size={14} />
      </IconButton>
      <IconButton size="sm" label={t`Close search`} keys="esc" onClick={onClose}>
        <X size={14} />
      </IconButton>
    </Panel>
  );
}
