import { ShieldAlert, ShieldCheck, ShieldQuestion, ShieldX } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { AppError, SafetyKind, SafetyLayer, SafetyState } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { Skeleton } from "../../kit/status";
import { TextButton } from "../../kit/textButton";

const TITLES: Record<SafetyKind, string> = {
  proof: "Proof of every statement",
  approval: "Approval of every text",
  engine: "Read-only engine",
  process: "Engine in a process of its own",
  rights: "Rights",
  connection: "Connection",
  tried: "What this was tried on",
};

const STATES: Record<SafetyState, { words: string; colour: string; icon: ReactNode }> = {
  holds: { words: "Holds", colour: "text-good", icon: <ShieldCheck size={17} aria-hidden /> },
  partly: { words: "Holds in part", colour: "text-warn", icon: <ShieldAlert size={17} aria-hidden /> },
  missing: { words: "Does not hold", colour: "text-warn", icon: <ShieldX size={17} aria-hidden /> },
  unknown: { words: "Unknown", colour: "text-fg-3", icon: <ShieldQuestion size={17} aria-hidden /> },
};

/** What keeps the database from being changed, layer by layer, and how each is known. */
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
      <TextButton onClick={show}>Safety</TextButton>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Safety"
        description="What keeps this database from being changed. Each layer holds by itself. Asked of the connection just now; nothing was tried."
        still
      >
        {error && (
          <ErrorNote
            error={error}
            compact
            action={
              <Button size="sm" onClick={() => void look()}>
                Try again
              </Button>
            }
          />
        )}
        {!layers && !error && [1, 2, 3, 4].map((n) => <Skeleton key={n} className="my-3 h-10" />)}
        <ul aria-label="Layers" className="flex flex-col gap-4">
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
                  <Disclosure title="How it is known" className="mt-1">
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
