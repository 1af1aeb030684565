import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import { engineName } from "../../domain/engines";
import type { Connection, ConnectionSettings, OpenKind, WarehouseKind } from "../../host/bindings";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { Field, Input, SettingRow, Switch } from "../../kit/field";
import { AccountFields } from "./AccountFields";
import { BillingFields } from "./BillingFields";
import {
  changeEditing,
  changeValues,
  type Editing,
  isOnServer,
  missingDetail,
  saveEditing,
  stopEditing,
} from "./connection";
import { DriverFields } from "./DriverFields";
import { EnvironmentField } from "./EnvironmentField";
import { MotherduckFields } from "./MotherduckFields";
import { ProjectFields } from "./ProjectFields";
import { ReadAheadFields } from "./ReadAheadFields";
import { ScopeField } from "./ScopeField";
import { ServerFields } from "./ServerFields";
import { TestPanel } from "./TestPanel";
import { WorkspaceFields } from "./WorkspaceFields";

/** Databases with several schemas; without one in its address ClickHouse's has all databases of the server. */
const WITH_SCHEMAS: WarehouseKind[] = [
  "postgres",
  "duckdb",
  "bigquery",
  "snowflake",
  "databricks",
  "motherduck",
  "clickhouse",
];

/** Makes or edits a connection: where it is, what it is for, what questions may use; tested before it is saved. */
export function ConnectionForm({
  editing,
  onSaved,
}: {
  editing: Editing;
  onSaved: (connection: Connection, open: boolean) => void;
}) {
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);
  const lacks = missingDetail(editing);
  const local = isLocal(editing.kind);
  const save = async (open: boolean) => {
    const kept = await saveEditing();
    if (kept) onSaved(kept, open);
  };
  return (
    <form
      aria-label={editing.id ? t`Edit ${editing.name}` : t`New connection: ${engineName(editing.kind)}`}
      className="mx-auto flex w-full max-w-160 flex-col gap-4 px-8 py-6"
      onSubmit={(e) => {
        e.preventDefault();
        void save(editing.id === null);
      }}
      onKeyDown={(e) => {
        if (e.key === "Escape" && !e.defaultPrevented) stopEditing();
      }}
    >
      <h1 className="font-semibold text-xl">
        {editing.id ? t`Edit connection` : t`New connection: ${engineName(editing.kind)}`}
      </h1>
      <Field label={t`Name`} help={t`The name you and your colleagues use. It also works in terminal commands.`}>
        <Input
          ref={name}
          value={editing.name}
          maxLength={80}
          placeholder={t`Sales`}
          onChange={(e) => changeEditing({ name: e.target.value })}
        />
      </Field>
      <Place editing={editing} />
      {local ? (
        <>
          <TestPanel address={editing.address} password={editing.password} />
          <Disclosure title={t`More settings`} open={hasChoices(editing)}>
            <div className="flex flex-col gap-4">
              <EnvironmentPart editing={editing} />
              <UsePart editing={editing} />
            </div>
          </Disclosure>
        </>
      ) : (
        <>
          <EnvironmentPart editing={editing} />
          <TestPanel address={editing.address} password={editing.password} />
          <UsePart editing={editing} />
        </>
      )}
      {editing.error && <ErrorNote error={editing.error} compact />}
      <div className="flex items-center justify-end gap-2">
        {lacks && <span className="mr-auto text-fg-3 text-sm">{lacks}</span>}
        <Button onClick={stopEditing}>
          <Trans>Cancel</Trans>
        </Button>
        {editing.id === null && (
          <Button disabled={lacks !== null} busy={editing.saving} onClick={() => void save(false)}>
            <Trans>Save</Trans>
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={lacks !== null} busy={editing.saving}>
          {editing.id === null ? t`Save and open` : t`Save`}
        </Button>
      </div>
    </form>
  );
}

/** Returns whether a connection is files of this computer, which need few settings. */
const isLocal = (kind: WarehouseKind) => kind in PICKERS;

/** Returns whether a setting is not the default one: then it is not folded away. */
function hasChoices({ environment, schemas, settings }: Editing): boolean {
  return environment !== null || schemas.length > 0 || settings.requireApproval || !settings.readAhead;
}

function EnvironmentPart({ editing }: { editing: Editing }) {
  return <EnvironmentField value={editing.environment} onChange={(environment) => changeEditing({ environment })} />;
}

/** What questions may use, what is read ahead, and whether SQL needs an approval. */
function UsePart({ editing }: { editing: Editing }) {
  const { kind, schemas, settings } = editing;
  const change = (next: ConnectionSettings) => changeEditing({ settings: next });
  return (
    <>
      {WITH_SCHEMAS.includes(kind) && (
        <ScopeField value={schemas} onChange={(chosen) => changeEditing({ schemas: chosen })} />
      )}
      <ReadAheadFields kind={kind} settings={settings} onChange={change} />
      <BillingFields kind={kind} settings={settings} onChange={change} />
      <SettingRow
        label={t`Require approval of SQL`}
        help={t`Each query of a question, the editor or an export is shown first, and runs only once you have approved its exact text. Vitrine then reads no rows ahead, and does not explain or check answers with further queries.`}
      >
        <Switch
          label={t`Require approval of SQL`}
          checked={settings.requireApproval}
          onChange={(requireApproval) => change({ ...settings, requireApproval })}
        />
      </SettingRow>
    </>
  );
}

/** Where the database is. */
function Place({ editing }: { editing: Editing }) {
  if (editing.kind === "bigquery") return <ProjectFields editing={editing} />;
  if (editing.kind === "snowflake") return <AccountFields editing={editing} />;
  if (editing.kind === "databricks") return <WorkspaceFields editing={editing} />;
  if (editing.kind === "motherduck") return <MotherduckFields editing={editing} />;
  if (editing.kind === "adbc") return <DriverFields editing={editing} />;
  return isOnServer(editing.kind) ? <ServerFields editing={editing} /> : <PathField editing={editing} />;
}

const PICKERS: Partial<Record<Editing["kind"], { pick: OpenKind; label: string }[]>> = {
  sqlite: [
    {
      pick: "sqlite",
      get label() {
        return t`Choose file`;
      },
    },
  ],
  duckdb: [
    {
      pick: "duckdb",
      get label() {
        return t`Choose file`;
      },
    },
  ],
  file: [
    {
      pick: "file",
      get label() {
        return t`Choose file`;
      },
    },
    {
      pick: "folder",
      get label() {
        return t`Choose folder`;
      },
    },
  ],
  ddl: [
    {
      pick: "ddl",
      get label() {
        return t`Choose file`;
      },
    },
    {
      pick: "folder",
      get label() {
        return t`Choose folder`;
      },
    },
  ],
};

const EXAMPLES: Partial<Record<WarehouseKind, string>> = {
  sqlite: "/data/sales.sqlite",
  duckdb: "/data/sales.duckdb",
  file: "/data/sales.csv",
  ddl: "/data/schema.sql",
};

function PathField({ editing }: { editing: Editing }) {
  const pick = async (what: OpenKind) => {
    const picked = await host().pickOpenPath(what);
    if (!picked) return;
    const file = picked.split(/[\\/]/).at(-1) ?? "";
    if (editing.name === "") changeEditing({ name: file.replace(/\.[^.]*$/, "") });
    await changeValues({ path: picked });
  };
  return (
    <div>
      <Field label={t`Path`}>
        <Input
          value={editing.values.path ?? ""}
          placeholder={EXAMPLES[editing.kind]}
          onChange={(e) => void changeValues({ path: e.target.value })}
        />
      </Field>
      <div className="mt-2 flex gap-2">
        {(PICKERS[editing.kind] ?? []).map(({ pick: what, label }) => (
          <Button key={what} size="sm" icon={<FolderOpen size={14} />} onClick={() => void pick(what)}>
            {label}…
          </Button>
        ))}
      </div>
    </div>
  );
}
