import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BookA, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Column, ColumnProfile, InferredKeyRow, Table, TableName, TableProfile } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { compact, count } from "../../kit/format";
import { Skeleton } from "../../kit/status";
import { ColumnDetail } from "./ColumnDetail";
import { definitionsOf, keySigns } from "./columnKeys";
import { distribution, isSample, kindWords, valueWords } from "./columnText";
import { DistributionPicture, ShareBar } from "./Distribution";
import { useGlossary } from "./glossary";
import { KeySigns } from "./KeySigns";

interface Props {
  table: Table;
  profile: TableProfile | null;
  /** The inferred keys of the table. */
  keys: InferredKeyRow[];
  /** Columns that the search found. */
  marked: string[];
  /** More of the profile is on its way. */
  pending: boolean;
  onOpen: (table: TableName) => void;
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** The columns of a table, a row each; a row opens to all that is known of it. The arrow keys move between the columns. */
export function ColumnsTable(props: Props) {
  const { table } = props;
  const [open, setOpen] = useState<string[]>([]);
  const [stop, setStop] = useState(0);
  const body = useRef<HTMLTableElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    const at = Number((event.target as HTMLElement).closest<HTMLElement>("[data-column]")?.dataset.column ?? "-1");
    if (!step || at < 0) return;
    event.preventDefault();
    const next = step(at, table.columns.length - 1);
    setStop(next);
    body.current?.querySelector<HTMLElement>(`button[data-column="${next}"]`)?.focus();
  };
  return (
    <div className="@container mt-3">
      {isSample(props.profile) && (
        <p className="mb-2 text-fg-3 text-xs">
          <Trans>Column statistics come from a sample of the rows.</Trans>
        </p>
      )}
      <table ref={body} className="nums w-full table-fixed border-collapse text-left" onKeyDown={onKeyDown}>
        <thead>
          <tr className="border-line border-b text-fg-3 text-xs">
            <th className="w-[42%] @lg:w-[36%] py-1.5 pr-3 font-medium">
              <Trans>Column</Trans>
            </th>
            <th className="py-1.5 pr-3 font-medium">
              <Trans>Values</Trans>
            </th>
            <th className="hidden w-26 py-1.5 pr-3 text-right font-medium @lg:table-cell">
              <Trans>Distinct</Trans>
            </th>
            <th className="w-14 py-1.5 font-medium">NULL</th>
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column, at) => (
            <ColumnRow
              key={column.name}
              {...props}
              column={column}
              at={at}
              stop={at === Math.min(stop, table.columns.length - 1)}
              open={open.includes(column.name)}
              onToggle={() => {
                setStop(at);
                setOpen(open.includes(column.name) ? open.filter((o) => o !== column.name) : [...open, column.name]);
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ColumnRow({
  table,
  profile: known,
  keys,
  marked,
  pending,
  onOpen,
  column,
  at,
  stop,
  open,
  onToggle,
}: Props & { column: Column; at: number; stop: boolean; open: boolean; onToggle: () => void }) {
  const profile = known?.columns.find((p) => p.name === column.name) ?? null;
  const rows = known?.profiledRows ?? 0;
  const sampled = isSample(known);
  const signs = keySigns(table, column, keys);
  const named = definitionsOf(useGlossary().known, table, column.name);
  const fields = profile?.fields ?? [];
  const last = !open && fields.length === 0;
  return (
    <>
      <tr
        className={cx("border-line align-top", last && "border-b", marked.includes(column.name) && "bg-accent-soft")}
      >
        <td className="py-2 pr-3">
          <button
            type="button"
            data-column={at}
            aria-expanded={open}
            tabIndex={stop ? 0 : -1}
            onClick={onToggle}
            title={column.name}
            className="-ml-1 flex max-w-full items-center gap-1 rounded-sm pr-1 text-left hover:bg-hover"
          >
            <ChevronRight
              size={13}
              className={cx("shrink-0 text-fg-3 transition-transform", open && "rotate-90")}
              aria-hidden
            />
            <span className="truncate font-medium">{column.name}</span>
          </button>
          <p className="truncate pl-3.25 text-fg-2 text-sm" title={column.dataType}>
            {profile ? kindWords(profile, sampled) : column.dataType.toLowerCase() || t`any`}
          </p>
          {(signs.length > 0 || named.length > 0) && (
            <p className="mt-0.5 flex flex-wrap items-center gap-1 pl-3.25">
              <KeySigns signs={signs} onOpen={onOpen} />
              {named.length > 0 && (
                <span
                  className="inline-flex items-center gap-1 text-fg-3 text-xs"
                  title={named.map(({ term }) => term).join(", ")}
                >
                  <BookA size={11} aria-hidden />
                  {plural(named.length, { one: "# definition", other: "# definitions" })}
                </span>
              )}
            </p>
          )}
          {column.comment && (
            <p className="wrap-anywhere mt-0.5 line-clamp-2 pl-3.25 text-fg-3 text-xs">{column.comment}</p>
          )}
        </td>
        <ValueCells profile={profile} rows={rows} sampled={sampled} pending={pending && profile === null} />
      </tr>
      {fields.map((field, i) => (
        <tr key={field.name} className={cx("border-line align-top", !open && i === fields.length - 1 && "border-b")}>
          <td className="py-1 pr-3 pl-8">
            <span className="wrap-anywhere font-mono text-fg-2 text-xs">{field.name}</span>
            <span className="block text-fg-3 text-xs">{kindWords(field, sampled)}</span>
          </td>
          <ValueCells profile={field} rows={rows} sampled={sampled} close />
        </tr>
      ))}
      {open && (
        <tr className="border-line border-b">
          <td colSpan={4} className="pb-3 pl-4">
            <ColumnDetail
              table={table}
              column={column}
              profile={profile}
              rows={rows}
              sampled={sampled}
              signs={signs}
            />
          </td>
        </tr>
      )}
    </>
  );
}

/** The content of a column or a nested field: a small chart if there is one, text, distinct values, NULLs. */
function ValueCells({
  profile,
  rows,
  sampled,
  pending,
  close,
}: {
  profile: ColumnProfile | null;
  rows: number;
  sampled: boolean;
  pending?: boolean;
  close?: boolean;
}) {
  const space = close ? "py-1" : "py-2";
  if (!profile) {
    return (
      <>
        <td className={cx(space, "pr-3")}>{pending && <Skeleton className="h-4 w-full max-w-40" />}</td>
        <td className="hidden @lg:table-cell" />
        <td />
      </>
    );
  }
  // Shares of fields refer to other rows than the table's.
  const shape = close ? null : distribution(profile, rows);
  return (
    <>
      <td className={cx(space, "pr-3")}>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
          {shape && <DistributionPicture shape={shape} name={profile.name} />}
          <span className="wrap-anywhere line-clamp-3 min-w-24 flex-1 text-fg-2 text-sm">
            {valueWords(profile, close ? 0 : rows, sampled)}
          </span>
        </div>
        {profile.distinct > 0 && (
          <p className="text-fg-3 text-xs @lg:hidden">
            <Trans>{count(profile.distinct)} distinct</Trans>
          </p>
        )}
      </td>
      <td
        className={cx(space, "hidden pr-3 text-right text-fg-2 text-sm @lg:table-cell")}
        title={count(profile.distinct)}
      >
        {profile.distinct > 0 && (profile.distinct < 100_000 ? count(profile.distinct) : compact(profile.distinct))}
      </td>
      <td className={cx(space)}>
        <ShareBar share={profile.nullRatio} label={t`NULL in ${profile.name}`} />
      </td>
    </>
  );
}
