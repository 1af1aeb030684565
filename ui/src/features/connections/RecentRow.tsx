import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { WarehouseEntry } from "../../host/bindings";
import { IconButton } from "../../kit/button";
import { TextButton } from "../../kit/textButton";
import { keepListed, takeOffList } from "./state";
import { kindIcon } from "./WarehouseMenu";
import { isServer, pathOf } from "./words";

/**
 * A warehouse that was opened before. Taken off the list, it stays in its place with an undo until the dialog is closed: messages
 * in the corner are out of reach while the dialog is open.
 */
export function RecentRow({
  entry,
  open,
  leaving,
  disabled,
  onOpen,
}: {
  entry: WarehouseEntry;
  /** It is the open one. */
  open: boolean;
  leaving: boolean;
  disabled: boolean;
  onOpen: () => void;
}) {
  const { title } = entry;
  const row = useRef<HTMLLIElement>(null);
  const before = useRef(leaving);
  // One button goes and the other one comes: the focus stays in the row.
  useEffect(() => {
    if (before.current === leaving) return;
    before.current = leaving;
    [...(row.current?.querySelectorAll("button") ?? [])].at(-1)?.focus();
  }, [leaving]);
  if (leaving) {
    return (
      <li ref={row} className="flex items-center gap-2.5 px-2 py-1.5 text-fg-3">
        <span role="status" className="wrap-anywhere min-w-0 flex-1 text-sm">
          {open && isServer(entry.uri) ? (
            <Trans>
              {title} is closed and removed when you close this dialog, with its saved password unless a connection
              uses it.
            </Trans>
          ) : open ? (
            <Trans>{title} is closed and removed when you close this dialog.</Trans>
          ) : isServer(entry.uri) ? (
            <Trans>
              {title} is removed when you close this dialog, with its saved password unless a connection uses it.
            </Trans>
          ) : (
            <Trans>{title} is removed when you close this dialog.</Trans>
          )}
        </span>
        <TextButton label={t`Keep ${title}`} onClick={() => keepListed(entry.uri)}>
          <Trans>Undo</Trans>
        </TextButton>
      </li>
    );
  }
  return (
    <li ref={row} className="group flex items-center rounded-md hover:bg-hover">
      <button
        type="button"
        disabled={disabled}
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 py-1.5 text-left"
      >
        <span className="text-fg-3">{kindIcon(entry.kind)}</span>
        <span className="shrink-0">{title}</span>
        <span className="min-w-0 flex-1 truncate text-fg-3 text-sm" dir="auto">
          {open ? t({ message: "open", context: "state" }) : pathOf(entry.uri)}
        </span>
      </button>
      <IconButton
        label={t`Remove from list`}
        size="sm"
        className="mr-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
        onClick={() => takeOffList(entry.uri)}
      >
        <X size={13} />
      </IconButton>
    </li>
  );
}
