import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Field, Input } from "../../kit/field";
import { changeValues, type Editing, isPastable, pasteAddress } from "./connection";
import { EditedLogin } from "./EditedLogin";

/** Region, database and token of MotherDuck; a pasted address fills them. */
export function MotherduckFields({ editing }: { editing: Editing }) {
  const motherduck = editing.values;
  const set = (part: Record<string, string>) => void changeValues(part);
  const half = "min-w-0 flex-1";
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-3">
        <div className={half}>
          <Field
            label={t`Region`}
            help={t`In MotherDuck under Settings, Postgres endpoint. You can paste the host or address from there.`}
          >
            <Input
              value={motherduck.region ?? ""}
              placeholder="us-east-1"
              onChange={(e) =>
                isPastable(e.target.value) ? void pasteAddress(e.target.value) : set({ region: e.target.value })
              }
            />
          </Field>
        </div>
        <div className={half}>
          <Field label={t`Database`} help={t`Your own, or one shared with you.`}>
            <Input
              value={motherduck.database ?? ""}
              placeholder="sample_data"
              onChange={(e) => set({ database: e.target.value })}
            />
          </Field>
        </div>
      </div>
      <EditedLogin editing={editing} label={t`Access token`} />
      <p className="text-fg-3 text-xs">
        <Trans>
          Preview: not yet tested with MotherDuck itself. Use a read scaling token, which can only read. Compute is
          billed while it runs.
        </Trans>
      </p>
    </div>
  );
}
