import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useState } from "react";
import type { AppError } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button, IconButton } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Input } from "../../kit/field";
import { TextButton } from "../../kit/textButton";

/** User-defined functions of the database that queries may call. */
export function OwnFunctions({ uri }: { uri: string }) {
  const [open, setOpen] = useState(false);
  const [names, setNames] = useState<string[]>([]);
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
          {names.map((name) => (
            <li key={name} className="flex items-center justify-between rounded-md px-2 py-1 hover:bg-hover">
              <span className="wrap-anywhere font-mono text-sm">{name}</span>
              <IconButton
                label={t`Disallow ${name}`}
                size="sm"
                onClick={() => void keep(names.filter((other) => other !== name))}
              >
                <X size={13} />
              </IconButton>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
