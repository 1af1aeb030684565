// Chosen interpretations: stored by the program for each database; forgetting one can be undone.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { KeptReading } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";

/** As they are kept, by address. */
export const useReadings = create<{ kept: Record<string, KeptReading[]> }>(() => ({ kept: {} }));

export async function loadReadings(uri: string) {
  try {
    const readings = await host().rememberedReadings(uri);
    useReadings.setState((s) => ({ kept: { ...s.kept, [uri]: readings } }));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Forgets what a question was chosen to mean. */
export async function forgetReading(uri: string, id: string) {
  try {
    await host().forgetReading(id);
  } catch (thrown) {
    toastError(toAppError(thrown));
    return;
  }
  await loadReadings(uri);
  const again = async () => {
    try {
      await host().restoreReading(id);
    } catch (thrown) {
      toastError(toAppError(thrown));
    }
    await loadReadings(uri);
  };
  toast({
    title: t`Interpretation forgotten`,
    text: t`Next time, the question is answered without it.`,
    actions: [{ label: t`Undo`, run: () => void again() }],
  });
}
