import { t } from "@lingui/core/macro";
import type { Origin } from "../features/grid/origin";
import { useShownRows } from "../features/grid/shownRows";
import type { Page } from "../host/bindings";
import { count } from "../kit/format";

/** Says which rows headline and chart cover while the filters of the table show others. */
export function AllRows({
  origin,
  page,
  chart,
}: {
  origin: Origin;
  page: Pick<Page, "rowCount" | "truncated">;
  chart: boolean;
}) {
  const shown = useShownRows(origin);
  if (shown === null || shown.total === null) return null;
  const [rows, total] = [count(shown.rows), count(shown.total)];
  const covered = count(page.rowCount);
  if (page.truncated && shown.total !== page.rowCount)
    return (
      <Note text={t`The headline covers the first ${covered} rows. The table shows ${rows} of ${total} rows.`} />
    );
  if (shown.rows >= shown.total) return null;
  return (
    <Note
      text={
        chart
          ? t`The headline and the chart cover all ${total} rows. The filters of the table show ${rows} of them.`
          : t`The headline covers all ${total} rows. The filters of the table show ${rows} of them.`
      }
    />
  );
}

function Note({ text }: { text: string }) {
  return (
    <p role="status" className="nums mt-1 text-fg-2 text-sm">
      {text}
    </p>
  );
}
