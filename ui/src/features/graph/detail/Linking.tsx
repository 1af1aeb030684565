import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Disclosure } from "../../../kit/disclosure";
import { compact, count } from "../../../kit/format";
import { type FunnelStep, funnel } from "../model/funnel";
import type { RunModel, StageNode } from "../model/model";
import { Section } from "./parts";
import { Selection } from "./Selection";

/** Selection of tables and columns: what remains after each round, what was removed or restored. */
export function Linking({ stage, run }: { stage: StageNode; run: RunModel }) {
  const steps = funnel(run, stage);
  const last = stage.linked.at(-1);
  if (!last) return null;
  return (
    <>
      <Section title={t`Remaining schema`} note={plural(stage.linked.length, { one: "# round", other: "# rounds" })}>
        <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
          {steps.map((step, i) => (
            <Round key={i} step={step} />
          ))}
        </ol>
      </Section>
      <Section
        title={t`Selected tables`}
        note={plural(last.kept.tables.length, { one: "# table", other: "# tables" })}
      >
        <Selection selection={last.kept} />
      </Section>
    </>
  );
}

function Round({ step }: { step: FunnelStep }) {
  const size = [
    plural(step.tables, { one: "# table", other: "# tables" }),
    step.columns > 0 ? plural(step.columns, { one: "# column", other: "# columns" }) : "",
  ];
  return (
    <li className="px-3 py-2">
      <div className="flex items-baseline gap-2 text-sm">
        <span className="font-medium">{step.name}</span>
        <span className="nums ml-auto shrink-0 text-fg-3 text-xs">
          <Trans>{compact(step.tokens)} tokens</Trans>
        </span>
      </div>
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-hover">
        <div
          className={`h-full rounded-full ${step.broughtBack ? "bg-accent" : "bg-accent/55"}`}
          style={{ width: `${Math.max(1, step.part * 100)}%` }}
        />
      </div>
      <div className="nums mt-1.5 text-fg-2 text-sm">{size.filter(Boolean).join(", ")}</div>
      {step.changed.length > 0 && (
        <Disclosure
          className="mt-0.5"
          title={step.broughtBack ? t`Added back` : t`Left out`}
          note={step.changed.length >= LISTED ? t`${count(LISTED)} or more` : count(step.changed.length)}
        >
          <div className="wrap-anywhere max-h-60 overflow-auto pb-1 pl-4 font-mono text-fg-2 text-xs leading-5">
            {step.changed.join(", ")}
          </div>
        </Disclosure>
      )}
    </li>
  );
}

/** Names that an event lists at most. */
const LISTED = 200;
