import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { AppError } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button, IconButton } from "../../kit/button";
import { cx } from "../../kit/cx";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Input } from "../../kit/field";
import { TextButton } from "../../kit/textButton";

/** User-defined functions of the database that queries may call. */
export function OwnFunctions({ uri }: { uri: string }) {
  const [open, setOpen] = useState(false);
  const [names, setNames] = useState<string[]>([]);
  /** Functions disallowed here stay visible so that they can be allowed again. */
  const [dropped, setDropped] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<AppError | null>(null);
  const take = async (kept: Promise<string[]>) => {
    try {
      setNames(await kept);
      setError(null);
      return true;
    } catch (thrown) {
      setError(toAppError(thrown));
      return false;
    }
  };
  const keep = (next: string[]) => take(host().allowFunctions(uri, next));
  return (
    <>
      <TextButton
        onClick={() => {
          setOpen(true);
          setDropped([]);
          void take(host().allowedFunctions(uri));
        }}
      >
        <Trans>Functions</Trans>
      </TextButton>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t`Allowed functions`}
        description={t`Queries may call built-in functions that are known to be safe. Allow a function of this database here if it only reads.`}
      >
        <form
          className="flex gap-2"
          onSubmit={(e) => {
            e.preventDefault();
            void keep([...names, typed]).then((kept) => kept && setTyped(""));
          }}
        >
          <Input
            value={typed}
            aria-label={t`Function`}
            placeholder={t`margin or sales.margin`}
            onChange={(e) => setTyped(e.target.value)}
          />
          <Button type="submit" disabled={typed.trim() === ""}>
            <Trans>Allow</Trans>
          </Button>
        </form>
        {error && (
          <div className="mt-3">
            <ErrorNote error={error} compact />
          </div>
        )}
        <ul aria-label={t`Allowed`} className="-mx-2 mt-3">
          {[...new Set([...names, ...dropped])].sort().map((name) => (
            <FunctionRow
              key={name}
              name={name}
              allowed={names.includes(name)}
              onAllow={() => void keep([...names, name])}
              onDisallow={() => {
                setDropped((all) => [...all, name]);
                void keep(names.filter((other) => other !== name));
              }}
            />
          ))}
        </ul>
      </Dialog>
    </>
  );
}

/** Disallowing takes effect at once. The name stays in its place until the dialog is closed, so that it can be taken back. */
function FunctionRow({
  name,
  allowed,
  onAllow,
  onDisallow,
}: {
  name: string;
  allowed: boolean;
  onAllow: () => void;
  onDisallow: () => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  const before = useRef(allowed);
  // One button goes and the other one comes: the focus stays in the row.
  useEffect(() => {
    if (before.current === allowed) return;
    before.current = allowed;
    row.current?.querySelector("button")?.focus();
  }, [allowed]);
  return (
    <li ref={row} className="flex items-center justify-between gap-3 rounded-md px-2 py-1 hover:bg-hover">
      <span className={cx("wrap-anywhere font-mono text-sm", !allowed && "text-fg-3 line-through")}>{name}</span>
      {allowed ? (
        <IconButton label={t`Disallow ${name}`} size="sm" onClick={onDisallow}>
          <X size={13} />
        </IconButton>
      ) : (
        <span className="flex shrink-0 items-baseline gap-3 text-sm">
          <span role="status" className="text-fg-3">
            <Trans>No longer allowed</Trans>
          </span>
          <TextButton label={t`Allow ${name} again`} onClick={onAllow}>
            <Trans>Undo</Trans>
          </TextButton>
        </span>
      )}
    </li>
  );
}
