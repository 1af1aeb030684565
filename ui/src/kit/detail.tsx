import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./button";
import { Split } from "./split";

/** A diagram or a list with the details of the selected item beside it. */
export function WithPanel({
  selected,
  label,
  wide,
  detail,
  onClose,
  children,
}: {
  /** The selected item. A new selection scrolls the details to the top. */
  selected: string | null;
  label: string;
  /** The details are always visible and take most of the width. */
  wide?: boolean;
  /** Empty if nothing is selected. */
  detail: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see `selected`
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [selected]);
  return (
    <Split
      direction="row"
      fixed={wide ? "first" : "second"}
      initial={wide ? 340 : 360}
      min={wide ? 220 : 300}
      max={900}
      label="Details width"
      first={children}
      second={
        detail && (
          <section
            ref={scroller}
            aria-label={label}
            className="relative min-h-0 flex-1 overflow-y-auto px-5 py-4"
            onKeyDown={(e) => {
              if (e.key === "Escape" && !wide) {
                e.stopPropagation();
                onClose();
              }
            }}
          >
            {!wide && (
              <div className="absolute top-3 right-3">
                <IconButton label="Close" keys="esc" size="sm" onClick={onClose}>
                  <X size={15} />
                </IconButton>
              </div>
            )}
            {detail}
          </section>
        )
      }
    />
  );
}

/** Named facts, each a word or a number. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="nums mt-3 flex flex-wrap gap-x-6 gap-y-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-fg-3 text-xs">{name}</dt>
          <dd className="text-sm">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
