import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Check, CircleHelp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { AppError, ModelProfileInfo, ModelTest, ProfileFacts } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { calendarDay } from "../../kit/format";
import { LoadingText } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import { toastError } from "../../kit/toast";
import { ProfileControl } from "./ProfileControl";
import { findingOf, GROUPS, type Key, LINES, lineOf, sourceInWords, withFact } from "./profile";

/** Whose profile is shown, and whether a test begins at once. */
export interface ShownProfile {
  id: string;
  title: string;
  test: boolean;
}

/** The profile of a model, line by line; each value can be changed and reset. Changes apply at once. */
export function ProfileDialog({ model, onClose }: { model: ShownProfile | null; onClose: () => void }) {
  return (
    <Dialog
      open={model !== null}
      onClose={onClose}
      still
      width="w-190"
      title={model?.title ?? ""}
      description={t`What Vitrine knows about this model and how it is called. Changes apply to the next question.`}
    >
      {model && <Profile key={model.id} model={model} />}
    </Dialog>
  );
}

function Profile({ model }: { model: ShownProfile }) {
  const { id } = model;
  const [info, setInfo] = useState<ModelProfileInfo | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [test, setTest] = useState<ModelTest | "running" | null>(null);
  const gone = useRef(false);

  const load = async () => {
    setError(null);
    try {
      const read = await host().modelProfile(id);
      if (!gone.current) setInfo(read);
    } catch (thrown) {
      if (!gone.current) setError(toAppError(thrown));
    }
  };
  const probe = async () => {
    setTest("running");
    setError(null);
    try {
      const found = await host().testModel(id);
      if (gone.current) return;
      setInfo(found.profile);
      setTest(found);
    } catch (thrown) {
      if (gone.current) return;
      setTest(null);
      setError(toAppError(thrown));
    }
  };
  const say = async (said: ProfileFacts) => {
    try {
      const kept = await host().setModelProfile(id, said);
      if (!gone.current) setInfo(kept);
    } catch (thrown) {
      toastError(toAppError(thrown));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each model, which the key tells apart
  useEffect(() => {
    gone.current = false;
    void load().then(() => {
      if (model.test && !gone.current) void probe();
    });
    return () => {
      gone.current = true;
    };
  }, []);

  const running = test === "running";
  const findings = test === null || running ? [] : test.findings;
  return (
    <>
      <div className="flex min-h-10 items-center gap-4 rounded-md bg-sunk py-1.5 pr-1.5 pl-3">
        <p role="status" className="wrap-anywhere min-w-0 flex-1 text-fg-2 text-sm">
          {running
            ? t`Sending a few short requests to find out what it can do. This may take a minute.`
            : test !== null
              ? test.said
              : t`A test sends a few short requests to find out what the model can do.`}
        </p>
        <Button size="sm" busy={running} onClick={() => void probe()}>
          {test === null || running ? t`Test` : t`Test again`}
        </Button>
      </div>
      {error && (
        <div className="mt-3">
          <ErrorNote
            error={error}
            compact
            action={
              !info && (
                <Button onClick={() => void load()}>
                  <Trans>Try again</Trans>
                </Button>
              )
            }
          />
        </div>
      )}
      {!info && !error && <LoadingText className="py-5" />}
      {info &&
        GROUPS.map(({ title, keys }) => (
          <section key={title} aria-label={title} className="mt-5">
            <h3 className="font-semibold">{title}</h3>
            <ul className="divide-y divide-line">
              {keys.map((key) => (
                <Line
                  key={key}
                  of={key}
                  info={info}
                  found={findingOf(findings, key)}
                  onSay={(said) => void say(said)}
                />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

function Line({
  of: key,
  info,
  found,
  onSay,
}: {
  of: Key;
  info: ModelProfileInfo;
  /** The result of the latest test. */
  found: ModelTest["findings"][number] | undefined;
  onSay: (said: ProfileFacts) => void;
}) {
  const { label, help } = LINES[key];
  const line = lineOf(info, key);
  const mine = line?.source === "said";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_9.5rem] items-center gap-x-5 py-2.5">
      <div className="min-w-0">
        <div>{label}</div>
        <div className="text-fg-3 text-sm">{help}</div>
        {found && <Found found={found} />}
      </div>
      <ProfileControl
        of={key}
        label={label}
        info={info}
        onChange={(value) => onSay(withFact(info.said, key, value))}
      />
      <div className="text-sm leading-4.5">
        <div className={mine ? "text-accent" : "text-fg-3"}>{sourceInWords(info, line, calendarDay)}</div>
        {mine && (
          <TextButton label={t`Undo for ${label}`} onClick={() => onSay(withFact(info.said, key, null))}>
            <Trans>Undo</Trans>
          </TextButton>
        )}
      </div>
    </li>
  );
}

function Found({ found: { found, how } }: { found: ModelTest["findings"][number] }) {
  return (
    <div className="rise mt-0.5 flex items-start gap-1.5 text-sm">
      {found === null ? (
        <CircleHelp size={13} className="mt-0.75 shrink-0 text-fg-3" aria-hidden />
      ) : (
        <Check size={13} strokeWidth={2.5} className="mt-0.75 shrink-0 text-good" aria-hidden />
      )}
      <span className="wrap-anywhere min-w-0 text-fg-2">
        <Trans>Test: {how}</Trans>
      </span>
    </div>
  );
}
