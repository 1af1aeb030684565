import { plural, t } from "@lingui/core/macro";
import type { Probe } from "../../../host/bindings";
import { Disclosure } from "../../../kit/disclosure";
import { rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { SqlText } from "../../../kit/sqlText";
import { StatusIcon } from "../../../kit/status";
import type { RunModel, StageNode } from "../model/model";
import { ErrorBox, Section } from "./parts";

/** Facts found by exploring the data, and the probing queries. */
export function Probes({ stage, run }: { stage: StageNode; run: RunModel }) {
  const ran = stage.probes.filter((p) => p.error === null).length;
  return (
    <>
      {stage.facts.length > 0 && (
        <Section
          title={t`What the data shows`}
          note={plural(stage.facts.length, { one: "# fact", other: "# facts" })}
        >
          <ul className="ml-4 flex list-disc flex-col gap-1 marker:text-fg-3">
            {stage.facts.map((fact, i) => (
              <li key={i} className="wrap-anywhere">
                {fact}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {stage.probes.length > 0 && (
        <Section title={t`Probing queries`} note={t`${ran} of ${stage.probes.length} ran`}>
          <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
            {stage.probes.map((probe) => (
              <li key={probe.number} className="px-3 py-2">
                <One probe={probe} run={run} />
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

function One({ probe, run }: { probe: Probe; run: RunModel }) {
  const rows = probe.page?.rowCount ?? null;
  const status = probe.error ? "failed" : rows === 0 ? "warning" : "done";
  const repaired = [
    probe.fixes > 0 ? plural(probe.fixes, { one: "corrected once", other: "corrected # times" }) : "",
    probe.carriedFrom !== null ? t`correction reused from query ${probe.carriedFrom}` : "",
  ].filter(Boolean);
  return (
    <>
      <Disclosure
        wrap
        title={
          <span className="flex items-start gap-2">
            <span className="flex h-4.5 items-center">
              <StatusIcon status={status} size={13} />
            </span>
            <span className="nums shrink-0 font-normal text-fg-3">{probe.number}</span>
            <span className="wrap-anywhere min-w-0">{probe.purpose || t`Probing query`}</span>
          </span>
        }
        note={probe.error ? t`failed` : probe.page ? rowsOf(probe.page) : ""}
      >
        <div className="flex flex-col gap-2">
          <SqlText sql={probe.sql} dialect={run.dialect} />
          {probe.page && <MiniTable page={probe.page} />}
        </div>
      </Disclosure>
      {repaired.length > 0 && (
        <p className="mt-0.5 pl-4 text-fg-3 text-xs first-letter:uppercase">{repaired.join(", ")}.</p>
      )}
      {probe.error && <ErrorBox>{probe.error}</ErrorBox>}
    </>
  );
}
