/** Sentences under a title, each on its own line; nothing where there are none. */
export function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-medium text-fg-2 text-sm">{title}</h3>
      <ul className="flex max-h-60 flex-col gap-1 overflow-y-auto text-sm">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}
