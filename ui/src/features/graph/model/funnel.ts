// Selection of tables and columns as a funnel: how much remains after each round.

import { t } from "@lingui/core/macro";
import type { SchemaSelection } from "../../../host/bindings";
import type { LinkedSchema, RunModel, StageNode } from "./model";
import { PASS_NAMES } from "./names";

export interface FunnelStep {
  /** The name of the step, "Full schema" first. */
  name: string;
  tables: number;
  /** Columns that are named; none where tables are kept whole. */
  columns: number;
  /** Share of the maximum. */
  part: number;
  tokens: number;
  /** Removed, or restored. */
  changed: string[];
  broughtBack: boolean;
}

function columnsOf(selection: SchemaSelection): number {
  return selection.tables.reduce((sum, t) => sum + t.columns.length, 0);
}

/** The schema as read, then one step per round. Bars show the remaining size in tokens. */
export function funnel(run: RunModel, stage: StageNode): FunnelStep[] {
  const whole = run.stages.find((s) => s.schema)?.schema ?? null;
  const most = Math.max(1, whole?.tokensCompressed ?? 0, ...stage.linked.map((l) => l.tokens));
  const first: FunnelStep[] = whole
    ? [
        {
          name: t`Full schema`,
          tables: whole.tables,
          columns: whole.columns,
          part: whole.tokensCompressed / most,
          tokens: whole.tokensCompressed,
          changed: [],
          broughtBack: false,
        },
      ]
    : [];
  return [...first, ...stage.linked.map((linked) => funnelStep(stage, linked, most))];
}

function funnelStep(stage: StageNode, linked: LinkedSchema, most: number): FunnelStep {
  const again = stage.linked.filter((l) => l.pass === linked.pass).length > 1;
  return {
    name: again ? t`${PASS_NAMES[linked.pass]}, round ${linked.round}` : PASS_NAMES[linked.pass],
    tables: linked.kept.tables.length,
    columns: columnsOf(linked.kept),
    part: linked.tokens / most,
    tokens: linked.tokens,
    changed: linked.changed,
    broughtBack: linked.pass === "broughtBack",
  };
}
