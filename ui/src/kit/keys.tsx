import { cx } from "./cx";

const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** The key names of "mod+k" on this platform. */
function keyNames(keys: string): string[] {
  return keys.split("+").map((key) => {
    if (key === "mod") return MAC ? "⌘" : "Ctrl";
    if (key === "enter") return "Enter";
    if (key === "shift") return MAC ? "⇧" : "Shift";
    if (key === "esc") return "Esc";
    if (key === "up") return "↑";
    if (key === "down") return "↓";
    if (key === "left") return "←";
    if (key === "right") return "→";
    return key.length === 1 ? key.toUpperCase() : key;
  });
}

export function Keys({ keys, inverse }: { keys: string; inverse?: boolean }) {
  return (
    <span className="inline-flex gap-0.5">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className={cx(
            "inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm px-1 font-sans text-[10.5px] leading-none",
            inverse ? "bg-white/15 text-inherit" : "border border-line-strong bg-raised text-fg-3",
          )}
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}

/** Whether the platform's command key is pressed. */
export function isMod(event: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return MAC ? event.metaKey : event.ctrlKey;
}
