// The evidence of a run as one file.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { RunModel } from "../features/graph/model/model";
import { host, toAppError } from "../host/host";
import { fileToast } from "../kit/fileToast";
import { fileName } from "../kit/format";
import { lazyRecord } from "../kit/lazyRecord";
import { toast, toastError } from "../kit/toast";
import { exportName } from "./exports";

type EvidenceRequest = Pick<RunModel, "runId" | "question">;

/** The run whose evidence is about to be exported. */
export const useEvidence = create<{ run: EvidenceRequest | null }>(() => ({ run: null }));

/** Opens the dialog that asks how much of a run goes into the file. */
export function startEvidence({ runId, question }: EvidenceRequest) {
  useEvidence.setState({ run: { runId, question } });
}

/**
 * Asks for a file, and writes the answer with its question, query and steps to it: all of it, or as far as its data may leave. False if no
 * file was chosen.
 */
export async function exportEvidence({ runId, question }: EvidenceRequest, everything: boolean): Promise<boolean> {
  try {
    const file = await host().pickSaveFile(`evidence-${exportName(question, "zip")}`);
    if (!file) return false;
    const { path, token } = file;
    const { left_out } = await host().exportBundle(runId, token, everything);
    toast({
      tone: "good",
      title: t`Exported the evidence to ${fileName(path)}.`,
      text: left_out
        ? t`Withheld by the privacy settings of this database: ${LEFT_OUT[left_out] ?? left_out}.`
        : t`Contains the question, the query, the rows and every step. You can verify it on the Saved page.`,
      life: 14_000,
      ...fileToast(token, path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
  return true;
}

/** Translates the reasons in the file's manifest, which is the same in every language, as the end of a sentence. */
const LEFT_OUT: Record<string, string> = lazyRecord({
  "Masked values, and all of the log but the answer": () => t`masked values and the log except the answer`,
  "The rows, and all of the log but the answer": () => t`rows and the log except the answer`,
});
