// The workspace as one file: what it holds, and one of another computer.

import type { AppError, JobEvent, WorkspaceImport } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";

type Backup = Pick<
  Host,
  "workspaceContent" | "exportWorkspace" | "beginWorkspaceImport" | "workspaceImport" | "undoWorkspaceImport"
>;

type StartJob = (title: string, kind: JobEvent["kind"], total: number, unit: string, path: string | null) => string;

/** A file with this in its name is none. */
export const NO_BACKUP = "nowhere";

const NOT_ONE: AppError = {
  code: "usage",
  message: "/data/nowhere.sqlite is not a complete exported workspace; nothing was imported",
  hint: "Copy it here again, or export it again",
  detail: "invalid Zip archive: Could not find EOCD",
};

/** What such a file would add. */
export const FOUND: WorkspaceImport = {
  program: "vitrine 0.1.0",
  writtenAt: "2026-11-23T16:40:00.000Z",
  results: true,
  runs: { added: 400, here: 12, differs: 0 },
  saved: { added: 36, here: 1, differs: 1 },
  connections: { added: 2, here: 1, differs: 0 },
  descriptions: { added: 2, here: 0, differs: 0 },
  readings: { added: 4, here: 0, differs: 0 },
  models: { added: 1, here: 0, differs: 0 },
  settingsDiffer: true,
  settingsTaken: false,
  looser: [],
  notes: [
    "The saved question 'Revenue by month' differs here; yours is kept",
    "The model 'openai:gpt-4.1-mini' needs its key again, if it has one",
    "Passwords are not in the file. These connections ask for theirs when they are opened: Shop, Finance",
  ],
  refused: [],
};

export function fakeBackup(job: StartJob): Backup {
  const imports = new Map<string, { path: string; settings: boolean; apply: boolean; confirmed: string[] }>();
  const undone = new Set<string>();
  return {
    workspaceContent: async () => ({ runs: 412, saved: 38, connections: 3, models: 2 }),
    exportWorkspace: async (file) => job("Export", "workspaceExport", 455, "records", file),
    beginWorkspaceImport: async (path, settings, apply, confirmed) => {
      const id = job("Import", "workspaceImport", 455, "records", null);
      imports.set(id, { path, settings, apply, confirmed });
      return id;
    },
    workspaceImport: async (id) => {
      const { path, settings, apply } = imports.get(id)!;
      if (path.includes(NO_BACKUP)) throw new AppFailure(NOT_ONE);
      return { ...structuredClone(FOUND), settingsTaken: settings && apply };
    },
    undoWorkspaceImport: async (id) => {
      if (undone.has(id)) throw new AppFailure({ ...NOT_ONE, message: "There is nothing to undo" });
      undone.add(id);
    },
  };
}
