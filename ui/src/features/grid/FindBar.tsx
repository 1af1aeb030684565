import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { RefObject } from "react";
import type { ResultColumn } from "../../host/bindings";
import { IconButton } from "../../kit/button";
import { SearchInput } from "../../kit/field";
import { count, listText } from "../../kit/format";
import { TextButton } from "../../kit/textButton";
import { filterWords } from "./filter";
import { type GridLayout, withFilter } from "./layout";
import { MOST_FOUND } from "./search";
import type { UnappliedLayout } from "./useResting";

/** The line above the rows: the search, the filters that are on, and what was on last time. */
export function FindBar({
  columns,
  look,
  search,
  found,
  at,
  field,
  onLook,
  onFilter,
  onSearch,
  onNext,
  onClose,
  resting,
}: {
  columns: ResultColumn[];
  look: GridLayout;
  /** Null if the search is closed. */
  search: string | null;
  /** Cells that were found; null until all rows are read. */
  found: number | null;
  /** Which of them is the current one, from 0; -1 if none is. */
  at: number;
  field: RefObject<HTMLDivElement | null>;
  onLook: (look: GridLayout) => void;
  onFilter: (column: number) => void;
  onSearch: (text: string) => void;
  onNext: (back: boolean) => void;
  onClose: () => void;
  resting: UnappliedLayout | null;
}) {
  const filters = Object.entries(look.filters);
  if (search === null && filters.length === 0 && !resting) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5 text-sm">
      {search !== null && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field in it
        <div
          ref={field}
          className="flex min-w-0 items-center gap-1"
          onKeyDown={(e) => {
            if (e.key === "Escape") {
              e.preventDefault();
              e.stopPropagation();
              onClose();
            } else if (e.key === "Enter") {
              e.preventDefault();
              onNext(e.shiftKey);
            }
          }}
        >
          <SearchInput
            value={search}
            onChange={onSearch}
            placeholder={t`Search rows`}
            className="w-60 min-w-24 shrink"
          />
          <span aria-live="polite" className="nums min-w-20 whitespace-nowrap px-1 text-fg-2">
            {search.trim() !== "" && found !== null && foundWords(found, at)}
          </span>
          <IconButton label={t`Previous`} keys="shift+enter" size="sm" disabled={!found} onClick={() => onNext(true)}>
            <ChevronUp size={14} />
          </IconButton>
          <IconButton label={t`Next`} keys="enter" size="sm" disabled={!found} onClick={() => onNext(false)}>
            <ChevronDown size={14} />
          </IconButton>
          <IconButton label={t`Close search`} keys="esc" size="sm" onClick={onClose}>
            <X size={14} />
          </IconButton>
        </div>
      )}
      {filters.length > 0 && (
        <ul aria-label={t`Filters`} className="flex min-w-0 flex-wrap items-center gap-1.5">
          {filters.map(([key, filter]) => {
            const words = filterWords(columns[Number(key)]!, filter);
            return (
              <li
                key={key}
                className="flex h-6 min-w-0 max-w-80 items-center rounded-full border border-accent-line bg-accent-soft pr-0.5 pl-2.5"
              >
                <button
                  type="button"
                  title={t`Change filter`}
                  className="min-w-0 truncate rounded-sm hover:underline"
                  onClick={() => onFilter(Number(key))}
                >
                  {words}
                </button>
                <button
                  type="button"
                  aria-label={t`Remove filter: ${words}`}
                  className="ml-1 flex size-5 shrink-0 items-center justify-center rounded-full text-fg-2 hover:bg-hover hover:text-fg"
                  onClick={() => onLook(withFilter(look, Number(key), null))}
                >
                  <X size={12} aria-hidden />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {resting && (
        <>
          <span className="min-w-0 text-fg-2">
            <Trans>Last time: {listText(arrangedWords(columns, resting.look))}</Trans>
          </span>
          <TextButton onClick={resting.apply}>
            <Trans>Apply again</Trans>
          </TextButton>
          <TextButton label={t`Clear sorting and filters`} onClick={resting.clear}>
            <Trans context="what is sorted, filtered or highlighted">Clear</Trans>
          </TextButton>
        </>
      )}
    </div>
  );
}

/** The active filters and sorting. */
function arrangedWords(columns: ResultColumn[], { sort, filters }: GridLayout): string[] {
  const words = Object.entries(filters).map(([key, filter]) => filterWords(columns[Number(key)]!, filter));
  if (!sort) return words;
  const { name } = columns[sort.column]!;
  return [...words, sort.down ? t`sorted by ${name}, descending` : t`sorted by ${name}`];
}

function foundWords(found: number, at: number): string {
  if (found === 0) return t`Not found`;
  const all = found >= MOST_FOUND ? `${count(found)}+` : count(found);
  return at < 0
    ? `${found >= MOST_FOUND ? t`${all} cells` : plural(found, { one: "# cell", other: "# cells" })}`
    : t`${count(at + 1)} of ${all}`;
}
