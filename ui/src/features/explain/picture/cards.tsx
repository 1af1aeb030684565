import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Position } from "@xyflow/react";
import {
  ArrowDownWideNarrow,
  Calculator,
  CircleHelp,
  Combine,
  CopyMinus,
  Database,
  FileCode2,
  Flag,
  Info,
  Layers,
  ListFilter,
  type LucideIcon,
  Merge,
  PanelsTopLeft,
  Scissors,
  Table2,
  TrendingDown,
  TrendingUp,
} from "lucide-react";
import { type CSSProperties, createContext, memo, type ReactNode, useContext } from "react";
import { cx } from "../../../kit/cx";
import { CardEnds, type End } from "../../../kit/diagram/ends";
import { useMarks } from "../../../kit/diagram/marks";
import { changeSentence, changeText, type RowChange } from "../rowChange";
import { wholeQuery } from "../words";
import type { PickedColumn, Trace } from "./lineage";
import { type Card, numberedNote, type ResultCard, type StepCard, type TableCard } from "./model";
import { briefLines, chipsRoom, columnsShown, type Widths } from "./size";

export interface CardData extends Record<string, unknown> {
  card: Card;
  widths: Widths;
  onSelect: (id: string) => void;
  onPick: (picked: PickedColumn) => void;
}

interface DrawnCard extends CardData {
  selected: boolean;
  /** The tab stop of the diagram. */
  tabStop: boolean;
  /** Contains what the user looks for. */
  found: boolean;
  /** Highlighted columns; null if nothing is traced. */
  lit: Set<string> | null;
  picked: string | null;
}

/** The column whose lineage is shown. */
export const TracedContext = createContext<Trace | null>(null);

const NONE: Set<string> = new Set();

const KINDS: Record<string, [icon: LucideIcon, name: () => string]> = {
  table: [Table2, () => t`Table rows`],
  join: [Merge, () => t`Join`],
  filter: [ListFilter, () => t`Filter`],
  having: [ListFilter, () => t`Filter on groups`],
  group: [Layers, () => t`Grouping`],
  window: [PanelsTopLeft, () => t`Window functions`],
  project: [Calculator, () => t`Computed columns`],
  distinct: [CopyMinus, () => t`Distinct rows`],
  set: [Combine, () => t`Set operation`],
  order: [ArrowDownWideNarrow, () => t`Sort`],
  limit: [Scissors, () => t`Limit`],
};

export function KindIcon({ card, size = 15 }: { card: Card; size?: number }) {
  const [Icon] = card.kind === "table" ? [Database] : card.kind === "result" ? [Flag] : kindOf(card.step.kind);
  return (
    <Icon size={size} className={cx("shrink-0", card.kind === "result" ? "text-accent" : "text-fg-3")} aria-hidden />
  );
}

const kindOf = (kind: string): [icon: LucideIcon, name: () => string] => KINDS[kind] ?? [FileCode2, () => t`Query`];

/** What a step is, in a few words: "Join customers". */
export const stepTitle = ({ joined, step }: StepCard) => (joined === "" ? kindOf(step.kind)[1]() : t`Join ${joined}`);

/** The accessible name of a card. */
function cardSpoken(card: Card): string {
  const rows = card.rows === null ? [] : [plural(card.rows, { one: "# row", other: "# rows" })];
  if (card.kind === "table") return [t`Table ${card.table}`, ...rows].join(", ");
  const what =
    card.kind === "result"
      ? [t`Result`, ...(card.value === null ? [] : [card.value])]
      : [numberedNote(card).replace(/\.$/, ""), ...(card.largest ? [changeSentence(card.largest)] : [])];
  const doubts = card.checks.filter((check) => check.mayChange).length;
  const asked = doubts > 0 ? [t`${doubts} worth checking`] : [];
  return [...what, ...rows, ...asked].join(", ");
}

