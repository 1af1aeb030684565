import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronRight, Cloud, Cpu, FilePlus2, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { sentUnlessDecided } from "../../domain/sentLevels";
import type { ModelStatus, Settings } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { bytes } from "../../kit/format";
import { MenuItem, MoreMenu } from "../../kit/menu";
import { Badge } from "../../kit/status";
import { BeingRemoved } from "./BeingRemoved";
import { PresetsPart } from "./PresetsPart";
import { ProfileDialog, type ShownProfile } from "./ProfileDialog";
import { PullProgress } from "./PullProgress";
import { RemoteDialog } from "./RemoteDialog";
import {
  addGguf,
  chooseModel,
  deleteRemote,
  PROVIDERS,
  pausePull,
  pullModel,
  removeModel,
  useSettings,
} from "./state";

/** Local and remote models. */
export function ModelsSection({
  settings,
  onSteps,
}: {
  settings: Settings;
  /** Opens the page on which each step has its model. */
  onSteps: () => void;
}) {
  const { models, remotes, remote, removing } = useSettings();
  const [profile, setProfile] = useState<ShownProfile | null>(null);
  const local = models.filter((m) => m.kind === "embedded");
  return (
    <>
      <PresetsPart settings={settings} onSteps={onSteps} />
      <h2 className="font-semibold text-lg">
        <Trans>Local models</Trans>
      </h2>
      <p className="mt-0.5 mb-3 text-fg-3 text-sm">
        <Trans>Run offline, without an API key. Questions and data stay on this computer.</Trans>
      </p>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-raised">
        {local.map((model) => (
          <LocalModel key={model.id} model={model} onProfile={setProfile} />
        ))}
      </ul>
      <Button size="sm" className="mt-3" icon={<FilePlus2 size={14} />} onClick={() => void addGguf()}>
        <Trans>Add GGUF file</Trans>
      </Button>

      <h2 className="mt-9 font-semibold text-lg">
        <Trans>Remote models</Trans>
      </h2>
      <p className="mt-0.5 mb-3 text-fg-3 text-sm">
        <Trans>Run at OpenAI, Anthropic or Google, or on any server with an OpenAI-compatible API.</Trans>{" "}
        {sentUnlessDecided()}
      </p>
      {remotes.length > 0 && (
        <ul className="mb-3 flex flex-col divide-y divide-line rounded-lg border border-line bg-raised">
          {remotes.map((r) => (
            <li key={r.id} className="flex items-center gap-3 px-4 py-3">
              <Named
                icon={<Cloud size={17} className="shrink-0 text-fg-3" aria-hidden />}
                title={r.title}
                detail={`${r.model} · ${r.baseUrl}`}
                onProfile={() => setProfile({ ...r, test: false })}
              >
                {settings.defaultModel === r.id && (
                  <Badge tone="accent">
                    <Trans>in use</Trans>
                  </Badge>
                )}
                {!r.hasKey && PROVIDERS[r.provider].key === "always" && (
                  <Badge tone="warn">
                    <Trans>no API key</Trans>
                  </Badge>
                )}
              </Named>
              {removing.includes(r.id) ? (
                <BeingRemoved />
              ) : (
                <>
                  <Button size="sm" variant="quiet" onClick={() => setProfile({ ...r, test: true })}>
                    <Trans>Test</Trans>
                  </Button>
                  {settings.defaultModel !== r.id && (
                    <Button size="sm" onClick={() => void chooseModel(r.id)}>
                      <Trans>Use</Trans>
                    </Button>
                  )}
                  <MoreMenu label={t`More for ${r.title}`} className="-mr-1.5">
                    <MenuItem onSelect={() => useSettings.setState({ remote: r })}>
                      <Trans>Edit</Trans>
                    </MenuItem>
                    <MenuItem danger onSelect={() => deleteRemote(r)}>
                      <Trans>Remove</Trans>
                    </MenuItem>
                  </MoreMenu>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button size="sm" icon={<Plus size={14} />} onClick={() => useSettings.setState({ remote: "new" })}>
        <Trans>Add remote model</Trans>
      </Button>
      <RemoteDialog
        model={remote}
        onProfile={(model) => {
          useSettings.setState({ remote: null });
          setProfile({ ...model, test: false });
        }}
        onClose={() => useSettings.setState({ remote: null })}
      />
      <ProfileDialog model={profile} onClose={() => setProfile(null)} />
    </>
  );
}

/** A model's name and badges; its profile opens where there is one. */
function Named({
  icon,
  title,
  detail,
  onProfile,
  children,
}: {
  icon: ReactNode;
  title: string;
  detail: string;
  /** Null as long as nothing is known of the model. */
  onProfile: (() => void) | null;
  children: ReactNode;
}) {
  const name = <span className="truncate font-medium">{title}</span>;
  return (
    <>
      {icon}
      <div className="relative min-w-0 flex-1">
        <div className="flex items-center gap-2">
          {onProfile ? (
            <button
              type="button"
              aria-label={t`${title}: profile`}
              title={t`What Vitrine knows about this model`}
              onClick={onProfile}
              className="group flex min-w-0 items-center gap-1 rounded-sm after:absolute after:inset-0"
            >
              {name}
              <ChevronRight size={14} className="shrink-0 text-fg-3 group-hover:text-fg" aria-hidden />
            </button>
          ) : (
            name
          )}
          {children}
        </div>
        <div className="nums truncate text-fg-3 text-sm">{detail}</div>
      </div>
    </>
  );
}

function LocalModel({ model, onProfile }: { model: ModelStatus; onProfile: (shown: ShownProfile) => void }) {
  const pull = useSettings((s) => s.pulls[model.id]);
  const pulling = pull?.state === "running";
  const removing = useSettings((s) => s.removing.includes(model.id));
  return (
    <li className="px-4 py-3">
      <div className="flex items-center gap-3">
        <Named
          icon={<Cpu size={17} className="shrink-0 text-fg-3" aria-hidden />}
          title={model.title}
          detail={[model.bytes > 0 ? bytes(model.bytes) : null, model.licence, model.detail]
            .filter(Boolean)
            .join(" · ")}
          onProfile={model.present && model.answers ? () => onProfile({ ...model, test: false }) : null}
        >
          {model.inUse && (
            <Badge tone="accent">
              <Trans>in use</Trans>
            </Badge>
          )}
          {model.loaded && (
            <Badge tone="good">
              <Trans>loaded</Trans>
            </Badge>
          )}
        </Named>
        {removing ? (
          <BeingRemoved />
        ) : pulling ? (
          <Button size="sm" onClick={() => pausePull(model.id)}>
            <Trans>Pause</Trans>
          </Button>
        ) : model.present ? (
          <>
            {model.answers && (
              <Button size="sm" variant="quiet" onClick={() => onProfile({ ...model, test: true })}>
                <Trans>Test</Trans>
              </Button>
            )}
            {model.answers && !model.inUse && (
              <Button size="sm" onClick={() => void chooseModel(model.id)}>
                <Trans>Use</Trans>
              </Button>
            )}
            {model.removable && (
              <MoreMenu label={t`More for ${model.title}`} className="-mr-1.5">
                <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => removeModel(model)}>
                  <Trans>Remove from disk</Trans>
                </MenuItem>
              </MoreMenu>
            )}
          </>
        ) : (
          <Button size="sm" variant={model.inUse ? "primary" : "plain"} onClick={() => void pullModel(model.id)}>
            {pull?.state === "failed" || model.fetched > 0 ? t`Resume` : t`Download`}
          </Button>
        )}
      </div>
      {!model.present && (
        <div className="pl-7">
          <PullProgress models={[model]} />
        </div>
      )}
      {pull?.state === "failed" && pull.error && (
        <div className="mt-2 pl-7">
          <ErrorNote error={pull.error} compact />
        </div>
      )}
      {(model.sources.length > 0 || model.sha256) && (
        <Disclosure
          title={
            <span className="font-normal text-fg-3 text-xs">
              <Trans>Source</Trans>
            </span>
          }
          className="mt-1 pl-7"
        >
          <div className="wrap-anywhere flex flex-col gap-0.5 pl-4 font-mono text-fg-3 text-xs">
            {model.sources.map((s) => (
              <div key={s}>{s}</div>
            ))}
            {model.sha256 && (
              <div>
                <Trans>sha256 {model.sha256}</Trans>
              </div>
            )}
          </div>
        </Disclosure>
      )}
    </li>
  );
}
