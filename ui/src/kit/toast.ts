// Short messages in the corner: a result, an undo, a running job.

import { t } from "@lingui/core/macro";
import { CircleAlert, CircleCheck, LoaderCircle, X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { create } from "zustand";
import type { AppError } from "../host/bindings";
import { Progress } from "./status";

export interface ToastAction {
  label: string;
  run: () => void;
  keepOpen?: boolean;
}

export interface Toast {
  id: string;
  tone: "plain" | "good" | "bad" | "busy";
  title: string;
  text?: ReactNode;
  progress?: number | null;
  actions?: ToastAction[];
  /** Milliseconds until it closes; null keeps it open. */
  life: number | null;
}

interface Toasts {
  items: Toast[];
}

export const useToasts = create<Toasts>(() => ({ items: [] }));

let last = 0;

/** Maximum number of messages on screen. */
const MOST = 5;

/** Multiplies how long messages stay, so that tests on a slow machine can still see them. */
export const patience = { times: 1 };

/** Makes room for one more message. Messages without actions go first. */
function roomIn(items: Toast[]): Toast[] {
  if (items.length < MOST) return items;
  const goes = items.find((item) => !item.actions?.length) ?? items[0];
  return items.filter((item) => item !== goes);
}

/** Shows a message, or changes the one with this id. */
export function toast(message: Partial<Toast> & { title: string }): string {
  const id = message.id ?? `toast-${++last}`;
  const next: Toast = { tone: "plain", life: message.tone === "bad" ? 10_000 : 5_000, ...message, id };
  useToasts.setState(({ items }) => ({
    items: items.some((t) => t.id === id) ? items.map((t) => (t.id === id ? next : t)) : [...roomIn(items), next],
  }));
  return id;
}

export function toastError(error: AppError, actions?: ToastAction[]) {
  toast({ tone: "bad", title: error.message, text: error.hint ?? undefined, actions });
}

export function dismissToast(id: string) {
  useToasts.setState(({ items }) => ({ items: items.filter((t) => t.id !== id) }));
}

export function Toaster() {
  const items = useToasts((s) => s.items);
  return (
    <section
      aria-label={t`Notifications`}
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-88 max-w-[90vw] flex-col gap-2"
    >
      {items.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  );
}

const ICONS = {
  plain: null,
  good: <CircleCheck size={16} className="text-good" aria-hidden />,
  bad: <CircleAlert size={16} className="text-bad" aria-hidden />,
  busy: <LoaderCircle size={16} className="spin text-accent" aria-hidden />,
};

function ToastCard({ item }: { item: Toast }) {
  const { id, life } = item;
  useEffect(() => {
    if (life === null) return;
    const timer = setTimeout(() => dismissToast(id), life * patience.times);
    return () => clearTimeout(timer);
  }, [id, life]);
  return (
    <div
      role={item.tone === "bad" ? "alert" : undefined}
      className="rise pointer-events-auto rounded-lg border border-line bg-raised px-3.5 py-3 shadow-pop"
    >
      <div className="flex items-start gap-2.5">
        {ICONS[item.tone] && <span className="mt-0.5">{ICONS[item.tone]}</span>}
        <div className="min-w-0 flex-1">
          <div className="wrap-anywhere line-clamp-3 font-medium">{item.title}</div>
          {item.text && <div className="wrap-anywhere nums mt-0.5 text-fg-2 text-sm">{item.text}</div>}
          {item.progress !== undefined && (
            <div className="mt-2">
              <Progress value={item.progress} label={item.title} />
            </div>
          )}
          {item.actions && item.actions.length > 0 && (
            <div className="mt-2 flex gap-3">
              {item.actions.map((action) => (
                <button
                  key={action.label}
                  type="button"
                  className="rounded-sm font-medium text-accent text-sm hover:text-accent-hover hover:underline"
                  onClick={() => {
                    action.run();
                    if (!action.keepOpen) dismissToast(id);
                  }}
                >
                  {action.label}
                </button>
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
