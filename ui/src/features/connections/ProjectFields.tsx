import { t } from "@lingui/core/macro";
import { Field, Input } from "../../kit/field";
import { changeValues, type Editing, isPastable, pasteAddress } from "./connection";
import { GoogleFields } from "./GoogleFields";

/** Project, dataset, location, billing project and sign-in of BigQuery; a pasted address fills them. */
export function ProjectFields({ editing }: { editing: Editing }) {
  const project = editing.values;
  const set = (part: Record<string, string>) => void changeValues(part);
  const field = (name: string, placeholder: string) => (
    <Input value={project[name] ?? ""} placeholder={placeholder} onChange={(e) => set({ [name]: e.target.value })} />
  );
  return (
    <div className="flex flex-col gap-3">
      <Field label={t`Project`} help={t`The project with the data. Paste an address to fill all fields.`}>
        <Input
          value={project.project ?? ""}
          placeholder="my-project"
          onChange={(e) =>
            isPastable(e.target.value) ? void pasteAddress(e.target.value) : set({ project: e.target.value })
          }
        />
      </Field>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Dataset`} help={t`Leave empty for the whole project.`}>
            {field("dataset", "sales")}
          </Field>
        </div>
        <div className="w-40">
          <Field label={t`Location`} help={t`Leave empty to detect it.`}>
            {field("location", "EU")}
          </Field>
        </div>
      </div>
      <Field label={t`Billing project`} help={t`The project that pays for queries, if different.`}>
        {field("billingProject", "")}
      </Field>
      <GoogleFields project={project} address={editing.address} onChange={set} />
    </div>
  );
}
