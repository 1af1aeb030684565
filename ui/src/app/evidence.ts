// The evidence of a run as one file.

import { t } from "@lingui/core/macro";
import type { RunModel } from "../features/graph/model/model";
import { host, toAppError } from "../host/host";
import { fileName } from "../kit/format";
import { toast, toastError } from "../kit/toast";
import { written } from "../kit/written";
import { exportName } from "./exports";

/** Asks for a file, and writes the answer with its question, query and steps to it, as far as its data may leave. */
export async function exportEvidence({ runId, question }: Pick<RunModel, "runId" | "question">) {
  try {
    const file = await host().pickSaveFile(`evidence-${exportName(question, "zip")}`);
    if (!file) return;
    const { path, token } = file;
    const { left_out } = await host().exportBundle(runId, token, false);
    toast({
      tone: "good",
      title: t`Exported the evidence to ${fileName(path)}.`,
      text: left_out
        ? t`Left out by what may leave this database: ${begunSmall(left_out)}.`
        : t`It holds the question, the query, the rows and every step. Check it on the Saved page.`,
      life: 14_000,
      ...written(token, path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** As the end of a sentence. */
const begunSmall = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
