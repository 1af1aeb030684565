import { t } from "@lingui/core/macro";
import { Equal, EqualNot } from "lucide-react";
import { Disclosure } from "../../../kit/disclosure";
import { SqlText } from "../../../kit/sqlText";
import type { AnswerTest, RunModel, StageNode } from "../model/model";
import { Section } from "./parts";

/** Queries that were written behind the answer, to see whether they give the same. */
export function AnswerTests({ stage, run }: { stage: StageNode; run: RunModel }) {
  if (stage.tests.length === 0) return null;
  const same = stage.tests.filter((test) => test.same).length;
  return (
    <Section title={t`Asked again`} note={t`${same} of ${stage.tests.length} give the same result`}>
      <ul className="flex flex-col gap-1">
        {stage.tests.map((test, i) => (
          <li key={i}>
            <Disclosure
              title={
                <span className="flex items-center gap-1.5 font-normal">
                  {test.same ? (
                    <Equal size={13} className="shrink-0 text-good" aria-hidden />
                  ) : (
                    <EqualNot size={13} className="shrink-0 text-warn" aria-hidden />
                  )}
                  {test.restated ? t`Rephrased` : t`Same wording`}: {outcomeText(test)}
                </span>
              }
            >
              <div className="flex flex-col gap-2 pb-1 pl-4">
                {test.error && <p className="wrap-anywhere rounded-md bg-bad-soft px-3 py-2 text-sm">{test.error}</p>}
                <SqlText sql={test.sql} dialect={run.dialect} />
              </div>
            </Disclosure>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function outcomeText({ same, error }: AnswerTest): string {
  if (error !== null) return t`the query did not run`;
  return same ? t`the same result` : t`another result`;
}
