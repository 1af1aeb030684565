import { t } from "@lingui/core/macro";
import { CircleAlert, CircleCheck, LoaderCircle, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx";
import { Progress } from "./status";
import { dismissToast, holdToast, type Toast, type ToastAction, takeAction, useToasts } from "./toast";

/** The messages in the corner. */
export function Toaster() {
  const items = useToasts((s) => s.items);
  const newestFile = items.findLast((item) => item.file !== undefined)?.id;
  /** The element that had the focus before a message took it. */
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const look = () => {
      for (const { id } of useToasts.getState().items) holdToast(id, "hidden", document.hidden);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return (
    <section
      aria-label={t`Notifications`}
      aria-live="polite"
      data-messages
      onFocus={(event) => {
        const from = event.relatedTarget as HTMLElement | null;
        if (from && !event.currentTarget.contains(from)) before.current = from;
      }}
      className={cx(
        "pointer-events-none fixed right-4 bottom-4 z-50 flex w-88 max-w-[90vw] flex-col gap-2",
        // A dialog has its buttons at the right.
        "in-[body:has([data-modal])]:right-auto in-[body:has([data-modal])]:left-4",
      )}
    >
      {items.map((item) => (
        <ToastCard
          key={item.id}
          item={item}
          older={item.file !== undefined && item.id !== newestFile}
          back={() => before.current}
        />
      ))}
    </section>
  );
}

/** Puts the focus into the newest message. False if there is none. */
export function focusMessages(): boolean {
  const cards = document.querySelectorAll<HTMLElement>("[data-messages] > *");
  const button = cards[cards.length - 1]?.querySelector("button");
  button?.focus();
  return button != null;
}

const ICONS = {
  plain: null,
  good: <CircleCheck size={16} className="text-good" aria-hidden />,
  bad: <CircleAlert size={16} className="text-bad" aria-hidden />,
  busy: <LoaderCircle size={16} className="spin text-accent" aria-hidden />,
};

function ToastCard({
  item,
  older,
  back,
}: {
  item: Toast;
  /** A message about a newer file is on screen. */
  older: boolean;
  back: () => HTMLElement | null;
}) {
  const { id } = item;
  // A focused message keeps its length: a button that is being pressed must not move.
  const [focused, setFocused] = useState(false);
  const [short, setShort] = useState(false);
  if (older && !focused && !short) setShort(true);
  const [first] = item.actions ?? [];
  const card = useRef<HTMLDivElement>(null);
  const leads = useRef(back);
  leads.current = back;
  // The focus does not go with it.
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const to = leads.current();
      queueMicrotask(() => (to?.isConnected ? to : document.getElementById("page"))?.focus({ preventScroll: true }));
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is read
    <div
      ref={card}
      role={item.tone === "bad" ? "alert" : undefined}
      onPointerEnter={() => holdToast(id, "pointer", true)}
      onPointerLeave={() => holdToast(id, "pointer", false)}
      onFocus={() => {
        setFocused(true);
        holdToast(id, "focus", true);
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocused(false);
        holdToast(id, "focus", false);
      }}
      className={cx(
        "rise pointer-events-auto rounded-lg border border-line bg-raised px-3.5 shadow-pop",
        short ? "py-1.5" : "py-3",
      )}
    >
      <div className={cx("flex gap-2.5", short ? "items-center" : "items-start")}>
        {ICONS[item.tone] && <span className={short ? undefined : "mt-0.5"}>{ICONS[item.tone]}</span>}
        <div className={cx("min-w-0 flex-1", short && "flex items-baseline gap-3")}>
          <div
            className={cx("min-w-0 font-medium", short ? "flex-1 truncate" : "wrap-anywhere line-clamp-3")}
            title={short ? item.title : undefined}
          >
            {short ? item.file : item.title}
          </div>
          {item.text && !short && <div className="wrap-anywhere nums mt-0.5 text-fg-2 text-sm">{item.text}</div>}
          {item.progress !== undefined && (
            <div className="mt-2">
              <Progress value={item.progress} label={item.title} />
            </div>
          )}
          {first && (
            <div className={cx("flex gap-3", short ? "shrink-0" : "mt-2")}>
              {(short ? [first] : item.actions!).map((action) => (
                <Action key={action.label} id={id} action={action} />
              ))}
            </div>
          )}
        </div>
        <button
          type="button"
          aria-label={t`Dismiss`}
          onClick={() => dismissToast(id)}
          className="-mr-1 flex size-5 items-center justify-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg"
        >
          <X size={13} />
        </button>
      </div>
    </div>
  );
}

function Action({ id, action }: { id: string; action: ToastAction }) {
  return (
    <button
      type="button"
      className="rounded-sm font-medium text-accent text-sm hover:text-accent-hover hover:underline"
      onClick={() => takeAction(id, action)}
    >
      {action.label}
    </button>
  );
}
