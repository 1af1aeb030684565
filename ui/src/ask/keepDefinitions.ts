import { t } from "@lingui/core/macro";
import { setAsk, useAsk } from "../features/ask/state";
import { addToText, keepDefinitions } from "../features/connections/definitions";
import { toast } from "../kit/toast";
import { navigate } from "../navigation/route";

/** Moves the definitions typed for one question to the database, so that every question includes them. */
export async function keepTypedDefinitions(uri: string) {
  const { knowledge, place } = useAsk.getState();
  const before = await addToText(uri, knowledge);
  if (!before) return;
  const now = useAsk.getState();
  // Whatever was typed meanwhile stays.
  if (now.place === place && now.knowledge === knowledge) setAsk({ knowledge: "", knowledgeOpen: false });
  const undo = async () => {
    if (!(await keepDefinitions(uri, before))) return;
    const then = useAsk.getState();
    if (then.place === place && then.knowledge.trim() === "") setAsk({ knowledge, knowledgeOpen: true });
  };
  toast({
    tone: "good",
    title: t`Included in every question about this database from now on.`,
    life: 10_000,
    actions: [
      { label: t`Show`, run: () => navigate({ page: "connections", uri }) },
      { label: t`Undo`, run: () => void undo() },
    ],
  });
}
