import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Field, Input } from "../../kit/field";
import { change, type Editing, pasteAddress } from "./connection";
import { EditedLogin } from "./EditedLogin";
import { isWorkspace, type WorkspaceParts } from "./workspace";

/** Host, SQL warehouse, catalog, schema and who signs in to Databricks; a pasted address fills them. */
export function WorkspaceFields({ editing }: { editing: Editing }) {
  const { workspace } = editing;
  const set = (part: Partial<WorkspaceParts>) => change({ workspace: { ...workspace, ...part } });
  const field = (name: keyof WorkspaceParts, placeholder: string) => (
    <Input value={workspace[name]} placeholder={placeholder} onChange={(e) => set({ [name]: e.target.value })} />
  );
  const half = "min-w-0 flex-1";
  return (
    <div className="flex flex-col gap-3">
      <Field
        label={t`Host`}
        help={t`Under Connection details of the SQL warehouse. An address pasted here fills all fields.`}
      >
        <Input
          value={workspace.host}
          placeholder="dbc-a1b2c3d4-e5f6.cloud.databricks.com"
          onChange={(e) =>
            isWorkspace(e.target.value) ? pasteAddress(e.target.value) : set({ host: e.target.value })
          }
        />
      </Field>
      <Field
        label={t`SQL warehouse`}
        help={t`Its id, or the HTTP path beside the host. It computes, and is billed while it runs.`}
      >
        {field("warehouse", "/sql/1.0/warehouses/abc123def456")}
      </Field>
      <div className="flex gap-3">
        <div className={half}>
          <Field label={t`Catalog`} help={t`One of Unity Catalog; hive_metastore is not read.`}>
            {field("catalog", "main")}
          </Field>
        </div>
        <div className={half}>
          <Field label={t`Schema`} help={t`All of the catalog where it is left empty.`}>
            {field("schema", "sales")}
          </Field>
        </div>
      </div>
      <Field
        label={t`Client id`}
        help={t`Of a service principal; leave it empty to sign in with a personal access token.`}
      >
        {field("client", "")}
      </Field>
      <EditedLogin editing={editing} label={workspace.client.trim() === "" ? t`Access token` : t`Client secret`} />
      <p className="text-fg-3 text-xs">
        <Trans>
          Preview. A SQL warehouse has no session that is held to reading: use a login that was granted SELECT and no
          more. A warehouse that sleeps is woken by the first question, which may take minutes.
        </Trans>
      </p>
    </div>
  );
}
