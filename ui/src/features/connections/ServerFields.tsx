import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { engineNamed } from "../../domain/engines";
import { Field, Input } from "../../kit/field";
import { lazyRecord } from "../../kit/lazyRecord";
import { Select } from "../../kit/select";
import { TextButton } from "../../kit/textButton";
import { changeValues, changeWritten, type Editing, pasteAddress } from "./connection";
import { EditedLogin } from "./EditedLogin";
import { isServer } from "./words";

const PROTECTION_NAMES: Record<string, { label: string; note: string }> = lazyRecord({
  prefer: () => ({
    label: t`If available`,
    note: t`Passwords are only sent encrypted`,
  }),
  require: () => ({
    label: t`Always`,
    note: t`The certificate is not verified`,
  }),
  "verify-full": () => ({
    label: t`Always, and verify the certificate`,
    note: t`Safest; the server needs a trusted certificate`,
  }),
  disable: () => ({
    label: t`Never`,
    note: t`Only for networks that are already secure`,
  }),
});

/** Host, port, database, user, encryption and the machine between; a pasted address fills them. */
export function ServerFields({ editing }: { editing: Editing }) {
  const { values, written } = editing;
  const engine = engineNamed(editing.kind);
  const field = (name: string) => engine?.fields.find((one) => one.name === name);
  const value = (name: string) => values[name] ?? "";
  const set = (part: Record<string, string>) => void changeValues(part);
  return (
    <div className="flex flex-col gap-3">
      {written === null ? (
        <>
          <Field
            label={t`Paste an address`}
            help={t`Fills the fields below. A password in it goes into the password field.`}
          >
            <Input
              value=""
              placeholder={`${engine?.schemes[0]}://user@host:${field("port")?.example}/database`}
              onChange={(e) => void pasteAddress(e.target.value)}
            />
          </Field>
          <div className="flex gap-3">
            <div className="min-w-0 flex-1">
              <Field label={t`Host`}>
                <Input
                  value={value("host")}
                  placeholder="db.example.com"
                  onChange={(e) =>
                    isServer(e.target.value) ? void pasteAddress(e.target.value) : set({ host: e.target.value })
                  }
                />
              </Field>
            </div>
            <div className="w-24">
              <Field label={t`Port`}>
                <Input
                  value={value("port")}
                  inputMode="numeric"
                  placeholder={field("port")?.example}
                  onChange={(e) => set({ port: e.target.value.replace(/\D/g, "").slice(0, 5) })}
                />
              </Field>
            </div>
          </div>
          <div className="flex gap-3">
            <div className="min-w-0 flex-1">
              <Field label={t`Database`}>
                <Input value={value("database")} onChange={(e) => set({ database: e.target.value })} />
              </Field>
            </div>
            <div className="min-w-0 flex-1">
              <Field label={t`User`}>
                <Input value={value("user")} onChange={(e) => set({ user: e.target.value })} />
              </Field>
            </div>
          </div>
          <div>
            <span className="mb-1 block font-medium text-fg-2 text-sm">
              <Trans>Encryption</Trans>
            </span>
            <Select
              label={t`Encryption`}
              value={value("protection")}
              choices={(field("protection")?.choices ?? []).map((one) => ({
                value: one,
                label: one,
                ...PROTECTION_NAMES[one],
              }))}
              onChange={(protection) => set({ protection })}
            />
          </div>
          {field("ssh") === undefined ? (
            <p className="text-fg-3 text-xs">
              <Trans>
                Preview. Use the HTTP port: 8443 encrypted, 8123 unencrypted (not 9000). The login needs SELECT and a
                profile that accepts settings (readonly = 0 or 2).
              </Trans>
            </p>
          ) : (
            <Field
              label={t`Through SSH`}
              help={t`For a server behind a jump host: a name from ~/.ssh/config, or USER@HOST:PORT. Vitrine signs in with your keys or agent. Host and port above are then as seen from the jump host.`}
            >
              <Input
                value={value("ssh")}
                placeholder="ann@bastion.example.com"
                onChange={(e) => set({ ssh: e.target.value })}
              />
            </Field>
          )}
          {field("ssh") !== undefined && value("ssh").trim() !== "" && (
            <Field
              label={t`SSH key file`}
              help={t`Only for a key that is not in your agent or ~/.ssh/config. You are asked for its passphrase if it has one.`}
            >
              <Input
                value={value("sshKey")}
                placeholder="/home/ann/.ssh/id_ed25519"
                onChange={(e) => set({ sshKey: e.target.value })}
              />
            </Field>
          )}
        </>
      ) : (
        <Field
          label={t`Address`}
          help={t`Some parts have no field in this form, so the address is used exactly as written.`}
        >
          <Input value={written} onChange={(e) => void changeWritten(e.target.value)} />
        </Field>
      )}
      {written !== null && editing.fits && (
        <TextButton onClick={() => void pasteAddress(written)}>
          <Trans>Show as fields</Trans>
        </TextButton>
      )}
      <EditedLogin editing={editing} />
    </div>
  );
}
