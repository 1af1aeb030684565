import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Disclosure } from "../../../kit/disclosure";
import { SqlText } from "../../../kit/sqlText";
import type { RunModel, StageNode } from "../model/model";
import { Section } from "./parts";

/** Example questions with their queries. There can be dozens: each opens on demand. */
export function ExamplesList({ stage, run }: { stage: StageNode; run: RunModel }) {
  if (!stage.examples) return null;
  const { examples, dropped } = stage.examples;
  return (
    <Section title={t`Examples`} note={plural(examples.length, { one: "# example", other: "# examples" })}>
      {dropped > 0 && (
        <p className="mb-2 text-fg-2 text-sm">
          <Trans>
            <Plural value={dropped} one="# example" other="# examples" /> dropped because the query failed or returned
            no rows.
          </Trans>
        </p>
      )}
      {examples.length > 0 && (
        <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
          {examples.map((example, i) => (
            <li key={i} className="px-3 py-1.5">
              <Disclosure wrap title={<span className="wrap-anywhere font-normal">{example.question}</span>}>
                <SqlText sql={example.sql} dialect={run.dialect} />
              </Disclosure>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
