import { plural, t } from "@lingui/core/macro";
import { Disclosure } from "../../../kit/disclosure";
import { bytes, rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { SqlText } from "../../../kit/sqlText";
import { StatusIcon } from "../../../kit/status";
import { columnParts, type FetchedView, fetchedViews, specText } from "../model/fetchedViews";
import type { FetchAttempt, RunModel, StageNode } from "../model/model";
import { ErrorBox, Section, Verbatim } from "./parts";

/** Maximum number of views that start expanded. */
const OPEN = 3;

/** The fetched views, with the sources of their columns and failed attempts. */
export function Fetched({ stage, run }: { stage: StageNode; run: RunModel }) {
  const views = fetchedViews(stage);
  if (views.length === 0) return null;
  const fetched = views.filter((v) => v.last.error === null);
  const note = fetched.length < views.length ? t`${fetched.length} of ${views.length} fetched` : String(views.length);
  return (
    <Section title={t`Views`} note={note}>
      <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
        {views.map((view) => (
          <li key={view.name} className="px-3 py-2">
            <One
              view={view}
              run={run}
              open={view.last.error === null ? fetched.length <= OPEN : fetched.length === 0}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function One({ view, run, open }: { view: FetchedView; run: RunModel; open: boolean }) {
  const { last, failed } = view;
  const status = last.error !== null ? "failed" : last.page?.rowCount === 0 ? "warning" : "done";
  const size = last.bytes === null ? "" : t`${bytes(last.bytes)} stored`;
  return (
    <Disclosure
      wrap
      open={open}
      title={
        <span className="flex items-start gap-2">
          <span className="flex h-4.5 items-center">
            <StatusIcon status={status} size={13} />
          </span>
          <span className="wrap-anywhere min-w-0 font-mono text-xs leading-4.5">{view.name}</span>
        </span>
      }
      note={
        last.error !== null ? t`not fetched` : [last.page ? rowsOf(last.page) : "", size].filter(Boolean).join(" · ")
      }
    >
      <div className="flex flex-col gap-2">
        {last.rationale && <p className="wrap-anywhere text-fg-2 text-sm">{last.rationale}</p>}
        {last.error !== null ? (
          <Written attempt={last} run={run} />
        ) : (
          <>
            <Columns lines={last.columns} />
            <SqlText sql={last.sql} dialect={run.dialect} />
            {last.page && <MiniTable page={last.page} />}
          </>
        )}
        {failed.length > 0 && (
          <Disclosure
            title={t`${plural(failed.length, { one: "# earlier attempt", other: "# earlier attempts" })} failed`}
            open={last.error !== null}
          >
            <ul className="flex flex-col gap-3 pl-4">
              {failed.map((attempt, i) => (
                <li key={i}>
                  <Written attempt={attempt} run={run} />
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
      </div>
    </Disclosure>
  );
}

/** A failed attempt and its error. */
function Written({ attempt, run }: { attempt: FetchAttempt; run: RunModel }) {
  return (
    <div>
      {attempt.sql !== "" ? (
        <SqlText sql={attempt.sql} dialect={run.dialect} />
      ) : (
        attempt.spec && <Verbatim text={specText(attempt.spec)} />
      )}
      {attempt.error !== null && <ErrorBox>{attempt.error}</ErrorBox>}
    </div>
  );
}

function Columns({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <dl aria-label={t`Columns`} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-xs leading-5">
      {lines.map((line) => {
        const [name, from] = columnParts(line);
        return (
          <div key={line} className="contents">
            <dt className="font-mono">{name}</dt>
            <dd className="wrap-anywhere text-fg-2">{from}</dd>
          </div>
        );
      })}
    </dl>
  );
}
