import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Disclosure } from "../../../kit/disclosure";
import { rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { CodeText } from "../../../kit/sqlText";
import { StatusIcon } from "../../../kit/status";
import type { Execution, StageNode } from "../model/model";
import { ErrorBox, Section, Verbatim } from "./parts";

/** Executions of code over the fetched views: output, table or error. */
export function Executions({ stage }: { stage: StageNode }) {
  const { executions } = stage;
  if (executions.length === 0) return null;
  return (
    <Section
      title={t`Python over the views`}
      note={plural(executions.length, { one: "# execution", other: "# executions" })}
    >
      <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
        {executions.map((execution, i) => (
          <li key={execution.execution} className="px-3 py-2">
            <One execution={execution} last={i === executions.length - 1} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function One({ execution, last }: { execution: Execution; last: boolean }) {
  const { page, error, printed } = execution;
  const status = error !== null ? "failed" : page?.rowCount === 0 ? "warning" : "done";
  return (
    <>
      <Disclosure
        open={last}
        title={
          <span className="flex items-center gap-2">
            <StatusIcon status={status} size={13} />
            <Trans>Execution {execution.execution}</Trans>
          </span>
        }
        note={error !== null ? t`no table` : page ? rowsOf(page) : ""}
      >
        <div className="flex flex-col gap-2">
          <CodeText code={execution.code} />
          {printed !== "" && (
            <div>
              <div className="mb-1 text-fg-3 text-xs">
                <Trans>Printed output</Trans>
              </div>
              <Verbatim text={printed} />
            </div>
          )}
          {page && <MiniTable page={page} />}
        </div>
      </Disclosure>
      {error !== null && <ErrorBox>{error}</ErrorBox>}
    </>
  );
}
