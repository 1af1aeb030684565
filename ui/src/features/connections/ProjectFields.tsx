import { t } from "@lingui/core/macro";
import { Field, Input } from "../../kit/field";
import { change, type Editing } from "./connection";
import { GoogleFields } from "./GoogleFields";
import { isProject, type ProjectParts, projectOf } from "./project";

/** Project, dataset, location, billing project and sign-in of BigQuery; a pasted address fills them. */
export function ProjectFields({ editing }: { editing: Editing }) {
  const { project } = editing;
  const set = (part: Partial<ProjectParts>) => change({ project: { ...project, ...part } });
  const field = (name: keyof ProjectParts, placeholder: string) => (
    <Input value={project[name]} placeholder={placeholder} onChange={(e) => set({ [name]: e.target.value })} />
  );
  return (
    <div className="flex flex-col gap-3">
      <Field label={t`Project`} help={t`The one that has the data. An address pasted here fills all fields.`}>
        <Input
          value={project.project}
          placeholder="my-project"
          onChange={(e) =>
            isProject(e.target.value)
              ? change({ project: projectOf(e.target.value) })
              : set({ project: e.target.value })
          }
        />
      </Field>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Dataset`} help={t`All of the project where it is left empty.`}>
            {field("dataset", "sales")}
          </Field>
        </div>
        <div className="w-40">
          <Field label={t`Location`} help={t`Found out where it is left empty.`}>
            {field("location", "EU")}
          </Field>
        </div>
      </div>
      <Field label={t`Billing project`} help={t`The one that pays for queries, where it is another one.`}>
        {field("billingProject", "")}
      </Field>
      <GoogleFields project={project} onChange={set} />
    </div>
  );
}
