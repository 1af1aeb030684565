import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { Field, Input } from "../../kit/field";
import { Select } from "../../kit/select";
import { StatusIcon } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import { cancelGoogleSignIn, forgetGoogleSignIn, signInWithGoogle, useGoogleSignIn } from "./google";

type SignInWay = "machine" | "browser" | "key";

const WAYS: { value: SignInWay; label: string; note: string }[] = [
  {
    value: "machine",
    get label() {
      return t`As on this computer`;
    },
    get note() {
      return t`Credentials from gcloud auth application-default login`;
    },
  },
  {
    value: "browser",
    get label() {
      return t`In the browser`;
    },
    get note() {
      return t`With an OAuth client that your company created at Google`;
    },
  },
  {
    value: "key",
    get label() {
      return t`Key file`;
    },
    get note() {
      return t`Service account`;
    },
  },
];

/** The values of the form. */
type Values = Record<string, string>;

function wayOf({ clientId = "", clientFile = "", keyFile = "" }: Values): SignInWay {
  if (clientId !== "" || clientFile !== "") return "browser";
  return keyFile === "" ? "machine" : "key";
}

/** Who signs in to Google, and as whom. */
export function GoogleFields({
  project,
  address: own,
  onChange,
}: {
  project: Values;
  address: string;
  onChange: (part: Values) => void;
}) {
  const [chosen, setChosen] = useState(() => wayOf(project));
  // A pasted address says it, too.
  const way = wayOf(project) === "machine" ? chosen : wayOf(project);
  return (
    <>
      <div>
        <span className="mb-1 block font-medium text-fg-2 text-sm">
          <Trans>Sign-in</Trans>
        </span>
        <Select
          label={t`Sign-in`}
          value={way}
          choices={WAYS}
          onChange={(next) => {
            setChosen(next);
            onChange({ clientId: "", clientFile: "", keyFile: "" });
          }}
        />
      </div>
      {way === "key" && (
        <Field label={t`Key file`} help={t`The full path. The file is read each time and not stored anywhere else.`}>
          <Input
            value={project.keyFile ?? ""}
            placeholder="/home/you/key.json"
            onChange={(e) => onChange({ keyFile: e.target.value })}
          />
        </Field>
      )}
      {way === "browser" && <BrowserSignIn project={project} address={own} onChange={onChange} />}
      <Field
        label={t`Act as a service account`}
        help={t`Your sign-in is exchanged for tokens of this account, which can be read-only. You need the role Service Account Token Creator on it. Leave empty to act as yourself.`}
      >
        <Input
          value={project.impersonate ?? ""}
          placeholder="reader@my-project.iam.gserviceaccount.com"
          onChange={(e) => onChange({ impersonate: e.target.value })}
        />
      </Field>
    </>
  );
}

/** The client that Google knows, and the sign-in itself. */
function BrowserSignIn({
  project,
  address: own,
  onChange,
}: {
  project: Values;
  address: string;
  onChange: (part: Values) => void;
}) {
  const [secret, setSecret] = useState("");
  const { address, waiting, done, note, error } = useGoogleSignIn();
  useEffect(() => forgetGoogleSignIn, []);
  const { clientId = "", clientFile = "" } = project;
  const hasClient = (clientId.trim() === "") !== (clientFile.trim() === "");
  const isReady = own !== "" && hasClient;
  return (
    <section
      aria-label={t`Sign in with Google`}
      className="flex flex-col gap-3 rounded-lg border border-line bg-sunk p-4"
    >
      <p className="text-fg-2 text-sm">
        <Trans>
          Vitrine has no OAuth client of its own at Google, so your company creates one: in the Google Cloud console
          under Google Auth Platform, Clients, with the type “Desktop app”. You get an ID and a secret, or both in a
          file.
        </Trans>
      </p>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Client ID`}>
            <Input
              value={clientId}
              placeholder="1234-abc.apps.googleusercontent.com"
              disabled={clientFile !== ""}
              onChange={(e) => onChange({ clientId: e.target.value })}
            />
          </Field>
        </div>
        <div className="min-w-0 flex-1">
          <Field
            label={t`Client secret`}
            help={t`Stored in the keychain with the sign-in. Leave empty if already stored.`}
          >
            <Input
              type="password"
              value={secret}
              disabled={clientFile !== ""}
              onChange={(e) => setSecret(e.target.value)}
            />
          </Field>
        </div>
      </div>
      <Field label={t`Or client file`} help={t`The file that Google provides. Enter the full path.`}>
        <Input
          value={clientFile}
          placeholder="/home/you/client_secret.json"
          disabled={clientId !== ""}
          onChange={(e) => onChange({ clientFile: e.target.value })}
        />
      </Field>
      <div className="flex items-center gap-3" aria-live="polite">
        {waiting ? (
          <Button onClick={cancelGoogleSignIn}>
            <Trans>Cancel</Trans>
          </Button>
        ) : (
          <Button
            variant="primary"
            icon={<ExternalLink size={14} />}
            disabled={!isReady}
            onClick={() => void signInWithGoogle(own, secret)}
          >
            <Trans>Sign in with Google</Trans>
          </Button>
        )}
        {waiting && (
          <span className="text-fg-2 text-sm">
            {waiting.opened ? t`Waiting for the browser. ` : t`No browser could be opened. `}
            <TextButton onClick={() => void host().copyText(waiting.url)}>
              <Trans>Copy page address</Trans>
            </TextButton>
          </span>
        )}
        {done && address === own && (
          <span className="flex items-center gap-2 text-sm">
            <Trans>
              <StatusIcon status="done" /> Signed in. {note ? t`Only until Vitrine is closed: ${note}` : ""}
            </Trans>
          </span>
        )}
        {!isReady && !waiting && (
          <span className="text-fg-3 text-sm">
            <Trans>Enter the project and a client ID or client file.</Trans>
          </span>
        )}
      </div>
      {error && address === own && <ErrorNote error={error} compact />}
    </section>
  );
}
