import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ListTree } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { untilGone } from "../../host/asking";
import type { AppError, QueryPlan } from "../../host/bindings";
import { host } from "../../host/host";
import { ErrorNote } from "../../kit/error";
import { Empty, Spinner } from "../../kit/status";
import { PlanTree } from "./PlanTree";

/** The plan of a query by its engine, which is asked for when this is shown. */
export function PlanView({ warehouse, sql }: { warehouse: string; sql: string }) {
  const [plan, setPlan] = useState<QueryPlan | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(() => {
    setPlan(null);
    setError(null);
    return untilGone(["plan", warehouse, sql], host().queryPlan(warehouse, sql), setPlan, setError);
  }, [warehouse, sql]);
  useEffect(load, [load]);
  if (error)
    return (
      <div className="w-full max-w-160 p-6">
        <ErrorNote error={error} again={load} />
      </div>
    );
  if (!plan)
    return (
      <p role="status" className="flex items-center gap-2 p-6 text-fg-3">
        <Spinner size={14} />
        <Trans>Asking the database for its plan…</Trans>
      </p>
    );
  if (plan.steps.length === 0)
    return <Empty icon={<ListTree size={20} />} title={t`The database returned no plan`} />;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <p className="max-w-180 px-4 pt-3 text-fg-2 text-sm">
        {hasCosts(plan)
          ? t`How the database would run this query. Nothing was run: rows and costs are estimates of the database, with costs in its own unit.`
          : t`How the database would run this query. Nothing was run: row counts are estimates of the database.`}
      </p>
      <PlanTree plan={plan} />
    </div>
  );
}

function hasCosts({ steps }: Pick<QueryPlan, "steps">): boolean {
  return steps.some((step) => step.cost !== null || hasCosts({ steps: step.children }));
}
