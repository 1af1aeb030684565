import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Database, FileSpreadsheet, FolderOpen, Store } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OpenKind, WarehouseKind } from "../../host/bindings";
import { host } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Input } from "../../kit/field";
import { OpeningNote } from "./OpeningNote";
import { PasswordField } from "./PasswordField";
import { RecentRow } from "./RecentRow";
import { type Login, openWarehouse, showOpenDialog, stopOpening, useConnections } from "./state";
import { isServer } from "./words";

const KINDS: { kind: WarehouseKind; pick: OpenKind; title: string; note: string; icon: ReactNode }[] = [
  {
    kind: "sqlite",
    pick: "sqlite",
    title: "SQLite",
    get note() {
      return t`Database file`;
    },
    icon: <Database size={18} aria-hidden />,
  },
  {
    kind: "duckdb",
    pick: "duckdb",
    title: "DuckDB",
    get note() {
      return t`Database file`;
    },
    icon: <Database size={18} aria-hidden />,
  },
  {
    kind: "file",
    pick: "file",
    get title() {
      return t`Data file`;
    },
    get note() {
      return t`CSV, Parquet, JSON, Excel`;
    },
    icon: <FileSpreadsheet size={18} aria-hidden />,
  },
  {
    kind: "file",
    pick: "folder",
    get title() {
      return t`Folder`;
    },
    get note() {
      return t`One table per file`;
    },
    icon: <FolderOpen size={18} aria-hidden />,
  },
];

const NO_LOGIN: Login = { password: "", remember: true };

/** Opens a warehouse read-only: by file dialog, by a pasted path, or from the recent list. */
export function OpenDialog({ sampleUri, onOpened }: { sampleUri: string | null; onOpened: (uri: string) => void }) {
  const { dialog, entries, leaving, opening, failure, current } = useConnections();
  const [typed, setTyped] = useState<string | null>(null);
  const [login, setLogin] = useState(NO_LOGIN);
  const password = useRef<HTMLInputElement>(null);
  // Asks for the password of a server, wherever it was opened from.
  const code = failure?.error.code;
  const refusal = code === "password" || code === "passphrase" ? failure : null;
  const locked = code === "passphrase";
  const path = typed ?? refusal?.uri ?? "";
  useEffect(() => {
    if (!refusal) return;
    setLogin((last) => ({ ...last, password: "" }));
    password.current?.focus();
  }, [refusal]);
  const close = () => {
    setTyped(null);
    setLogin(NO_LOGIN);
    showOpenDialog(false);
  };
  const open = async (uri: string, given?: Login) => {
    setTyped((last) => (last === uri ? last : null));
    if (!(await openWarehouse(uri, given))) return;
    close();
    onOpened(uri);
  };
  const openTyped = async () => {
    const { address, password } = await host().parseAddress(path);
    if (address === "") return;
    const given = { ...login, password: password || login.password, opensKey: locked && password === "" };
    setTyped(address);
    setLogin(given);
    void open(address, isServer(address) && given.password !== "" ? given : undefined);
  };
  const pick = async (kind: WarehouseKind, what: OpenKind) => {
    const picked = await host().pickOpenPath(what);
    if (picked) await open((await host().writeAddress(kind, { path: picked })).address);
  };
  const recent = entries.filter((e) => !e.isSample);
  return (
    <Dialog
      open={dialog}
      onClose={(byEscape) => {
        // Of what is being opened, Escape stops that and leaves the dialog.
        if (!byEscape || !stopOpening()) close();
      }}
      title={t`Open warehouse`}
      description={t`Vitrine opens it read-only and changes nothing. You choose what remote models see for each database.`}
      width="w-150"
      initialFocus={refusal ? password : undefined}
    >
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {KINDS.map((k) => (
          <button
            key={k.title}
            type="button"
            disabled={opening !== null}
            onClick={() => void pick(k.kind, k.pick)}
            className="flex flex-col items-start gap-2 rounded-lg border border-line px-3 py-3 text-left transition-colors hover:border-accent-line hover:bg-accent-soft disabled:opacity-50"
          >
            <span className="text-accent">{k.icon}</span>
            <span>
              <span className="block font-medium">{k.title}</span>
              <span className="block text-fg-3 text-xs">{k.note}</span>
            </span>
          </button>
        ))}
      </div>
      <form
        className="mt-4"
        onSubmit={(e) => {
          e.preventDefault();
          void openTyped();
        }}
      >
        <div className="flex gap-2">
          <Input
            value={path}
            aria-label={t`Path`}
            placeholder={t`Path or address, such as postgresql://ann@db/shop`}
            onChange={(e) => setTyped(e.target.value)}
          />
          <Button type="submit" busy={opening !== null} disabled={path.trim() === ""}>
            <Trans>Open</Trans>
          </Button>
        </div>
        {isServer(path) && (
          <PasswordField
            ref={password}
            label={locked ? t`Passphrase` : undefined}
            help={locked ? t`Unlocks the key on this computer. It is not sent to the server.` : undefined}
            login={login}
            onChange={setLogin}
          />
        )}
      </form>
      <div className="mt-4 empty:hidden">
        <OpeningNote sampleUri={sampleUri} />
      </div>
      {failure && (
        <div className="mt-4">
          <ErrorNote
            error={failure.error}
            compact
            action={
              !refusal && (
                <Button size="sm" busy={opening !== null} onClick={() => void open(failure.uri)}>
                  <Trans>Try again</Trans>
                </Button>
              )
            }
          />
        </div>
      )}
      {sampleUri && (
        <button
          type="button"
          disabled={opening !== null}
          onClick={() => void open(sampleUri)}
          className="mt-4 flex w-full items-center gap-3 rounded-lg bg-sunk px-3 py-2.5 text-left hover:bg-hover disabled:opacity-50"
        >
          <Store size={18} className="shrink-0 text-fg-3" aria-hidden />
          <span className="min-w-0 flex-1">
            <span className="block font-medium">
              <Trans>Sample warehouse</Trans>
            </span>
            <span className="block text-fg-3 text-sm">
              <Trans>Data of a fictional retail company</Trans>
            </span>
          </span>
        </button>
      )}
      {recent.length > 0 && (
        <section aria-label={t`Recent`} className="mt-5">
          <h3 className="mb-1 font-medium text-fg-2 text-sm">
            <Trans>Recent</Trans>
          </h3>
          <ul className="-mx-2">
            {recent.map((entry) => (
              <RecentRow
                key={entry.uri}
                entry={entry}
                open={entry.uri === current?.uri}
                leaving={leaving.includes(entry.uri)}
                disabled={opening !== null}
                onOpen={() => void open(entry.uri)}
              />
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
