import { t } from "@lingui/core/macro";
import { Bookmark, BookmarkCheck } from "lucide-react";
import { draftOfAnswer } from "../answer/answer";
import { saveCurrent } from "../answer/runActions";
import { useShownQuery } from "../answer/shownQuery";
import { useDrafts } from "../features/editor/state";
import { mayNeedValues, useTyped } from "../features/editor/values";
import type { RunModel } from "../features/graph/model/model";
import { savedAlready, useSaved } from "../features/saved/state";
import { Button } from "../kit/button";
import { keysText } from "../kit/keyNames";
import { useKeysOf } from "../kit/shortcuts";
import type { RunTab } from "../navigation/route";

/** Saves what a tab shows of a run; says so if it is saved already. */
export function SaveButton({ run, tab }: { run: RunModel; tab: RunTab }) {
  const other = useShownQuery((s) => s.others[run.runId]?.sql);
  const key = `run:${run.runId}`;
  const draft = useDrafts((s) => s.drafts[key]);
  useTyped(key);
  const edited = tab === "answer" ? other : tab === "sql" ? draft : undefined;
  // A query with values that were typed for it is another one, which is known once it is filled in.
  const own = tab !== "sql" || run.code !== null || !mayNeedValues(key, draft ?? run.sql ?? "");
  const saved = useSaved((s) => own && savedAlready(s.list, draftOfAnswer(run, edited)) !== undefined);
  const keys = keysText(useKeysOf("save"));
  return (
    <span title={keys || undefined}>
      <Button
        size="sm"
        variant="quiet"
        icon={saved ? <BookmarkCheck size={14} className="text-good" /> : <Bookmark size={14} />}
        onClick={() => saveCurrent()}
      >
        {saved ? t({ message: "Saved", context: "this question" }) : t`Save`}
      </Button>
    </span>
  );
}
