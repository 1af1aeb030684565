import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { engineNamed } from "../../domain/engines";
import type { AppError, DriverInfo } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { Field, Input } from "../../kit/field";
import { lazyRecord } from "../../kit/lazyRecord";
import { Select } from "../../kit/select";
import { changeValues, type Editing, isPastable, pasteAddress } from "./connection";
import { EditedLogin } from "./EditedLogin";

const SIGN_IN_NAMES: Record<string, { label: string; note: string }> = lazyRecord({
  password: () => ({
    label: t`Password`,
    note: t`For accounts without multi-factor authentication`,
  }),
  token: () => ({
    label: t`Access token`,
    note: t`A programmatic access token instead of the password`,
  }),
  key: () => ({
    label: t`Key pair`,
    note: t`A private key file; enter its passphrase instead of the password`,
  }),
  browser: () => ({
    label: t`Browser`,
    note: t`Your company's sign-in page opens in a browser tab`,
  }),
  oauth: () => ({
    label: t`OAuth token`,
    note: t`A token from another source instead of the password`,
  }),
});

/** The secret of each sign-in method. */
const SECRETS: Record<string, string> = lazyRecord({
  password: () => t`Password`,
  token: () => t`Access token`,
  key: () => t`Passphrase`,
  browser: () => "",
  oauth: () => t`OAuth token`,
});

/** Account, user, database, schema, warehouse, role and how one signs in to Snowflake; a pasted address fills them. */
export function AccountFields({ editing }: { editing: Editing }) {
  const account = editing.values;
  const signIn = account.signIn ?? "password";
  const signIns = engineNamed("snowflake")?.fields.find((one) => one.name === "signIn")?.choices ?? [];
  const set = (part: Record<string, string>) => void changeValues(part);
  const field = (name: "user" | "database" | "schema" | "warehouse" | "role" | "keyFile", placeholder: string) => (
    <Input value={account[name] ?? ""} placeholder={placeholder} onChange={(e) => set({ [name]: e.target.value })} />
  );
  const half = "min-w-0 flex-1";
  return (
    <div className="flex flex-col gap-3">
      <DriverNote />
      <div className="flex gap-3">
        <div className={half}>
          <Field
            label={t`Account`}
            help={t`As in its URL: ORGANISATION-ACCOUNT. Paste an address to fill all fields.`}
          >
            <Input
              value={account.account ?? ""}
              placeholder="myorg-sales"
              onChange={(e) =>
                isPastable(e.target.value) ? void pasteAddress(e.target.value) : set({ account: e.target.value })
              }
            />
          </Field>
        </div>
        <div className={half}>
          <Field label={t`User`}>{field("user", "ANN")}</Field>
        </div>
      </div>
      <div className="flex gap-3">
        <div className={half}>
          <Field label={t`Database`} help={t`Names are case-sensitive; most are uppercase.`}>
            {field("database", "SHOP")}
          </Field>
        </div>
        <div className={half}>
          <Field label={t`Schema`} help={t`Leave empty for the whole database.`}>
            {field("schema", "PUBLIC")}
          </Field>
        </div>
      </div>
      <div className="flex gap-3">
        <div className={half}>
          <Field label={t`Warehouse`} help={t`Runs the queries and is billed while running.`}>
            {field("warehouse", "ANALYSIS_WH")}
          </Field>
        </div>
        <div className={half}>
          <Field label={t`Role`} help={t`Preferably a read-only role.`}>
            {field("role", "VITRINE")}
          </Field>
        </div>
      </div>
      <div>
        <span className="mb-1 block font-medium text-fg-2 text-sm">
          <Trans>Sign-in</Trans>
        </span>
        <Select
          label={t`Sign-in`}
          value={signIn}
          choices={signIns.map((value) => ({ value, label: value, ...SIGN_IN_NAMES[value] }))}
          onChange={(next) => set({ signIn: next })}
        />
      </div>
      {signIn === "key" && (
        <Field label={t`Key file`} help={t`A private key (PKCS 8, PEM). Enter the full path.`}>
          {field("keyFile", "/home/you/rsa_key.p8")}
        </Field>
      )}
      {signIn !== "browser" && <EditedLogin editing={editing} label={SECRETS[signIn]} />}
    </div>
  );
}

/** Says that the driver is missing, and gets it. */
function DriverNote() {
  const [driver, setDriver] = useState<DriverInfo | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    host()
      .drivers()
      .then((all) => setDriver(all.find((one) => one.name === "snowflake") ?? null))
      .catch((thrown) => setError(toAppError(thrown)));
  }, []);
  const get = async () => {
    setBusy(true);
    setError(null);
    try {
      setDriver(await host().getDriver("snowflake"));
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setBusy(false);
    }
  };
  if (error) return <ErrorNote error={error} compact />;
  if (!driver || driver.present) return null;
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line bg-accent-soft px-3 py-2">
      <p className="min-w-0 flex-1 text-sm">
        <Trans>
          Snowflake needs a driver (version {driver.version}, {driver.licence}). It is downloaded from {driver.from}{" "}
          and verified before use: about 28 MB.
        </Trans>
      </p>
      <Button size="sm" icon={<Download size={14} />} busy={busy} onClick={() => void get()}>
        <Trans>Download driver</Trans>
      </Button>
    </div>
  );
}
