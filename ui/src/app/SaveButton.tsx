import { t } from "@lingui/core/macro";
import { Bookmark, BookmarkCheck } from "lucide-react";
import type { RunModel } from "../features/graph/model/model";
import { savedAlready, startSaving, useSaved } from "../features/saved/state";
import { Button } from "../kit/button";
import { saidKeys } from "../kit/pressed";
import { useKeysOf } from "../kit/shortcuts";
import { draftOfAnswer } from "./answer";

/** Saves what is shown of a run; says so if it is saved already. */
export function SaveButton({ run, edited }: { run: RunModel; edited?: string }) {
  const saved = useSaved((s) => savedAlready(s.list, draftOfAnswer(run, edited)) !== undefined);
  const keys = saidKeys(useKeysOf("save"));
  return (
    <span title={keys || undefined}>
      <Button
        size="sm"
        variant="quiet"
        icon={saved ? <BookmarkCheck size={14} className="text-good" /> : <Bookmark size={14} />}
        onClick={() => startSaving(draftOfAnswer(run, edited))}
      >
        {saved ? t({ message: "Saved", context: "this question" }) : t`Save`}
      </Button>
    </span>
  );
}
