import { t } from "@lingui/core/macro";
import { toast } from "./toast";

const GRACE_MS = 6000;

/**
 * Does something that cannot be taken back only after its undo has run out. Closing the window in between leaves
 * everything as it was.
 */
export function undoable({ title, undo, commit }: { title: string; undo: () => void; commit: () => void }) {
  const timer = setTimeout(commit, GRACE_MS);
  toast({
    title,
    life: GRACE_MS,
    actions: [
      {
        label: t`Undo`,
        run: () => {
          clearTimeout(timer);
          undo();
        },
      },
    ],
  });
}
