import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { EgressPolicy, PersonalColumn } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { Switch } from "../../kit/field";
import { count } from "../../kit/format";
import { columnName, KINDS, tellsValues, withColumn } from "./policy";
import type { PolicyChange } from "./useEgress";

/** Columns listed at a time. */
const PAGE = 50;

/** The columns that look personal or were chosen, and whether each is masked. */
export function MaskedColumns({
  policy,
  columns,
  onChange,
}: {
  policy: EgressPolicy;
  columns: PersonalColumn[];
  onChange: (change: PolicyChange) => void;
}) {
  const [most, setMost] = useState(PAGE);
  return (
    <>
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <h3 className="font-medium">
            <Trans>Mask columns that look personal</Trans>
          </h3>
          <p className="text-fg-3 text-sm">
            {tellsValues(policy.level)
              ? t`Models see [masked] instead of their values. Detection uses names and values and can be wrong, so review the list.`
              : t`At this level, no stored values are sent.`}
          </p>
        </div>
        <Switch
          label={t`Mask columns that look personal`}
          checked={policy.maskPersonal}
          onChange={(on) =>
            onChange({
              place: "columns",
              said: on ? t`Personal columns are masked.` : t`Personal columns are no longer masked.`,
              to: (old) => ({ ...old, maskPersonal: on }),
            })
          }
        />
      </div>
      {columns.length === 0 && (
        <p className="mt-3 rounded-md bg-sunk px-3 py-2 text-fg-2 text-sm">
          <Trans>No personal columns found so far. More may be found once the data is read.</Trans>
        </p>
      )}
      <ul aria-label={t`Personal columns`} className="mt-2">
        {columns.slice(0, most).map((column) => {
          const name = columnName(column);
          return (
            <li key={name} className="flex items-center gap-3 border-line border-b py-1.5 last:border-b-0">
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block font-mono text-sm">{name}</span>
                <span className="block text-fg-3 text-xs">{KINDS[column.kind]}</span>
              </span>
              <span
                className={cx(
                  "shrink-0 text-sm",
                  column.masked || !tellsValues(policy.level) ? "text-fg-2" : "text-warn",
                )}
              >
                {column.masked ? t`Masked` : t`Not masked`}
              </span>
              <Switch
                label={t`Mask ${name}`}
                checked={column.masked}
                onChange={(on) =>
                  onChange({
                    place: "columns",
                    said: on ? t`${name} is masked.` : t`${name} is no longer masked.`,
                    to: (old) => withColumn(old, column, on),
                  })
                }
              />
            </li>
          );
        })}
      </ul>
      {columns.length > most && (
        <Button size="sm" variant="quiet" onClick={() => setMost(most + PAGE)}>
          <Trans>Show more ({count(columns.length - most)} left)</Trans>
        </Button>
      )}
    </>
  );
}
