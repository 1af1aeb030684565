import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";
import type { AppError, DimensionChange, MemberChange, MetricAnswer, MetricChange } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { Button } from "../kit/button";
import { cx } from "../kit/cx";
import { Disclosure } from "../kit/disclosure";
import { ErrorNote } from "../kit/error";
import { bytes, groupDigits, percent } from "../kit/format";
import { Segmented } from "../kit/segmented";
import { Select } from "../kit/select";
import { SqlText } from "../kit/sqlText";
import { LoadingText } from "../kit/status";
import { type Before, comparedPeriods } from "./changePeriods";

interface Loaded {
  before: Before;
  change?: MetricChange;
  error?: AppError;
  /** Estimated bytes of the comparison, to be confirmed before it runs. */
  cost?: number;
}

/** "Why did it change?": compares the answer's metric with an earlier period and shows what contributed to the change. No model is asked. */
export function WhyChanged({ warehouse, answer }: { warehouse: string; answer: MetricAnswer }) {
  const [before, setBefore] = useState<Before | null>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const latest = useRef(0);
  const { metrics, query } = answer;
  const metric = metrics.length === 1 ? metrics[0] : undefined;
  const canCompare = metric && query.from && query.to && comparedPeriods(query.from, query.to, "previousPeriod");
  useEffect(() => () => void latest.current++, []);
  if (!metric || !canCompare || !query.from || !query.to) return null;
  const { from, to } = query;

  const compare = async (chosen: Before, confirmed: boolean) => {
    const turn = ++latest.current;
    setBefore(chosen);
    setLoaded(null);
    const periods = comparedPeriods(from, to, chosen);
    if (!periods) return;
    const request = {
      metric: metric.name,
      ...periods,
      between: null,
      during: null,
      by: [],
      filters: query.filters,
      members: null,
    };
    const show = (next: Omit<Loaded, "before">) => turn === latest.current && setLoaded({ before: chosen, ...next });
    try {
      const cost = confirmed ? null : (await host().metricChangeCost(warehouse, request)).bytes;
      if (cost !== null) return show({ cost });
      show({ change: await host().metricChange(warehouse, request) });
    } catch (error) {
      show({ error: toAppError(error) });
    }
  };

  if (before === null)
    return (
      <Button size="sm" onClick={() => void compare("previousPeriod", false)}>
        <Trans>Why did it change?</Trans>
      </Button>
    );
  return (
    <section aria-label={t`Why it changed`} className="flex flex-col gap-2.5 border-line border-t pt-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-fg-2">
          <Trans>Compared with</Trans>
        </span>
        <Segmented<Before>
          label={t`Compared with`}
          value={before}
          choices={[
            { value: "previousPeriod", label: t`the period before` },
            { value: "previousYear", label: t`the year before` },
          ]}
          onChange={(chosen) => void compare(chosen, false)}
        />
      </div>
      {!loaded && <LoadingText className="h-12" />}
      {loaded?.error && <ErrorNote error={loaded.error} compact again={() => void compare(before, false)} />}
      {loaded?.cost !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <Trans>The comparison reads about {bytes(loaded.cost)}.</Trans>
          <Button size="sm" onClick={() => void compare(before, true)}>
            <Trans>Compare</Trans>
          </Button>
        </div>
      )}
      {loaded?.change && <Change change={loaded.change} />}
    </section>
  );
}

function Change({ change }: { change: MetricChange }) {
  const [name, setName] = useState(change.dimensions[0]?.name ?? "");
  const dimension = change.dimensions.find((known) => known.name === name) ?? change.dimensions[0];
  return (
    <>
      <p role="status" className="wrap-anywhere font-medium">
        {change.sentence}
      </p>
      {[change.notAdditive, ...change.notes].filter(Boolean).map((note) => (
        <p key={note} className="wrap-anywhere text-fg-2">
          {note}
        </p>
      ))}
      {dimension && change.dimensions.length > 1 && (
        <Select
          label={t`Contributions by`}
          value={dimension.name}
          choices={change.dimensions.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={setName}
        />
      )}
      {dimension && <Contributions change={change} dimension={dimension} />}
      {change.leftOut.length > 0 && (
        <Disclosure title={<Trans>Not compared</Trans>} note={String(change.leftOut.length)}>
          <ul>
            {change.leftOut.map(({ name, reason }) => (
              <li key={name} className="wrap-anywhere text-fg-2">
                {name}: {reason}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

/** The contributions of a dimension's values, which sum to the change, with their queries. */
function Contributions({ change, dimension }: { change: MetricChange; dimension: DimensionChange }) {
  const { members, others, notes } = dimension;
  const sizes = [...members, ...(others ? [others] : [])].map(({ contribution }) => Math.abs(Number(contribution)));
  const largest = Math.max(...sizes, 0);
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <caption className="sr-only">{t`Contributions to the change by ${dimension.title}`}</caption>
          <thead>
            <tr className="text-fg-3">
              <th scope="col" className="py-1 pr-3 text-left font-normal">
                {dimension.title}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                {change.before.title}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                {change.after.title}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                <Trans>Contribution</Trans>
              </th>
              <th className="w-28" aria-hidden />
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <Row
                key={member.member ?? "\u0000"}
                title={memberTitle(member)}
                before={member.before}
                after={member.after}
                contribution={member.contribution}
                share={member.share}
                largest={largest}
              />
            ))}
            {others && (
              <Row
                title={t`${others.count} others`}
                before={null}
                after={null}
                contribution={others.contribution}
                share={others.share}
                largest={largest}
              />
            )}
          </tbody>
        </table>
      </div>
      {notes.map((note) => (
        <p key={note} className="wrap-anywhere text-fg-2">
          {note}
        </p>
      ))}
      <Disclosure title={<Trans>Queries</Trans>}>
        <div className="flex flex-col gap-2">
          <SqlText sql={dimension.beforeSql} dialect={null} />
          <SqlText sql={dimension.afterSql} dialect={null} />
        </div>
      </Disclosure>
    </>
  );
}

function Row(props: {
  title: string;
  before: string | null;
  after: string | null;
  contribution: string;
  share: number | null;
  largest: number;
}) {
  const { title, before, after, contribution, share, largest } = props;
  const size = Number(contribution);
  const width = largest > 0 ? `${(Math.abs(size) / largest) * 50}%` : "0%";
  return (
    <tr className="border-line border-t">
      <th scope="row" className="wrap-anywhere py-1 pr-3 text-left font-normal">
        {title}
      </th>
      <td className="nums py-1 pr-3 text-right text-fg-2">{before === null ? "–" : groupDigits(before)}</td>
      <td className="nums py-1 pr-3 text-right text-fg-2">{after === null ? "–" : groupDigits(after)}</td>
      <td className="nums whitespace-nowrap py-1 pr-3 text-right">
        {size > 0 && "+"}
        {groupDigits(contribution)}
        {share !== null && <span className="text-fg-3"> ({percent(share)})</span>}
      </td>
      <td aria-hidden className="py-1">
        <div className="relative h-3">
          <div className="absolute inset-y-0 left-1/2 w-px bg-line" />
          <div
            className={cx("absolute inset-y-0 rounded-xs", size < 0 ? "right-1/2 bg-bad" : "left-1/2 bg-good")}
            style={{ width }}
          />
        </div>
      </td>
    </tr>
  );
}

function memberTitle({ member, presence }: MemberChange): string {
  const title = member ?? t`(no value)`;
  if (presence === "new") return t`${title} (new)`;
  if (presence === "vanished") return t`${title} (vanished)`;
  return title;
}
