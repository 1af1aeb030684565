import { Dialog } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Search } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { findNames } from "../domain/catalogNames";
import { useNamesAway } from "../features/catalog/large";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { useConnections } from "../features/connections/state";
import type { FoundName, RunSummary } from "../host/bindings";
import { host } from "../host/host";
import { cx } from "../kit/cx";
import { Keys } from "../kit/keys";
import { lazyRecord } from "../kit/lazyRecord";
import { type Search as Searching, useSearchResults } from "../kit/useSearchResults";
import { useUi } from "../navigation/uiState";
import { filterItems, nameItems, paletteItems, questionItems } from "./commands";
import type { PaletteItem } from "./paletteItem";

const SHOWN = 40;
/** Names of tables and columns among them. */
const NAMED = 8;
/** Questions of the history among them. */
const ASKED = 20;
const GROUP_NAMES: Record<PaletteItem["group"], string> = lazyRecord({
  Run: () => t`This question`,
  Actions: () => t`Actions`,
  Tables: () => t`Tables and columns`,
  Questions: () => t`Questions`,
  "Saved questions": () => t`Saved questions`,
  Warehouses: () => t`Warehouses`,
});
const FIRST = { Run: 20, Actions: 20, Tables: 0, Questions: 5, "Saved questions": 4, Warehouses: 4 };

/** The whole history, by names, questions and queries. */
const HISTORY: Searching<RunSummary> = { away: (typed) => host().history(typed, null, ASKED, 0) };

/** Tables and columns of the open warehouse that are called so. */
function useNamesFound(typed: string): FoundName[] {
  const data = useConnections((s) => s.current?.uri ?? null);
  const catalog = useCatalogs((s) => (data ? (s.entries[data]?.catalog ?? null) : null));
  const away = useNamesAway(data, NAMED);
  useEffect(() => {
    if (data) void loadCatalog(data);
  }, [data]);
  const search = useMemo(
    () => away ?? (catalog && { here: (text: string) => findNames(catalog, text, NAMED) }),
    [away, catalog],
  );
  return useSearchResults(search, typed.trim() === "" ? null : typed.trim());
}

/** Everything by name: actions, tables and columns, questions, saved questions, data. */
export function Palette() {
  const open = useUi((s) => s.palette);
  const picked = useRef<PaletteItem | null>(null);
  const popup = useRef<HTMLDivElement>(null);
  /** The element that had the focus before. The field takes it as it appears, before the dialog could record it. */
  const before = useRef<Element | null>(null);
  useEffect(
    () =>
      useUi.subscribe(({ palette }, last) => {
        if (palette && !last.palette) before.current = document.activeElement;
      }),
    [],
  );
  /** The focus goes back, unless what was picked has moved it. */
  const back = () => {
    const at = document.activeElement;
    if (at !== document.body && !popup.current?.contains(at)) return false;
    return before.current instanceof HTMLElement && before.current.isConnected ? before.current : true;
  };
  const close = (item: PaletteItem | null = null) => {
    picked.current = item;
    useUi.setState({ palette: false });
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-(--scrim) transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          ref={popup}
          aria-label={t`Commands`}
          finalFocus={() => picked.current?.focus?.() ?? back()}
          className="pop-in fixed top-[14vh] left-1/2 z-40 w-140 max-w-[92vw] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-pop outline-none"
        >
          <Content onDone={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Content({ onDone }: { onDone: (picked: PaletteItem) => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const all = useMemo(paletteItems, []);
  const names = useNamesFound(typed);
  const asked = useSearchResults(HISTORY, typed.trim());
  const items = useMemo(() => {
    const hits = filterItems(all, typed);
    const questions = questionItems(asked, typed);
    const of = (...groups: PaletteItem["group"][]) => hits.filter(({ group }) => groups.includes(group));
    const found = [
      ...of("Run"),
      ...of("Actions"),
      ...nameItems(names),
      ...questions,
      ...of("Saved questions", "Warehouses"),
    ];
    if (typed.trim() !== "") return found.slice(0, SHOWN);
    const seen: Record<string, number> = {};
    return found.filter((i) => {
      if (i.sought) return false;
      seen[i.group] = (seen[i.group] ?? 0) + 1;
      return seen[i.group]! <= FIRST[i.group];
    });
  }, [all, names, asked, typed]);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const pick = (item: PaletteItem | undefined) => {
    if (!item) return;
    onDone(item);
    item.run();
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search size={16} className="text-fg-3" aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is for typing
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={items[at] ? `${id}-${at}` : undefined}
          aria-label={t`Search commands, tables and questions`}
          placeholder={t`Search commands, tables and questions`}
          value={typed}
          spellCheck={false}
          onChange={(e) => {
            setTyped(e.target.value);
            setAt(0);
          }}
          onKeyDown={(e) => {
            if (e.key === "ArrowDown") setAt(Math.min(items.length - 1, at + 1));
            else if (e.key === "ArrowUp") setAt(Math.max(0, at - 1));
            else if (e.key === "Enter") pick(items[at]);
            else return;
            e.preventDefault();
          }}
          className="h-12 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={t`Results`} className="max-h-[50vh] overflow-y-auto p-1.5">
        {items.length === 0 && (
          <p className="px-3 py-6 text-center text-fg-3">
            <Trans>No results.</Trans>
          </p>
        )}
        {items.map((item, i) => (
          <div key={item.id}>
            {item.group !== items[i - 1]?.group && (
              <div className="px-2.5 pt-2 pb-1 font-medium text-fg-3 text-xs">{GROUP_NAMES[item.group]}</div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the input above has the focus */}
            <div
              role="option"
              id={`${id}-${i}`}
              data-at={i}
              aria-selected={i === at}
              onMouseMove={() => setAt(i)}
              onClick={() => pick(item)}
              className={cx("flex h-8.5 items-center gap-2.5 rounded-md px-2.5", i === at && "bg-hover")}
            >
              <span className="text-fg-3">{item.icon}</span>
              <span className="min-w-0 flex-1 truncate">{item.label}</span>
              {item.note && <span className="nums shrink-0 text-fg-3 text-xs">{item.note}</span>}
              {item.command && <Keys command={item.command} />}
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
