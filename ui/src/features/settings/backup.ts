// The workspace as one file: what would be exported, and an import from the look at the file to its undo.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { AppError, JobEvent, WorkspaceContent, WorkspaceImport } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { fileName } from "../../kit/format";
import { toast, toastError } from "../../kit/toast";

/** An import at one of its steps. */
export interface Importing {
  path: string;
  step: "look" | "choose" | "import" | "done";
  /** The job at work, or the one that has imported. */
  jobId: string | null;
  /** The part that is done; null where it is not known. */
  part: number | null;
  /** The contents of the import, before and after it ran. */
  found: WorkspaceImport | null;
  error: AppError | null;
}

interface BackupState {
  /** The contents of an export; null until requested. */
  content: WorkspaceContent | null;
  importing: Importing | null;
}

export const useBackup = create<BackupState>(() => ({ content: null, importing: null }));

export async function loadContent() {
  try {
    useBackup.setState({ content: await host().workspaceContent() });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Asks for a file, and writes the workspace to it. Whether one was chosen. */
export async function exportWorkspace(results: boolean): Promise<boolean> {
  try {
    const day = new Date().toISOString().slice(0, 10);
    const file = await host().pickSaveFile(`vitrine-${day}.zip`);
    if (!file) return false;
    await host().exportWorkspace(file.token, results);
    return true;
  } catch (thrown) {
    toastError(toAppError(thrown));
    return false;
  }
}

const changeImport = (next: Partial<Importing>) =>
  useBackup.setState(({ importing }) => ({ importing: importing && { ...importing, ...next } }));

/** Asks for a file, and looks at what it would add. */
export async function lookAtBackup() {
  try {
    const path = await host().pickOpenPath("workspace");
    if (!path) return;
    useBackup.setState({ importing: { path, step: "look", jobId: null, part: null, found: null, error: null } });
    await readFile(false, false, [], "choose");
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Takes the file in, with those parts that loosen a policy and are confirmed. Whether that went well. */
export async function importBackup(settings: boolean, confirmed: string[]): Promise<boolean> {
  changeImport({ step: "import", part: null, error: null });
  return readFile(settings, true, confirmed, "done");
}

async function readFile(
  settings: boolean,
  apply: boolean,
  confirmed: string[],
  then: Importing["step"],
): Promise<boolean> {
  const path = useBackup.getState().importing?.path;
  if (path === undefined) return false;
  const isShown = () => useBackup.getState().importing?.path === path;
  try {
    const jobId = await host().beginWorkspaceImport(path, settings, apply, confirmed);
    changeImport({ jobId });
    const found = await host().workspaceImport(jobId);
    if (isShown()) changeImport({ step: then, found, part: null });
    return true;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!isShown()) return false;
    // Stopped by the user: there is nothing to say.
    if (error.code === "cancelled") useBackup.setState({ importing: null });
    else changeImport({ error, part: null, step: apply ? "choose" : "look" });
    return false;
  }
}

/** Closes the dialog and stops a running import; a stopped import changes nothing. */
export function closeImport() {
  const { importing } = useBackup.getState();
  if (!importing) return;
  const busy = (importing.step === "look" || importing.step === "import") && !importing.error;
  if (busy && importing.jobId) {
    void host()
      .cancelJob(importing.jobId)
      .catch((thrown) => toastError(toAppError(thrown)));
  }
  // An import that is stopped ends by itself: it may have been done already.
  if (!busy || importing.step === "look") useBackup.setState({ importing: null });
}

/** Takes back what the import has added. Whether that went well. */
export async function undoImport(): Promise<boolean> {
  const { importing } = useBackup.getState();
  if (importing?.step !== "done" || !importing.jobId) return false;
  try {
    await host().undoWorkspaceImport(importing.jobId);
    useBackup.setState({ importing: null });
    toast({ title: t`Import of ${fileName(importing.path)} undone.` });
    return true;
  } catch (thrown) {
    changeImport({ error: toAppError(thrown) });
    return false;
  }
}

export function takeImport(job: JobEvent) {
  const { importing } = useBackup.getState();
  if (importing?.jobId !== job.jobId || job.state !== "running" || !job.total) return;
  changeImport({ part: job.done / job.total });
}
