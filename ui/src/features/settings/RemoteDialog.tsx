import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { sentUnlessDecided } from "../../domain/sentLevels";
import type { AppError, RemoteModel, RemoteProvider } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input, OptionalNumberInput } from "../../kit/field";
import { Select } from "../../kit/select";
import { SuggestInput } from "../../kit/suggest";
import { TextButton } from "../../kit/textButton";
import { toast } from "../../kit/toast";
import { servedInWords } from "./profile";
import { PROVIDERS, remoteId, sameServer, saveRemote, useSettings } from "./state";
import { useServerModels } from "./useServerModels";

const EMPTY: RemoteModel = {
  id: "",
  title: "",
  provider: "openai",
  baseUrl: PROVIDERS.openai.baseUrl,
  model: PROVIDERS.openai.model,
  contextTokens: 0,
  hasKey: false,
};

/** A remote model. The key goes to the system keychain and is never read back. */
export function RemoteDialog({
  model,
  onProfile,
  onClose,
}: {
  model: RemoteModel | "new" | null;
  /** Shows what is known about a model. */
  onProfile: (model: RemoteModel) => void;
  onClose: () => void;
}) {
  const remotes = useSettings((s) => s.remotes);
  const [edited, setEdited] = useState<RemoteModel>(EMPTY);
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  // The first remote model is where data begins to leave: it is confirmed before it is added.
  const [confirming, setConfirming] = useState<"save" | "test" | null>(null);
  useEffect(() => {
    if (model === null) return;
    setEdited(model === "new" ? EMPTY : model);
    setKey("");
    setError(null);
    setAnswer(null);
    setConfirming(null);
  }, [model]);
  const set = (part: Partial<RemoteModel>) => {
    setEdited({ ...edited, ...part });
    setAnswer(null);
  };
  const stored = remotes.find((r) => r.id === edited.id);
  const hasKey = stored?.hasKey === true && sameServer(stored.baseUrl, edited.baseUrl);
  const served = useServerModels(edited, key.trim() === "" ? null : key.trim());
  const complete = edited.baseUrl.trim() !== "" && edited.model.trim() !== "";

  const store = async (): Promise<RemoteModel> => {
    const name = edited.model.trim();
    const id =
      edited.id ||
      remoteId(
        edited.provider,
        name,
        remotes.map((r) => r.id),
      );
    const title = edited.title.trim() || `${name} (${PROVIDERS[edited.provider].title})`;
    const next = { ...edited, id, title, model: name, baseUrl: edited.baseUrl.trim() };
    await saveRemote(next, key.trim() === "" ? null : key.trim());
    const saved = useSettings.getState().remotes.find((r) => r.id === id) ?? next;
    setEdited(saved);
    setKey("");
    return saved;
  };
  const begin = (what: "save" | "test") => {
    if (remotes.length === 0) setConfirming(what);
    else void run(what);
  };
  const run = async (what: "save" | "test") => {
    setConfirming(null);
    setBusy(what);
    setError(null);
    setAnswer(null);
    try {
      const saved = await store();
      if (what === "test") setAnswer((await host().testModel(saved.id)).said);
      else {
        toast({ tone: "good", title: t`${saved.title} was saved.` });
        onClose();
      }
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setBusy(null);
    }
  };
  const choices = Object.entries(PROVIDERS).map(([value, p]) => ({ value: value as RemoteProvider, label: p.title }));
  return (
    <Dialog
      open={model !== null}
      onClose={onClose}
      title={model === "new" ? t`Add remote model` : t`Edit remote model`}
      footer={
        confirming ? (
          <>
            <Button variant="quiet" onClick={() => setConfirming(null)}>
              <Trans>Back</Trans>
            </Button>
            <Button variant="primary" onClick={() => void run(confirming)}>
              <Trans>Add model</Trans>
            </Button>
          </>
        ) : (
          <>
            <Button className="mr-auto" busy={busy === "test"} disabled={!complete} onClick={() => begin("test")}>
              <Trans>Test</Trans>
            </Button>
            <Button variant="quiet" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button variant="primary" busy={busy === "save"} disabled={!complete} onClick={() => begin("save")}>
              <Trans>Save</Trans>
            </Button>
          </>
        )
      }
    >
      {confirming && (
        <div role="alert" className="wrap-anywhere flex flex-col gap-2">
          <p className="font-medium">
            <Trans>Questions about your data will be sent to {edited.baseUrl.trim()}.</Trans>
          </p>
          <p>{sentUnlessDecided()}</p>
        </div>
      )}
      <form
        hidden={confirming !== null}
        className={confirming ? "" : "flex flex-col gap-4"}
        onSubmit={(e) => {
          e.preventDefault();
          if (complete) begin("save");
        }}
      >
        <div>
          <div className="mb-1 font-medium text-fg-2 text-sm">
            <Trans>Provider</Trans>
          </div>
          <Select
            label={t`Provider`}
            className="w-full"
            value={edited.provider}
            choices={choices}
            onChange={(provider) => {
              const preset = PROVIDERS[provider];
              set({ provider, baseUrl: preset.baseUrl, model: preset.model });
            }}
          />
        </div>
        <Field label={t`Address`}>
          <Input
            value={edited.baseUrl}
            placeholder="https://host/v1"
            onChange={(e) => set({ baseUrl: e.target.value })}
          />
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <div>
            <div className="mb-1 font-medium text-fg-2 text-sm">
              <Trans>Model</Trans>
            </div>
            <SuggestInput
              label={t`Model`}
              value={edited.model}
              suggestions={served.models.map((model) => ({ value: model.id, note: servedInWords(model) }))}
              status={served.status}
              placeholder={t`Model name on the server`}
              onChange={(model) => set({ model })}
              onOpen={served.read}
            />
          </div>
          <Field label={t`Display name`}>
            <Input value={edited.title} placeholder={t`Optional`} onChange={(e) => set({ title: e.target.value })} />
          </Field>
        </div>
        <Field
          label={PROVIDERS[edited.provider].key === "seldom" ? t`API key (optional)` : t`API key`}
          help={
            hasKey
              ? t`A key is stored in the system keychain. Enter a new one to replace it.`
              : stored?.hasKey
                ? t`The stored key is for another address. Enter the key for this one.`
                : t`Stored in the system keychain, sent only to this address.`
          }
        >
          <Input
            type="password"
            autoComplete="new-password"
            value={key}
            placeholder={hasKey ? "••••••••" : ""}
            onChange={(e) => setKey(e.target.value)}
          />
        </Field>
        <div>
          <div className="mb-1 font-medium text-fg-2 text-sm">
            <Trans>Context length</Trans>
          </div>
          <OptionalNumberInput
            label={t`Context length in tokens`}
            unit="tokens"
            empty={t`Automatic`}
            value={edited.contextTokens === 0 ? null : edited.contextTokens}
            min={1024}
            max={10_000_000}
            onChange={(contextTokens) => set({ contextTokens: contextTokens ?? 0 })}
          />
        </div>
        {answer && (
          <p role="status" className="wrap-anywhere rounded-md bg-good-soft px-3 py-2 text-sm">
            {answer}{" "}
            <TextButton onClick={() => onProfile(edited)}>
              <Trans>Show profile</Trans>
            </TextButton>
          </p>
        )}
        {error && <ErrorNote error={error} compact />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
