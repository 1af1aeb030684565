import { useEffect, useState } from "react";
import type { AppError, SavedDraft, SavedQuestion, SavedStatus } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input, Textarea } from "../../kit/field";
import { Segmented } from "../../kit/segmented";
import { toast } from "../../kit/toast";
import { isChanged, save, startSaving, useSaved } from "./state";

const STATUSES: { value: SavedStatus; label: string; note: string }[] = [
  { value: "draft", label: "Draft", note: "Not checked yet." },
  { value: "reviewed", label: "Reviewed", note: "The SQL was reviewed." },
  { value: "verified", label: "Verified", note: "The numbers were checked against another source." },
];

/** Why a changed query is a draft again; null if it was a draft. */
function whyLowered({ status, code }: SavedQuestion): string | null {
  const what = code ? "code" : "SQL";
  if (status === "verified")
    return `The ${what} has changed since it was verified, so it is a draft again. Choose Verified once you have checked the new numbers.`;
  if (status === "reviewed")
    return `The ${what} has changed since it was reviewed, so it is a draft again. Choose Reviewed once you have reviewed the change.`;
  return null;
}

export function SaveDialog({ onSaved }: { onSaved: (question: SavedQuestion) => void }) {
  const draft = useSaved((s) => s.draft);
  const [edited, setEdited] = useState<SavedDraft | null>(draft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (draft) setEdited(draft);
    setError(null);
  }, [draft]);
  const close = () => startSaving(null);
  const submit = async () => {
    if (!edited || edited.title.trim() === "") return;
    setBusy(true);
    try {
      const saved = await save({ ...edited, title: edited.title.trim() });
      toast({ tone: "good", title: edited.id ? "Changes saved." : "Question saved." });
      close();
      onSaved(saved);
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setBusy(false);
    }
  };
  const before = useSaved((s) => s.list.find((q) => q.id === draft?.id));
  const lowered = before && draft && isChanged(before, draft) && whyLowered(before);
  const set = (part: Partial<SavedDraft>) => edited && setEdited({ ...edited, ...part });
  return (
    <Dialog
      open={draft !== null}
      onClose={close}
      title={draft?.id ? "Edit saved question" : "Save question"}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} disabled={!edited?.title.trim()} onClick={() => void submit()}>
            Save
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
          <Field label="Title">
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
            <div className="mb-1 font-medium text-fg-2 text-sm">Status</div>
            <Segmented
              label="Status"
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
          <Field label="Notes">
            <Textarea
              rows={3}
              value={edited.notes}
              placeholder="Purpose, assumptions, caveats"
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
