import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./button";
import { focusCard } from "./diagram/focus";
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
  /** From the selected card the Tab key leads into its details, and closing them leads back. */
  const frame = useRef<HTMLDivElement>(null);
  const enter = (event: React.KeyboardEvent) => {
    if (event.key !== "Tab" || event.shiftKey || wide || !scroller.current) return;
    if ((event.target as HTMLElement).dataset.node !== selected) return;
    event.preventDefault();
    scroller.current.focus();
  };
  const card = () => frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(selected ?? "")}"]`);
  const close = () => {
    focusCard(frame.current, selected);
    onClose();
  };
  const split = (
    <Split
      name={wide ? "detail.wide" : "detail"}
      direction="row"
      fixed={wide ? "first" : "second"}
      initial={wide ? 340 : 360}
      min={wide ? 220 : 300}
      max={900}
      label={t`Details width`}
      first={children}
      second={
        detail && (
          <section
            ref={scroller}
            aria-label={label}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
            tabIndex={0}
            className="relative outline-offset-[-2px] min-h-0 flex-1 overflow-y-auto px-5 py-4"
            onKeyDown={(e) => {
              if (e.key === "Escape" && !wide) {
                e.stopPropagation();
                close();
              } else if (e.key === "Tab" && e.shiftKey && !wide && e.target === scroller.current && card()) {
                e.preventDefault();
                card()?.focus({ preventScroll: true });
              }
            }}
          >
            {!wide && (
              <div className="absolute top-3 right-3">
                <IconButton label={t`Close`} keys="esc" size="sm" onClick={close}>
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
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the Tab key goes on from a card
    <div ref={frame} className="flex min-h-0 min-w-0 flex-1" onKeyDown={enter}>
      {split}
    </div>
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
