import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FolderOpen, X } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { engineNamed } from "../../domain/engines";
import type { AppError, Dialect, DriverInfo } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button, IconButton } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { Field, Input, Textarea } from "../../kit/field";
import { Select } from "../../kit/select";
import { toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";
import { changeEditing, changeValues, type Editing } from "./connection";
import { DIALECT_TITLES } from "./driver";
import { EditedLogin } from "./EditedLogin";

/** The driver, its SQL dialect, and its options. */
export function DriverFields({ editing }: { editing: Editing }) {
  const { driver = "", dialect = "", uri = "", options = "" } = editing.values;
  const dialects = (engineNamed("adbc")?.fields.find((field) => field.name === "dialect")?.choices ??
    []) as Dialect[];
  const set = (part: Record<string, string>) => void changeValues(part);
  // The name of a driver often says its dialect.
  const choose = async (name: string) => {
    const named = (await host().parseAddress(`adbc:${name}`)).values?.dialect;
    set({ driver: name, ...(named === undefined ? {} : { dialect: named }) });
  };
  // A password in it goes into the password field.
  const changeUri = async (text: string) => {
    set({ uri: text });
    if (!text.includes("@")) return;
    const parsed = await host().parseAddress(`adbc:x?uri=${encodeURIComponent(text)}`);
    if (parsed.password === "") return;
    set({ uri: parsed.values?.uri ?? text });
    changeEditing({ password: parsed.password });
  };
  return (
    <div className="flex flex-col gap-3">
      <DriverChoice chosen={driver} onChoose={(name) => void choose(name)} />
      <div>
        <span className="mb-1 block font-medium text-fg-2 text-sm">
          <Trans>SQL</Trans>
        </span>
        <Select
          label={t`SQL`}
          value={dialect}
          choices={dialects.map((value) => ({ value, label: DIALECT_TITLES[value] }))}
          onChange={(next) => set({ dialect: next })}
        />
      </div>
      <Field
        label={t`Address`}
        help={t`The driver's uri option as described in its documentation, with the user name. The password has its own field.`}
      >
        <Input
          value={uri}
          placeholder="mssql://ann@sql.example:1433?database=sales"
          onChange={(e) => void changeUri(e.target.value)}
        />
      </Field>
      <Field label={t`More options`} help={t`Other driver options, one per line: name=value.`}>
        <Textarea value={options} rows={2} onChange={(e) => set({ options: e.target.value })} />
      </Field>
      <EditedLogin editing={editing} />
      <p className="text-fg-3 text-xs">
        <Trans>
          Preview. A driver is third-party software. Each query is proven to be read-only before it is sent; nothing
          else the driver does is checked. Use a read-only login.
        </Trans>
      </p>
    </div>
  );
}

/** The drivers that were added, and a way to add another one by its file. */
function DriverChoice({ chosen, onChoose }: { chosen: string; onChoose: (name: string) => void }) {
  const [drivers, setDrivers] = useState<DriverInfo[]>([]);
  const [hidden, setHidden] = useState<string[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    () =>
      host()
        .drivers()
        .then((all) => setDrivers(all.filter((one) => one.preview)))
        .catch((thrown) => setError(toAppError(thrown))),
    [],
  );
  useEffect(() => void load(), [load]);
  const add = async () => {
    setError(null);
    try {
      const added = await host().chooseDriver();
      if (!added) return;
      await load();
      onChoose(added.name);
    } catch (thrown) {
      setError(toAppError(thrown));
    }
  };
  const remove = (name: string) => {
    const show = () => setHidden((names) => names.filter((one) => one !== name));
    setHidden((names) => [...names, name]);
    undoable({
      title: t`Driver ${name} removed`,
      undo: show,
      commit: () => {
        void host()
          .removeDriver(name)
          .then(load)
          .catch((thrown) => toastError(toAppError(thrown)))
          .finally(show);
      },
    });
  };
  const shown = drivers.filter((driver) => !hidden.includes(driver.name));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium text-fg-2 text-sm">
        <Trans>Driver</Trans>
      </legend>
      {shown.map((driver) => (
        <div key={driver.name} className="flex items-center gap-2">
          <label className="flex min-w-0 flex-1 items-center gap-2 text-sm">
            <input
              type="radio"
              name="driver"
              className="accent-accent"
              checked={driver.name === chosen}
              onChange={() => onChoose(driver.name)}
            />
            <span className="font-medium">{driver.name}</span>
            <span className="min-w-0 truncate text-fg-3 text-xs" title={driver.path}>
              {driver.present ? driver.path : t`The file is missing or has changed: ${driver.path}`}
            </span>
          </label>
          <IconButton label={t`Remove driver ${driver.name}`} onClick={() => remove(driver.name)}>
            <X size={14} />
          </IconButton>
        </div>
      ))}
      <div className="flex items-center gap-3">
        <Button size="sm" icon={<FolderOpen size={14} />} onClick={() => void add()}>
          <Trans>Add a driver…</Trans>
        </Button>
        <p className="min-w-0 flex-1 text-fg-3 text-xs">
          <Trans>An ADBC driver file from its vendor, such as libadbc_driver_mssql.so. The file is not moved.</Trans>
        </p>
      </div>
      {error && <ErrorNote error={error} compact />}
    </fieldset>
  );
}
