import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { Column, ColumnProfile, Table } from "../../host/bindings";
import { percent } from "../../kit/format";
import { showExactly } from "../../kit/show";
import type { KeySign } from "./columnKeys";
import { rangeWords, showIn, shownValue, topValues } from "./columnText";
import { Notes } from "./Notes";
import { tableLabel } from "./search";

/** All that is known of a column, once it is opened. */
export function ColumnDetail({
  table,
  column,
  profile,
  rows,
  sampled,
  signs,
}: {
  table: Table;
  column: Column;
  profile: ColumnProfile | null;
  /** Rows that the profile was taken from. */
  rows: number;
  /** True if these are not all, so that none of the figures is the table's. */
  sampled: boolean;
  signs: KeySign[];
}) {
  const range = profile && rangeWords(profile);
  const show = profile ? showIn(profile) : showExactly;
  const bars = profile ? topValues(profile, rows) : [];
  const evidence = signs.filter((sign) => sign.evidence !== null);
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunk px-4 py-3">
      <Part title={t`Type`}>
        <span className="wrap-anywhere font-mono text-xs">{column.dataType.toLowerCase() || t`any`}</span>
        {!column.nullable && t`, never NULL`}
      </Part>
      {column.comment && <Part title={t`Comment in the database`}>{column.comment}</Part>}
      {range && <Part title={sampled ? t`Range in the sample` : t`Range`}>{range}</Part>}
      {bars.length > 0 ? (
        <Part title={topTitle(profile?.complete ?? false, sampled)}>
          <ul className="mt-1 max-w-100">
            {bars.map(({ value, share }, i) => (
              <li key={i} className="flex items-center gap-2 py-px text-sm">
                <span className="w-2/5 min-w-0 truncate" title={value}>
                  {shownValue(value, show)}
                </span>
                <span aria-hidden className="h-1.5 min-w-0 flex-1 rounded-full bg-active">
                  <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
                </span>
                <span className="w-12 shrink-0 text-right text-fg-3 text-xs">{percent(share)}</span>
              </li>
            ))}
          </ul>
        </Part>
      ) : (
        profile &&
        profile.samples.length > 0 && (
          <Part title={t`Example values`}>{profile.samples.map((value) => shownValue(value, show)).join(", ")}</Part>
        )
      )}
      {profile && profile.paths.length > 0 && (
        <Part title={t({ message: "Contains", context: "what a column holds" })}>
          <span className="wrap-anywhere font-mono text-xs">
            {profile.paths.map(([path, type]) => `${path} ${type}`).join(", ")}
          </span>
        </Part>
      )}
      {evidence.map(({ target, evidence }, i) => (
        <Part key={i} title={target ? t`Inferred: references ${tableLabel(target)}` : t`Inferred: primary key`}>
          {evidence}
        </Part>
      ))}
      <Notes table={table} column={column.name} />
    </div>
  );
}

function topTitle(complete: boolean, sampled: boolean): string {
  if (sampled) return t`Most frequent values in the sample`;
  return complete ? t`All values` : t`Most frequent values`;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h4 className="text-fg-3 text-xs">{title}</h4>
      <div className="wrap-anywhere text-fg-2 text-sm">{children}</div>
    </div>
  );
}
