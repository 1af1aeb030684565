import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Skeleton } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import type { Search } from "../../kit/useSearchResults";
import { LevelPicker } from "./LevelPicker";
import { MaskedColumns } from "./MaskedColumns";
import { MaskField } from "./MaskField";
import { chosenLevel } from "./policy";
import { type ChangeOrigin, useEgress } from "./useEgress";

/** The privacy settings of a warehouse for remote models. */
export function PrivacyDialog({ uri, columns }: { uri: string; columns: Search<string> }) {
  const egress = useEgress(uri);
  const { policy, error, refused, change } = egress;
  const refusal = (place: ChangeOrigin) =>
    refused?.place === place && (
      <div className="mt-2">
        <ErrorNote error={refused.error} compact />
      </div>
    );
  return (
    <>
      <TextButton onClick={() => egress.show(true)}>
        <Trans>Privacy</Trans>
      </TextButton>
      <Dialog
        open={egress.open}
        onClose={() => egress.show(false)}
        title={t`Privacy`}
        description={t`Local models see everything, and nothing leaves this computer. Remote models see only what you choose here.`}
        width="w-150"
        footer={policy && <SavedLine egress={egress} />}
        still
      >
        {error && <ErrorNote error={error} compact again={() => void egress.load()} />}
        {!policy && !error && [1, 2, 3, 4, 5].map((n) => <Skeleton key={n} className="my-2 h-10" />)}
        {policy && (
          <>
            <LevelPicker
              value={policy.level}
              onChange={(level) =>
                void change({
                  place: "level",
                  said: chosenLevel(level),
                  to: (old) => ({ ...old, level }),
                })
              }
            />
            {refusal("level")}
            <p className="mt-1.5 text-fg-3 text-sm">
              <Trans>
                Your question and your notes for it are always sent unchanged. A model server on this computer also
                counts as remote.
              </Trans>
            </p>
            <section aria-label={t`Masked columns`} className="mt-4 border-line border-t pt-4">
              <MaskedColumns policy={policy} columns={egress.columns} onChange={(next) => void change(next)} />
              {refusal("columns")}
              <MaskField
                columns={columns}
                masked={egress.columns.filter((column) => column.masked)}
                refused={refused?.place === "field" ? refused.error : null}
                onChange={change}
              />
            </section>
          </>
        )}
      </Dialog>
    </>
  );
}

/** Says that the last change was saved, and takes it back. */
function SavedLine({ egress }: { egress: ReturnType<typeof useEgress> }) {
  const { saved, refused } = egress;
  return (
    <>
      <p role="status" className="min-w-0 flex-1 truncate text-fg-3 text-sm">
        {refused
          ? t`Not saved.`
          : saved
            ? t`Saved. ${saved.said}`
            : t`Changes are saved immediately and apply from the next question.`}
      </p>
      <span className="flex h-7 items-center">
        {saved && !refused && (
          <Button size="sm" variant="quiet" onClick={egress.undo}>
            {saved.undid ? t`Redo` : t`Undo`}
          </Button>
        )}
      </span>
    </>
  );
}
