// Reports of answers: one HTML file for readers without the program, with the chart that the answer shows.

import { plural, t } from "@lingui/core/macro";
import { useCharts } from "../features/chart/state";
import { useRuns } from "../features/runs/state";
import type { Chart, ReportRequest, WrittenReport } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { fileToast } from "../kit/fileToast";
import { fileName } from "../kit/format";
import { toast, toastError } from "../kit/toast";
import { runNow } from "../run/runModel";
import { chartsOf } from "./AnswerChart";
import { exportName } from "./exports";

/** Returns whether the run follows another, or others follow it. */
export function isInThread(runId: string): boolean {
  return runNow(runId).run.follows !== null || useRuns.getState().list.some(({ follows }) => follows === runId);
}

/** The chart that the answer shows; null if it shows none. */
export function shownChart(runId: string): Chart | null {
  const { page, headline } = runNow(runId).run;
  const charts = page && chartsOf(page, headline);
  if (!charts) return null;
  const chosen = useCharts.getState().chosen[runId];
  if (chosen?.type === "none") return null;
  const of =
    charts.measures.find(({ column }) => page.columns[column]!.name === chosen?.measure) ?? charts.measures[0]!;
  const { type, measure, along, by } = of.charts.find(({ type }) => type === chosen?.type) ?? of.charts[0]!;
  // A report shows shares as bars.
  return { kind: type === "pie" ? "bar" : type, measure, along, by };
}

/** Asks for a file, and writes the answer to it, or all answers of its thread. */
export async function exportReport(runId: string, question: string, thread: boolean) {
  try {
    const file = await host().pickSaveFile(exportName(question, "html"));
    if (!file) return;
    const request: ReportRequest = {
      runs: [runId],
      thread,
      title: "",
      rows: 0,
      everything: false,
      charts: { [runId]: shownChart(runId) },
    };
    const written = await host().exportReport(request, file.token);
    toast({
      tone: "good",
      title: t`Exported the report to ${fileName(file.path)}.`,
      text: [file.path, ...notesOf(written)].join(" · "),
      life: 12_000,
      ...fileToast(file.token, file.path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

function notesOf({ unanswered, withheld }: WrittenReport): string[] {
  return [
    unanswered > 0 &&
      plural(unanswered, {
        one: "# question without an answer left out",
        other: "# questions without an answer left out",
      }),
    withheld && t`Some values are withheld by the privacy settings of this database`,
  ].filter((note) => note !== false);
}
