import { plural, t } from "@lingui/core/macro";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { PlanStep, QueryPlan } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { percent, significant } from "../../kit/format";
import { Badge } from "../../kit/status";
import { costliestStep, type PlanRow, planRows, rowsAbove } from "./rows";

/** The steps of a plan: arrow keys lead through them, left closes a step, right opens it. */
export function PlanTree({ plan }: { plan: QueryPlan }) {
  const tree = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState("0");
  const rows = useMemo(() => planRows(plan, closed), [plan, closed]);
  const most = useMemo(() => costliestStep(plan), [plan]);
  const current = rows.some((row) => row.id === focused) ? focused : (rows[0]?.id ?? null);

  const turn = ({ id, step }: PlanRow, open: boolean) => {
    if (step.children.length === 0) return;
    setClosed((before) => {
      const after = new Set(before);
      if (open) after.delete(id);
      else after.add(id);
      return after;
    });
  };
  const go = (id: string | undefined) => {
    if (id === undefined) return;
    setFocused(id);
    tree.current?.querySelector<HTMLElement>(`[data-step="${id}"]`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = rows.findIndex((row) => row.id === current);
    const here = rows[at];
    if (!here) return;
    const isOpen = here.step.children.length > 0 && !closed.has(here.id);
    const step: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]?.id),
      ArrowUp: () => go(rows[at - 1]?.id),
      Home: () => go(rows[0]?.id),
      End: () => go(rows[rows.length - 1]?.id),
      ArrowRight: () => (isOpen ? go(rows[at + 1]?.id) : turn(here, true)),
      ArrowLeft: () => (isOpen ? turn(here, false) : go(rowsAbove(here.id) ?? undefined)),
    };
    const move = step[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <div
      ref={tree}
      role="tree"
      aria-label={t`Steps of the plan`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex w-fit min-w-full flex-col p-2"
    >
      {rows.map((row) => (
        <Step
          key={row.id}
          row={row}
          open={!closed.has(row.id)}
          most={row.id === most}
          focused={row.id === current}
          onTurn={() => turn(row, closed.has(row.id))}
          onFocus={() => setFocused(row.id)}
        />
      ))}
    </div>
  );
}

/** Indentation per level, in pixels. */
const INDENT = 18;

function Step({
  row: { id, step, level, place, of },
  open,
  most,
  focused,
  onTurn,
  onFocus,
}: {
  row: PlanRow;
  open: boolean;
  most: boolean;
  focused: boolean;
  onTurn: () => void;
  onFocus: () => void;
}) {
  const isParent = step.children.length > 0;
  return (
    <div
      role="treeitem"
      data-step={id}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-selected={focused}
      aria-expanded={isParent ? open : undefined}
      tabIndex={focused ? 0 : -1}
      onFocus={onFocus}
      onClick={onTurn}
      onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && onTurn()}
      style={{ paddingLeft: 8 + (level - 1) * INDENT }}
      className={cx(
        "flex cursor-default items-start gap-1.5 rounded-md py-1 pr-3 outline-offset-[-2px] hover:bg-hover",
        most && "bg-accent-soft",
      )}
    >
      <span className="mt-0.5 w-4 shrink-0 text-fg-3" aria-hidden>
        {isParent && (open ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
      </span>
      <span className="min-w-0 max-w-180">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
          <span className="wrap-anywhere font-medium">{step.label}</span>
          <span className="nums text-fg-2 text-sm">{estimates(step).join(" · ")}</span>
          {most && <Badge tone="accent">{t`Costliest step, ${percent(step.share!)}`}</Badge>}
        </span>
        {step.details.map((line) => (
          <span key={line} className="wrap-anywhere block text-fg-3 text-sm">
            {line}
          </span>
        ))}
      </span>
    </div>
  );
}

/** The engine's estimates for a step. */
function estimates({ rows, cost }: PlanStep): string[] {
  const said: string[] = [];
  if (rows !== null) said.push(plural(Math.round(rows), { one: "about # row", other: "about # rows" }));
  if (cost !== null) said.push(t`cost ${significant(cost, 4)}`);
  return said;
}