/** Some browsers do not focus a clicked button; the diagram needs the keys that follow. */
const focused = (act: () => void) => (event: React.MouseEvent<HTMLElement>) => {
  event.currentTarget.focus({ preventScroll: true });
  act();
};

/** Where a line begins and ends; its corners (`layout.ts`) say how it runs. */
export const ENDS: End[] = [
  { type: "target", side: Position.Top },
  { type: "source", side: Position.Bottom },
];

export function PictureCard({ data }: { data: CardData }) {
  const { id } = data.card;
  const traced = useContext(TracedContext);
  return (
    <Drawn
      {...data}
      {...useMarks(id)}
      lit={traced && (traced.columns.get(id) ?? NONE)}
      picked={traced?.picked.card === id ? traced.picked.column : null}
    />
  );
}

const Drawn = memo((data: DrawnCard) => {
  const { card, selected, lit } = data;
  const dim = lit !== null && lit.size === 0;
  return (
    <div
      className={cx(
        "group/card relative size-full rounded-lg border bg-raised px-3 py-2.5 shadow-card transition-[border-color]",
        "hover:border-fg-3",
        selected
          ? "border-accent! ring-3 ring-accent/20"
          : data.found
            ? "border-warn! ring-3 ring-warn/30"
            : lit?.size
              ? "border-accent"
              : "border-line-strong",
        card.kind === "table" && "bg-sunk",
        card.kind === "result" && !selected && "border-accent-line",
        card.kind === "step" && card.largest && "border-l-4 border-l-fg-2 pl-2.25",
        // Cards outside of the lineage are dimmed but stay readable.
        dim && "border-line! border-dashed bg-bg! shadow-none! [&_*]:text-fg-3! [&_button]:bg-transparent!",
      )}
    >
      <button
        type="button"
        data-node={card.id}
        tabIndex={data.tabStop ? 0 : -1}
        aria-label={cardSpoken(card)}
        aria-pressed={selected}
        title={card.kind === "step" ? numberedNote(card) : undefined}
        onClick={focused(() => data.onSelect(card.id))}
        className="absolute inset-0 rounded-lg"
      />
      <div className="pointer-events-none relative flex size-full gap-2 overflow-hidden">
        <span className={cx("flow-icon flex flex-col items-center pt-0.5", card.kind === "step" && "numbered")}>
          {card.kind === "step" && (
            <span className="flow-number nums mb-0.5 font-semibold text-fg-2 text-xs leading-4">{card.number}</span>
          )}
          <KindIcon card={card} />
        </span>
        <div className="min-w-0 flex-1">
          {card.kind === "step" ? (
            <Step card={card} lit={lit} widths={data.widths} />
          ) : card.kind === "table" ? (
            <Table card={card} data={data} />
          ) : (
            <Result card={card} data={data} />
          )}
        </div>
      </div>
      <CardEnds ends={ENDS} />
    </div>
  );
});

function Step({ card, lit, widths }: { card: StepCard; lit: Set<string> | null; widths: Widths }) {
  const { step, checks, largest } = card;
  return (
    <>
      <p
        className="flow-note wrap-anywhere line-clamp-(--lines) overflow-hidden text-sm"
        style={{ "--lines": widths.lines, "--brief-lines": briefLines(step.note, widths) } as CSSProperties}
      >
        {step.note}
      </p>
      <p aria-hidden className="flow-kind font-medium">
        {stepTitle(card)}
      </p>
      <div className="flow-fact nums mt-1 flex h-4 items-center gap-2 text-xs">
        {step.rows !== null && (
          <span className="shrink-0 font-medium">{plural(step.rows, { one: "# row", other: "# rows" })}</span>
        )}
        {largest && <LargestChange change={largest} />}
        <span className="min-w-0 flex-1 truncate text-fg-3">
          {lit?.size ? <span className="font-medium text-accent">{[...lit].join(", ")}</span> : step.grain}
        </span>
        {checks.length > 0 && <Mark checks={checks} />}
      </div>
    </>
  );
}

