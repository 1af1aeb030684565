import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Field, Input } from "../../kit/field";
import { changeValues, type Editing, isPastable, pasteAddress } from "./connection";
import { EditedLogin } from "./EditedLogin";

/** Host, SQL warehouse, catalog, schema and who signs in to Databricks; a pasted address fills them. */
export function WorkspaceFields({ editing }: { editing: Editing }) {
  const workspace = editing.values;
  const set = (part: Record<string, string>) => void changeValues(part);
  const field = (name: string, placeholder: string) => (
    <Input
      value={workspace[name] ?? ""}
      placeholder={placeholder}
      onChange={(e) => set({ [name]: e.target.value })}
    />
  );
  const half = "min-w-0 flex-1";
  return (
    <div className="flex flex-col gap-3">
      <Field
        label={t`Host`}
        help={t`See Connection details of the SQL warehouse. Paste an address to fill all fields.`}
      >
        <Input
          value={workspace.host ?? ""}
          placeholder="dbc-a1b2c3d4-e5f6.cloud.databricks.com"
          onChange={(e) =>
            isPastable(e.target.value) ? void pasteAddress(e.target.value) : set({ host: e.target.value })
          }
        />
      </Field>
      <Field
        label={t`SQL warehouse`}
        help={t`Its ID, or the HTTP path next to the host. It runs the queries and is billed while running.`}
      >
        {field("warehouse", "/sql/1.0/warehouses/abc123def456")}
      </Field>
      <div className="flex gap-3">
        <div className={half}>
          <Field label={t`Catalog`} help={t`A catalog of Unity Catalog; hive_metastore is not supported.`}>
            {field("catalog", "main")}
          </Field>
        </div>
        <div className={half}>
          <Field label={t`Schema`} help={t`Leave empty for the whole catalog.`}>
            {field("schema", "sales")}
          </Field>
        </div>
      </div>
      <Field
        label={t`Client ID`}
        help={t`For a service principal. Leave empty to sign in with a personal access token.`}
      >
        {field("client", "")}
      </Field>
      <EditedLogin
        editing={editing}
        label={(workspace.client ?? "").trim() === "" ? t`Access token` : t`Client secret`}
      />
      <p className="text-fg-3 text-xs">
        <Trans>
          Preview. SQL warehouses have no read-only sessions, so use a login with only SELECT granted. The first
          question starts a stopped warehouse, which may take minutes.
        </Trans>
      </p>
    </div>
  );
}
