import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ShieldAlert, ShieldCheck, ShieldQuestion, ShieldX } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { AppError, SafetyKind, SafetyLayer, SafetyState } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Dialog } from "../../kit/dialog";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { lazyRecord } from "../../kit/lazyRecord";
import { Skeleton } from "../../kit/status";
import { TextButton } from "../../kit/textButton";

const TITLES: Record<SafetyKind, string> = lazyRecord({
  proof: () => t`Every statement is checked`,
  approval: () => t`Every query is approved`,
  engine: () => t`Read-only engine`,
  process: () => t`Engine in a separate process`,
  rights: () => t`Permissions`,
  connection: () => t`Connection`,
  tried: () => t`Tested on`,
});

const STATES: Record<SafetyState, { words: string; colour: string; icon: ReactNode }> = lazyRecord({
  holds: () => ({
    words: t`Active`,
    colour: "text-good",
    icon: <ShieldCheck size={17} aria-hidden />,
  }),
  partly: () => ({
    words: t`Partly active`,
    colour: "text-warn",
    icon: <ShieldAlert size={17} aria-hidden />,
  }),
  missing: () => ({
    words: t`Not active`,
    colour: "text-warn",
    icon: <ShieldX size={17} aria-hidden />,
  }),
  unknown: () => ({
    words: t`Unknown`,
    colour: "text-fg-3",
    icon: <ShieldQuestion size={17} aria-hidden />,
  }),
});

/** Lists the layers that protect the database from changes, each with its evidence. */
export function Safety({ uri }: { uri: string }) {
  const [open, setOpen] = useState(false);
  const [layers, setLayers] = useState<SafetyLayer[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const look = async () => {
    setLayers(null);
    setError(null);
    try {
      setLayers(await host().safety(uri));
    } catch (thrown) {
      setError(toAppError(thrown));
    }
  };
  const show = () => {
    setOpen(true);
    void look();
  };
  return (
    <>
      <TextButton onClick={show}>
        <Trans>Safety</Trans>
      </TextButton>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t`Safety`}
        description={t`What protects this database from changes. Each layer works independently. Checked with the connection just now; no change was attempted.`}
        still
      >
        {error && <ErrorNote error={error} compact again={() => void look()} />}
        {!layers && !error && [1, 2, 3, 4].map((n) => <Skeleton key={n} className="my-3 h-10" />)}
        <ul aria-label={t`Layers`} className="flex flex-col gap-4">
          {layers?.map((layer) => {
            const state = STATES[layer.state];
            return (
              <li key={layer.kind} className="flex gap-3">
                <span className={`mt-0.5 shrink-0 ${state.colour}`}>{state.icon}</span>
                <div className="min-w-0 flex-1">
                  <div className="flex items-baseline justify-between gap-3">
                    <h3 className="font-medium">{TITLES[layer.kind]}</h3>
                    <span className={`shrink-0 text-sm ${state.colour}`}>{state.words}</span>
                  </div>
                  <p className="wrap-anywhere mt-0.5 text-fg-2 text-sm">{layer.says}</p>
                  <Disclosure title={t`Evidence`} className="mt-1">
                    <p className="wrap-anywhere text-fg-3 text-sm">{layer.how}</p>
                  </Disclosure>
                </div>
              </li>
            );
          })}
        </ul>
      </Dialog>
    </>
  );
}
