import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Table } from "../../../host/bindings";
import { Badge } from "../../../kit/status";
import { TextButton } from "../../../kit/textButton";
import type { Link, Links } from "./links";

/** The same keys in words. */
export function KeyList({
  links,
  labels,
  shown,
  onOpen,
}: {
  links: Links;
  labels: string[];
  shown: Link[];
  onOpen: (table: Table) => void;
}) {
  const tied = new Set(shown.flatMap(({ from, to }) => [from, to]));
  const alone = labels.filter((label) => !tied.has(label));
  const name = (label: string) => (
    <TextButton onClick={() => onOpen(links.tables.get(label)!)}>
      <span className="wrap-anywhere">{label}</span>
    </TextButton>
  );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-3">
      <ul aria-label={t`Keys`} className="max-w-180 text-sm">
        {shown.map((link) => (
          <li key={link.id} className="border-line border-b py-1.5">
            <span className="flex flex-wrap items-center gap-x-1.5">
              {name(link.from)}
              <span className="wrap-anywhere font-mono text-fg-2 text-xs">{link.columns.join(", ")}</span>
              <span className="text-fg-3">
                <Trans>references</Trans>
              </span>
              {name(link.to)}
              <span className="wrap-anywhere font-mono text-fg-2 text-xs">{link.refColumns.join(", ")}</span>
              {link.evidence !== null && (
                <Badge>
                  <Trans>inferred</Trans>
                </Badge>
              )}
            </span>
            {link.evidence !== null && <p className="wrap-anywhere text-fg-3">{link.evidence}</p>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="text-fg-3 text-sm">
          <Trans>No keys between these tables.</Trans>
        </p>
      )}
      {alone.length > 0 && (
        <>
          <h3 className="mt-4 font-medium text-sm">
            <Trans>Without keys</Trans>
          </h3>
          <ul aria-label={t`Tables without keys`} className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {alone.map((label) => (
              <li key={label}>{name(label)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
