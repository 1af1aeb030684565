import { t } from "@lingui/core/macro";
import { toast } from "./toast";

const GRACE_MS = 10_000;

/**
 * Does something that cannot be taken back once the message that offers the undo is gone. Closing the window in between leaves
 * everything as it was.
 */
export function undoable({ title, undo, commit }: { title: string; undo: () => void; commit: () => void }) {
  toast({ title, life: GRACE_MS, onGone: commit, actions: [{ label: t`Undo`, run: undo }] });
}
