import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type Dispatch, type Ref, type SetStateAction, useEffect, useState } from "react";
import type { AppError } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Field, Input, Switch } from "../../kit/field";
import type { Login } from "./state";

/** A server's password, or what is given in its place, and whether the keychain stores it. */
export function PasswordField({
  label = t`Password`,
  help = t`Leave empty if the server needs none or it is already stored.`,
  login,
  onChange,
  ref,
}: {
  label?: string;
  help?: string;
  login: Login;
  onChange: Dispatch<SetStateAction<Login>>;
  ref?: Ref<HTMLInputElement>;
}) {
  const [missing, setMissing] = useState<AppError | null>(null);
  useEffect(() => {
    let here = true;
    host()
      .checkKeychain()
      .catch((thrown) => {
        if (!here) return;
        setMissing(toAppError(thrown));
        onChange((last) => ({ ...last, remember: false }));
      });
    return () => {
      here = false;
    };
  }, [onChange]);
  return (
    <div className="mt-3">
      <Field label={label} help={missing ? null : help}>
        <Input
          ref={ref}
          type="password"
          value={login.password}
          onChange={(e) => onChange({ ...login, password: e.target.value })}
        />
      </Field>
      {missing ? (
        <p className="mt-1 text-fg-3 text-xs">
          <Trans>
            {label}: kept only until Vitrine is closed. {missing.message} {missing.hint}
          </Trans>
        </p>
      ) : (
        <div className="mt-2 flex items-center gap-2.5 text-fg-2 text-sm">
          <Switch
            label={t`Remember in the system keychain`}
            checked={login.remember}
            onChange={(remember) => onChange({ ...login, remember })}
          />
          <span aria-hidden>
            <Trans>Remember in the system keychain</Trans>
          </span>
        </div>
      )}
    </div>
  );
}
