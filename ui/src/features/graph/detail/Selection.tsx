import type { SchemaSelection } from "../../../host/bindings";

/** Tables, each with the columns that were chosen. */
export function Selection({ selection }: { selection: SchemaSelection }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line text-sm">
      {selection.tables.map((t) => (
        <li key={t.name} className="px-3 py-1.5">
          <span className="font-medium font-mono text-xs">{t.name}</span>
          <span className="wrap-anywhere ml-2 font-mono text-fg-3 text-xs">{t.columns.join(", ")}</span>
        </li>
      ))}
    </ul>
  );
}
