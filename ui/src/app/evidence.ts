// The evidence of a run as one file.

import type { RunModel } from "../features/graph/model/model";
import { host, toAppError } from "../host/host";
import { fileName } from "../kit/format";
import { toast, toastError } from "../kit/toast";
import { exportName, written } from "./exports";

/** Asks for a file, and writes the answer with its question, query and steps to it, as far as its data may leave. */
export async function exportEvidence({ runId, question }: Pick<RunModel, "runId" | "question">) {
  try {
    const file = await host().pickSaveFile(`evidence-${exportName(question, "zip")}`);
    if (!file) return;
    const { path, token } = file;
    const { left_out } = await host().exportBundle(runId, token, false);
    toast({
      tone: "good",
      title: `Exported the evidence to ${fileName(path)}.`,
      text: left_out
        ? `Left out by what may leave this database: ${left_out.charAt(0).toLowerCase()}${left_out.slice(1)}.`
        : "It holds the question, the query, the rows and every step. Check it on the Saved page.",
      life: 14_000,
      actions: written(token, path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}