/** The mark of the step that lost or multiplied the most rows. */
function LargestChange({ change }: { change: RowChange }) {
  const Icon = change.after < change.before ? TrendingDown : TrendingUp;
  return (
    <span
      title={changeSentence(change)}
      className="flow-fact inline-flex h-4 shrink-0 items-center gap-1 rounded-full bg-active px-1.5 font-medium"
    >
      <Icon size={11} aria-hidden />
      {changeText(change)}
    </span>
  );
}

/** The number of checks. */
function Mark({ checks }: { checks: StepCard["checks"] }) {
  const doubt = checks.some((check) => check.mayChange);
  const Icon = doubt ? CircleHelp : Info;
  return (
    <span
      title={checks.map((check) => check.text).join("\n")}
      className={cx(
        "flow-fact inline-flex h-4 shrink-0 items-center gap-1 rounded-full px-1.5 font-medium",
        doubt ? "bg-warn-soft text-warn" : "bg-hover text-fg-2",
      )}
    >
      <Icon size={11} aria-hidden />
      {checks.length}
    </span>
  );
}

function Table({ card, data }: { card: TableCard; data: DrawnCard }) {
  return (
    <>
      <p className="flow-name wrap-anywhere line-clamp-2 font-medium text-sm" title={card.table}>
        {card.table}
      </p>
      <p className="flow-fact nums h-4 text-fg-2 text-xs">
        {card.rows === null ? t`Table` : plural(card.rows, { one: "# row", other: "# rows" })}
      </p>
      <Columns data={data} />
    </>
  );
}

function Result({ card, data }: { card: ResultCard; data: DrawnCard }) {
  return (
    <>
      <p className="flow-title flex h-4.5 items-center gap-2 text-sm">
        <span className="flow-name font-semibold">
          <Trans>Result</Trans>
        </span>
        {card.rows !== null && (
          <span className="flow-fact nums text-fg-2 text-xs">
            {plural(card.rows, { one: "# row", other: "# rows" })}
          </span>
        )}
        {!card.proven && !card.whole && (
          <span className="flow-fact text-warn text-xs">
            <Trans>steps not confirmed</Trans>
          </span>
        )}
        <span className="flex-1" />
        {card.checks.length > 0 && <Mark checks={card.checks} />}
      </p>
      {card.value !== null && (
        <p className="flow-value nums truncate font-semibold text-lg leading-6.5" title={card.value}>
          {card.value}
        </p>
      )}
      {card.whole && (
        <p className="flow-fact wrap-anywhere line-clamp-3 text-fg-2 text-sm">{wholeQuery(card.whole)}</p>
      )}
      <Columns data={data} />
    </>
  );
}

/** The columns of a card, as far as there is room; each shows what it is made of. */
function Columns({ data }: { data: DrawnCard }): ReactNode {
  const names = data.card.columns.map((column) => column.name);
  if (names.length === 0) return null;
  const { shown } = columnsShown(names, chipsRoom(data.card, data.widths));
  return (
    <div className="flow-fact -mr-1 -ml-1 mt-1 flex flex-wrap gap-1 text-xs">
      {names.slice(0, shown).map((name) => (
        <button
          key={name}
          type="button"
          tabIndex={data.tabStop ? 0 : -1}
          aria-pressed={data.picked === name}
          title={t`Lineage of ${name}`}
          onClick={focused(() => data.onPick({ card: data.card.id, column: name }))}
          className={cx(
            "pointer-events-auto h-4.5 max-w-full truncate rounded-sm px-1 leading-4.5 hover:bg-active hover:text-fg",
            data.picked === name
              ? "bg-accent text-accent-fg"
              : data.lit?.has(name)
                ? "bg-accent-soft font-medium text-accent"
                : "bg-hover text-fg-2",
          )}
        >
          {name}
        </button>
      ))}
      {names.length > shown && (
        <span className="h-4.5 px-1 text-fg-3 leading-4.5">
          <Trans>+{names.length - shown} more</Trans>
        </span>
      )}
    </div>
  );
}
