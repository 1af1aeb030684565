import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Unplug } from "lucide-react";
import { useEffect } from "react";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { OpenButton } from "../features/connections/OpenButton";
import { openOrAsk, useConnections } from "../features/connections/state";
import { isServer, pathOf } from "../features/connections/words";

/** Returns whether this installation has never connected to an address. */
export function useUnconfirmed(uri: string): boolean {
  return useCatalogs((s) => s.entries[uri]?.error?.code === "unconfirmed");
}

/** An imported run or question may name a foreign warehouse: Vitrine connects only when the user says so. */
export function ConnectPanel({ uri, what }: { uri: string; what: "run" | "question" }) {
  const open = useConnections((s) => s.current?.uri === uri);
  useEffect(() => {
    if (open) void loadCatalog(uri, true);
  }, [open, uri]);
  const connect = async () => {
    // The dialog asks for what is missing, such as a password.
    if (await openOrAsk(uri)) await loadCatalog(uri, true);
  };
  return (
    <section
      aria-label={t`Connection`}
      className="flex items-center gap-3 rounded-lg border border-line bg-sunk px-3.5 py-2.5"
    >
      <Unplug size={16} className="shrink-0 text-fg-3" aria-hidden />
      <p className="min-w-0 flex-1 text-fg-2 text-sm">
        {what === "run" ? (
          <Trans>
            This run belongs to <span className="wrap-anywhere font-medium text-fg">{pathOf(uri)}</span>.
          </Trans>
        ) : (
          <Trans>
            This question belongs to <span className="wrap-anywhere font-medium text-fg">{pathOf(uri)}</span>.
          </Trans>
        )}{" "}
        {isServer(uri) ? t`Nothing has been sent to it.` : t`Vitrine has not opened it yet.`}
      </p>
      <OpenButton uri={uri} label={t`Connect`} onOpen={() => void connect()} />
    </section>
  );
}
