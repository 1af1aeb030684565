import { plural, t } from "@lingui/core/macro";
import { cx } from "../../../kit/cx";
import { Disclosure } from "../../../kit/disclosure";
import { SqlText } from "../../../kit/sqlText";
import { Badge } from "../../../kit/status";
import { resultInWords } from "../model/answer";
import type { RunModel, StageNode } from "../model/model";
import { meaningInWords, whoChose } from "../model/readings";
import { Section } from "./parts";

/** The interpretations that the user was asked about, and which one was chosen. */
export function ReadingsAsked({ stage, run }: { stage: StageNode; run: RunModel }) {
  const { asked } = stage;
  if (!asked) return null;
  const waits = run.offeredAt === stage.id;
  return (
    <Section
      title={t`Interpretations`}
      note={plural(asked.readings.length, { one: "# interpretation", other: "# interpretations" })}
    >
      <p className="mb-2 text-fg-2">{waits ? t`Vitrine is waiting for your choice.` : `${whoChose(asked)}.`}</p>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {asked.readings.map((reading) => {
          const taken = reading.candidate === asked.taken;
          return (
            <li key={reading.candidate} className={cx("px-3 py-2", taken && "bg-accent-soft/50")}>
              <Disclosure
                wrap
                title={<span className="wrap-anywhere">{meaningInWords(reading)}</span>}
                note={plural(reading.votes, { one: "# attempt", other: "# attempts" })}
              >
                <SqlText sql={reading.sql} dialect={run.dialect} />
              </Disclosure>
              <div className="flex items-start gap-2 pl-5 text-sm">
                <p className="nums wrap-anywhere min-w-0 flex-1 text-fg-2">{resultInWords(reading)}</p>
                {taken && <Badge tone="accent">{asked.by === "person" ? t`your choice` : t`chosen`}</Badge>}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
