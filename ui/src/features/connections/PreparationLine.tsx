import { Progress } from "../../kit/status";
import { useConnections } from "./state";
import { preparationLine } from "./words";

/** The status line of the background preparation; questions can be asked meanwhile. */
export function PreparationLine() {
  const current = useConnections((s) => s.current);
  const preparation = useConnections((s) => (current ? s.preparations[current.uri] : undefined));
  const line = preparationLine(preparation);
  if (!line) return null;
  return (
    <div className="px-4 pt-1 pb-2" title={preparation?.error?.hint ?? undefined}>
      <div className={line.failed ? "line-clamp-2 text-warn text-xs" : "text-fg-3 text-xs"}>{line.text}</div>
      {!line.failed && (
        <div className="mt-1">
          <Progress value={line.part} label={line.text} />
        </div>
      )}
    </div>
  );
}
