// The library as files in folders that the user chose, and evidence bundles.

import { plural, t } from "@lingui/core/macro";
import { create } from "zustand";
import type { AppError, BundleCheck, ImportedLibrary, SavedQuestion } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";
import { loadSaved } from "./state";

interface FilesState {
  /** The import dialog, and what the last import did. */
  importing: { done: ImportedLibrary | null; error: AppError | null; busy: boolean } | null;
  /** The bundle that is looked at. */
  bundle: { path: string; check: BundleCheck; busy: boolean; error: AppError | null } | null;
}

export const useFiles = create<FilesState>(() => ({ importing: null, bundle: null }));

/** Asks for a folder, and writes questions to it, one file each. */
export async function exportSaved(questions: SavedQuestion[]) {
  try {
    const folder = await host().pickFolder();
    if (!folder) return;
    const { path, token } = folder;
    const done = await host().exportLibrary(
      questions.map((q) => q.id),
      token,
    );
    const facts = [
      plural(done.written.length, { one: "# file", other: "# files" }),
      done.unchanged > 0 ? t`${done.unchanged} unchanged` : "",
      done.removed.length > 0
        ? t`${plural(done.removed.length, { one: "# file", other: "# files" })} of moved questions removed`
        : "",
    ];
    toast({
      tone: "good",
      title: t`Exported ${plural(questions.length, { one: "# saved question", other: "# saved questions" })}.`,
      text: `${facts.filter(Boolean).join(", ")}. ${path}`,
      life: 12_000,
      actions: [
        {
          label: t`Show in folder`,
          keepOpen: true,
          run: () =>
            void host()
              .showInFolder(token)
              .catch((thrown) => toastError(toAppError(thrown))),
        },
      ],
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

export function startImport() {
  useFiles.setState({ importing: { done: null, error: null, busy: false } });
}

export function endImport() {
  useFiles.setState({ importing: null });
}

/** Asks for a folder, and takes in the questions of its files. */
export async function importSaved(overwrite: boolean) {
  try {
    const folder = await host().pickFolder();
    if (!folder) return;
    useFiles.setState({ importing: { done: null, error: null, busy: true } });
    const done = await host().importLibrary(folder.token, overwrite);
    await loadSaved();
    useFiles.setState({ importing: { done, error: null, busy: false } });
  } catch (thrown) {
    useFiles.setState({ importing: { done: null, error: toAppError(thrown), busy: false } });
  }
}

/** Asks for a bundle, and checks its hashes and its events. */
export async function openBundle() {
  try {
    const path = await host().pickOpenPath("bundle");
    if (!path) return;
    useFiles.setState({ bundle: { path, check: await host().inspectBundle(path, null), busy: false, error: null } });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Runs the query of the bundle again on the database that it names. */
export async function rerunBundle() {
  const { bundle } = useFiles.getState();
  if (!bundle) return;
  useFiles.setState({ bundle: { ...bundle, busy: true, error: null } });
  try {
    const check = await host().inspectBundle(bundle.path, bundle.check.manifest.warehouse);
    useFiles.setState({ bundle: { ...bundle, check, busy: false, error: null } });
  } catch (thrown) {
    useFiles.setState({ bundle: { ...bundle, busy: false, error: toAppError(thrown) } });
  }
}

export function closeBundle() {
  useFiles.setState({ bundle: null });
}
