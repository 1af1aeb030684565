import { lazy, Suspense } from "react";
import { type Choices, chooseCharts, type Row } from "../features/chart/choose";
import type { RunModel } from "../features/graph/model/model";
import { ROW_HEIGHT } from "../features/grid/scroll";
import type { Headline, Page } from "../host/bindings";
import { Spinner } from "../kit/status";
import { exportPicture } from "./exports";
import { columnLabel } from "./headline";

// Vega is large, and many answers have no chart.
const ChartPanel = lazy(async () => ({ default: (await import("../features/chart/ChartPanel")).ChartPanel }));

const [LOWEST, HIGHEST] = [240, 340];

/** The charts of an answer; null if it is not here whole, or none is honest. */
export function chartsOf(page: Page, headline: Headline | null): Choices | null {
  if (page.truncated || page.rows.length < page.rowCount) return null;
  return chooseCharts(page.columns, page.rows, headline);
}

/** Wider tables are placed below their chart. */
const MOST_BESIDE = 4;

/** The layout of a chart and the rows: side by side if there is room for both. */
export function chartAndRows(page: Page, charts: Choices | null): string {
  return charts && page.columns.length <= MOST_BESIDE
    ? "mt-4 grid gap-x-6 gap-y-4 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
    : "mt-4 flex flex-col gap-4";
}

/** The answer as a chart. */
export function AnswerChart({
  run,
  page,
  choices,
  onWhy,
}: {
  /** The question, and the id under which the choice of a chart is stored. */
  run: Pick<RunModel, "runId" | "question" | "headline">;
  page: Page;
  choices: Choices;
  /** Shows the source rows of a value. */
  onWhy?: (row: Row, column: number) => void;
}) {
  const labels = page.columns.map((column, at) => columnLabel(column, run.headline?.meanings[at]));
  const height = Math.min(HIGHEST, Math.max(LOWEST, page.rowCount * ROW_HEIGHT));
  return (
    <Suspense
      fallback={
        <div className="flex items-center justify-center" style={{ height: height + 90 }}>
          <Spinner />
        </div>
      }
    >
      <ChartPanel
        runId={run.runId}
        choices={choices}
        columns={page.columns}
        labels={labels}
        rows={page.rows}
        height={height}
        onPick={onWhy}
        onExport={(kind, make) => void exportPicture(run.question, kind, make)}
      />
    </Suspense>
  );
}
