import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEngines } from "../../domain/engines";
import type { WarehouseKind } from "../../host/bindings";
import { kindIcon } from "./WarehouseMenu";

/** A tile for every engine. */
export function EngineTiles({ onChoose }: { onChoose: (kind: WarehouseKind) => void }) {
  const engines = useEngines((state) => state.list);
  return (
    <section aria-label={t`Add a connection`}>
      <h2 className="mb-2 font-medium text-fg-2">
        <Trans>Add a connection</Trans>
      </h2>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4">
        {engines.map(({ kind, title, note, preview }) => (
          <button
            key={kind}
            type="button"
            onClick={() => onChoose(kind)}
            className="flex flex-col items-start gap-2 rounded-lg border border-line px-3 py-3 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
          >
            <span className="text-accent">{kindIcon(kind, 18)}</span>
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-fg-3 text-xs">{preview ? t`Preview: ${note}` : note}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
