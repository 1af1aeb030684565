// Exports: a message with progress, Stop, and the path at the end.

import { plural, t } from "@lingui/core/macro";
import { create } from "zustand";
import { mayRun } from "../domain/approval";
import type { Origin } from "../features/grid/origin";
import { type ShownRows, shownRowsOf } from "../features/grid/shownRows";
import { useSettings } from "../features/settings/state";
import type { JobEvent, Picture } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { fileToast } from "../kit/fileToast";
import { fileName } from "../kit/format";
import { dismissToast, toast, toastError } from "../kit/toast";
import { aboutExport, doubtOf, type ExportedAnswer } from "./aboutExport";

/** The endings of the formats that there are. */
export type ExportFormat = "csv" | "xlsx" | "parquet" | "json";

/** A file name made from a question. */
export function exportName(question: string, format: ExportFormat | Picture["kind"] | "zip" | "html"): string {
  const words = question
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, " ")
    .trim()
    .split(" ")
    .slice(0, 8)
    .join("-");
  return `${words || "result"}.${format}`;
}

const BESIDE = "export.about";

/** Returns whether files that hold rows alone get a text file about them. */
export const useAboutFile = create<{ beside: boolean }>(() => ({ beside: false }));

export async function startExports() {
  useAboutFile.setState({ beside: (await host().preference(BESIDE)) === "yes" });
}

export function setAboutFile(beside: boolean) {
  useAboutFile.setState({ beside });
  void host().setPreference(BESIDE, beside ? "yes" : "no");
}

/** Asks for a file and writes all rows to it, in the format of its extension, with the facts about them. */
export async function exportResult(
  origin: Origin,
  question: string,
  format: ExportFormat,
  answer: ExportedAnswer | null = null,
) {
  try {
    if ("sql" in origin && !(await mayRun(origin.warehouse, origin.sql))) return;
    const file = await host().pickSaveFile(exportName(question, format));
    if (!file) return;
    const { path, token } = file;
    const shown = shownRowsOf(origin);
    const ignored = shown && notAsShown(shown);
    const note = [ignored, doubtOf(answer)].filter(Boolean).join(" ");
    if (note) notes.set(path, note);
    const about = aboutExport(origin, question, answer, ignored, useAboutFile.getState().beside);
    const settings = useSettings.getState().settings;
    const style = {
      guardFormulas: settings?.csvGuardFormulas ?? true,
      byteOrderMark: settings?.csvByteOrderMark ?? false,
    };
    const jobId =
      "table" in origin
        ? await host().exportTable(origin.table, token, style, about)
        : await host().exportResult(origin.warehouse, origin.sql, token, style, about);
    if (!ended.has(jobId)) {
      showRunning({
        jobId,
        kind: "resultExport",
        title: fileName(path),
        done: 0,
        total: null,
        unit: "rows",
        state: "running",
        error: null,
        path,
      });
    }
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** The note about an exported file: differences to the grid, and doubts about the answer. */
const notes = new Map<string, string>();

function notAsShown({ rows }: ShownRows): string {
  const shown = plural(rows, { one: "# row", other: "# rows" });
  return t`All rows and columns, as returned by the query. The grid shows ${shown}, filtered or rearranged.`;
}

/** A short export may finish before its id is returned. */
const ended = new Set<string>();

export function takeExport(job: JobEvent) {
  // A late progress event must not replace the final message.
  if (ended.has(job.jobId)) return;
  const id = `job-${job.jobId}`;
  const name = job.path ? fileName(job.path) : job.title;
  if (job.state === "running") {
    showRunning(job);
    return;
  }
  ended.add(job.jobId);
  if (job.state === "done") {
    const path = job.path;
    const note = path === null ? undefined : notes.get(path);
    if (path !== null) notes.delete(path);
    toast({
      id,
      tone: "good",
      title:
        job.kind === "workspaceExport"
          ? t`Exported the workspace to ${name}.`
          : t`Exported ${plural(job.done, { one: "# row", other: "# rows" })} to ${name}.`,
      life: 12_000,
      text: note ? `${path}. ${note}` : (path ?? undefined),
      ...(path && fileToast(job.jobId, path)),
    });
  } else if (job.state === "failed" && job.error) {
    toast({ id, tone: "bad", title: job.error.message, text: job.error.hint ?? undefined, life: 12_000 });
  } else {
    dismissToast(id);
    toast({ title: t`Export stopped. Nothing was written.` });
  }
}

/** Asks for a file, and writes a chart to it. */
export async function exportPicture(question: string, kind: Picture["kind"], make: () => Promise<Picture>) {
  try {
    const file = await host().pickSaveFile(exportName(question, kind));
    if (!file) return;
    await host().writePicture(file.token, await make());
    toast({
      tone: "good",
      title: t`Exported the chart to ${fileName(file.path)}.`,
      text: file.path,
      life: 12_000,
      ...fileToast(file.token, file.path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

function showRunning(job: JobEvent) {
  toast({
    id: `job-${job.jobId}`,
    tone: "busy",
    title: t`Exporting ${job.path ? fileName(job.path) : job.title}`,
    text: job.kind === "workspaceExport" ? undefined : plural(job.done, { one: "# row", other: "# rows" }),
    progress: job.total ? job.done / job.total : null,
    life: null,
    actions: [
      {
        label: t`Stop`,
        keepOpen: true,
        run: () =>
          void host()
            .cancelJob(job.jobId)
            .catch((thrown) => toastError(toAppError(thrown))),
      },
    ],
  });
}
