import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import type { AppError, SavedDraft, SavedQuestion, SavedStatus } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input, Textarea } from "../../kit/field";
import { Segmented } from "../../kit/segmented";
import { SuggestInput } from "../../kit/suggest";
import { TextButton } from "../../kit/textButton";
import { toast } from "../../kit/toast";
import { foldersOf, readTags } from "./find";
import { ParameterChoice } from "./Parameters";
import { type FiledQuestion, isChanged, saveQuestion, startSaving, useSaved, withQuery } from "./state";

const STATUSES: { value: SavedStatus; label: string; note: string }[] = [
  {
    value: "draft",
    get label() {
      return t`Draft`;
    },
    get note() {
      return t`Not checked yet.`;
    },
  },
  {
    value: "reviewed",
    get label() {
      return t`Reviewed`;
    },
    get note() {
      return t`The SQL was reviewed.`;
    },
  },
  {
    value: "verified",
    get label() {
      return t`Verified`;
    },
    get note() {
      return t`The numbers were checked against another source. The query is run, and its result is saved for comparison.`;
    },
  },
];

/** Why a changed query is a draft again; null if it was a draft. */
function whyLowered({ status, code }: SavedQuestion): string | null {
  if (status === "verified")
    return code
      ? t`The code has changed since it was verified, so it is a draft again. Choose Verified once you have checked the new numbers.`
      : t`The SQL has changed since it was verified, so it is a draft again. Choose Verified once you have checked the new numbers.`;
  if (status === "reviewed")
    return code
      ? t`The code has changed since it was reviewed, so it is a draft again. Choose Reviewed once you have reviewed the change.`
      : t`The SQL has changed since it was reviewed, so it is a draft again. Choose Reviewed once you have reviewed the change.`;
  return null;
}

const NOWHERE: FiledQuestion = { folder: "", tags: [], parameters: [] };

export function SaveDialog({ onOpen }: { onOpen: (question: SavedQuestion) => void }) {
  const draft = useSaved((s) => s.draft);
  const list = useSaved((s) => s.list);
  const [edited, setEdited] = useState<SavedDraft | null>(draft);
  const [folder, setFolder] = useState("");
  const [tags, setTags] = useState("");
  const [parameters, setParameters] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (draft) {
      const filed = useSaved.getState().list.find((q) => q.id === draft.id)?.filing ?? NOWHERE;
      setEdited(draft);
      setFolder(filed.folder);
      setTags(filed.tags.join(", "));
      setParameters([...new Set([...filed.parameters, ...useSaved.getState().asked])]);
    }
    setError(null);
  }, [draft]);
  const close = () => startSaving(null);
  const submit = async () => {
    if (!edited || edited.title.trim() === "") return;
    setBusy(true);
    try {
      const filed = { folder: folder.trim(), tags: readTags(tags), parameters };
      const { question, error } = await saveQuestion({ ...edited, title: edited.title.trim() }, filed);
      if (error) {
        // It is saved, but for what the message says.
        setEdited({ ...edited, id: question.id });
        setError(error);
        return;
      }
      toast({
        tone: "good",
        title: edited.id ? t`Changes saved.` : t`Saved “${question.title}”.`,
        actions: [{ label: t`Open`, run: () => onOpen(question) }],
      });
      close();
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setBusy(false);
    }
  };
  const before = list.find((q) => q.id === edited?.id);
  const lowered = before && edited && isChanged(before, edited) && whyLowered(before);
  // The same run under another query, or the answer of code that was edited.
  const other = edited && edited.id === null && edited.runId && list.find((q) => q.runId === edited.runId);
  const set = (part: Partial<SavedDraft>) => edited && setEdited({ ...edited, ...part });
  return (
    <Dialog
      open={draft !== null}
      onClose={close}
      title={edited?.id ? t`Edit saved question` : t`Save question`}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" busy={busy} disabled={!edited?.title.trim()} onClick={() => void submit()}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      {edited && (
        <form
          className="flex flex-col gap-4"
          onSubmit={(e) => {
            e.preventDefault();
            void submit();
          }}
        >
          {other && (
            <p role="status" className="rounded-md bg-sunk px-3 py-2 text-sm">
              {other.code
                ? t`This run is already saved as “${other.title}” with different code.`
                : t`This run is already saved as “${other.title}” with a different query.`}{" "}
              <TextButton
                onClick={() => {
                  setEdited(withQuery(other, edited.code ? { code: edited.code } : { sql: edited.sql }));
                  setFolder(other.filing.folder);
                  setTags(other.filing.tags.join(", "));
                  setParameters([...new Set([...other.filing.parameters, ...useSaved.getState().asked])]);
                }}
              >
                <Trans>Update it instead</Trans>
              </TextButton>
            </p>
          )}
          <Field label={t`Title`}>
            <Input
              value={edited.title}
              maxLength={200}
              onChange={(e) => set({ title: e.target.value })}
              onFocus={(e) => {
                e.target.select();
                e.target.scrollLeft = 0;
              }}
            />
          </Field>
          <div>
            <div className="mb-1 font-medium text-fg-2 text-sm">
              <Trans>Status</Trans>
            </div>
            <Segmented
              label={t`Status`}
              value={edited.status}
              choices={STATUSES}
              onChange={(status) => set({ status })}
            />
            <p className="mt-1 text-fg-3 text-xs">{STATUSES.find((s) => s.value === edited.status)?.note}</p>
            {lowered && edited.status === "draft" && (
              <p role="status" className="mt-2 rounded-md bg-warn-soft px-3 py-2 text-sm">
                {lowered}
              </p>
            )}
          </div>
          <div className="flex gap-4">
            <div className="min-w-0 flex-1">
              <div className="mb-1 font-medium text-fg-2 text-sm">
                <Trans>Folder</Trans>
              </div>
              <SuggestInput
                label={t`Folder`}
                value={folder}
                suggestions={foldersOf(list).map(({ path }) => ({ value: path }))}
                status={null}
                placeholder={t`Sales/Monthly`}
                onChange={setFolder}
                onOpen={() => {}}
              />
            </div>
            <div className="min-w-0 flex-1">
              <Field label={t`Tags`}>
                <Input value={tags} placeholder={t`finance, board`} onChange={(e) => setTags(e.target.value)} />
              </Field>
            </div>
          </div>
          {!edited.code && (
            <ParameterChoice
              warehouse={edited.warehouse}
              sql={edited.sql}
              chosen={parameters}
              onChange={setParameters}
            />
          )}
          <Field label={t`Notes`}>
            <Textarea
              rows={3}
              value={edited.notes}
              placeholder={t`Purpose, assumptions, caveats`}
              onChange={(e) => set({ notes: e.target.value })}
            />
          </Field>
          {error && <ErrorNote error={error} compact />}
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  );
}
