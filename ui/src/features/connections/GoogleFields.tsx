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
import { type ProjectParts, projectAddress } from "./project";

type Way = "machine" | "browser" | "key";

const WAYS: { value: Way; label: string; note: string }[] = [
  {
    value: "machine",
    get label() {
      return t`As on this computer`;
    },
    get note() {
      return t`What gcloud auth application-default login left here`;
    },
  },
  {
    value: "browser",
    get label() {
      return t`In the browser`;
    },
    get note() {
      return t`With a client that your company made at Google`;
    },
  },
  {
    value: "key",
    get label() {
      return t`Key file`;
    },
    get note() {
      return t`Of a service account`;
    },
  },
];

function wayOf({ clientId, clientFile, keyFile }: ProjectParts): Way {
  if (clientId !== "" || clientFile !== "") return "browser";
  return keyFile === "" ? "machine" : "key";
}

/** Who signs in to Google, and as whom. */
export function GoogleFields({
  project,
  onChange,
}: {
  project: ProjectParts;
  onChange: (part: Partial<ProjectParts>) => void;
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
        <Field label={t`Key file`} help={t`The whole path. It is read each time, and kept nowhere else.`}>
          <Input
            value={project.keyFile}
            placeholder="/home/you/key.json"
            onChange={(e) => onChange({ keyFile: e.target.value })}
          />
        </Field>
      )}
      {way === "browser" && <BrowserSignIn project={project} onChange={onChange} />}
      <Field
        label={t`Act as a service account`}
        help={t`Your sign-in is exchanged for tokens of this account, which can be one that only reads. Your sign-in needs the role Service Account Token Creator on it. Left empty, you are yourself.`}
      >
        <Input
          value={project.impersonate}
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
  onChange,
}: {
  project: ProjectParts;
  onChange: (part: Partial<ProjectParts>) => void;
}) {
  const [secret, setSecret] = useState("");
  const { address, waiting, done, note, error } = useGoogleSignIn();
  useEffect(() => forgetGoogleSignIn, []);
  const own = projectAddress(project);
  const hasClient = (project.clientId.trim() === "") !== (project.clientFile.trim() === "");
  const isReady = project.project.trim() !== "" && hasClient;
  return (
    <section
      aria-label={t`Sign in with Google`}
      className="flex flex-col gap-3 rounded-lg border border-line bg-sunk p-4"
    >
      <p className="text-fg-2 text-sm">
        <Trans>
          Google has no client of Vitrine's own, so your company makes one: in Google Cloud's console under Google
          Auth Platform, Clients, of the type “Desktop app”. It gives an id and a secret, or both in a file.
        </Trans>
      </p>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Client id`}>
            <Input
              value={project.clientId}
              placeholder="1234-abc.apps.googleusercontent.com"
              disabled={project.clientFile !== ""}
              onChange={(e) => onChange({ clientId: e.target.value })}
            />
          </Field>
        </div>
        <div className="min-w-0 flex-1">
          <Field
            label={t`Client secret`}
            help={t`Kept in the keychain with the sign-in; empty where it is there already.`}
          >
            <Input
              type="password"
              value={secret}
              disabled={project.clientFile !== ""}
              onChange={(e) => setSecret(e.target.value)}
            />
          </Field>
        </div>
      </div>
      <Field label={t`Or the client's file`} help={t`As Google gives it out; the whole path.`}>
        <Input
          value={project.clientFile}
          placeholder="/home/you/client_secret.json"
          disabled={project.clientId !== ""}
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
              <Trans>Copy the page's address</Trans>
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
            <Trans>Enter the project and a client id, or its file.</Trans>
          </span>
        )}
      </div>
      {error && address === own && <ErrorNote error={error} compact />}
    </section>
  );
}
