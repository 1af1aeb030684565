import { t } from "@lingui/core/macro";
import { useRef, useState } from "react";
import type { AppError, EgressInfo, EgressPolicy, PersonalColumn } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toastError } from "../../kit/toast";
import { columnName, isMasked } from "./policy";

/** Where a change was made, so that a refusal is shown there. */
export type ChangeOrigin = "level" | "columns" | "field";

export interface PolicyChange {
  place: ChangeOrigin;
  /** The description of the change, for the status line. */
  said: string;
  to: (policy: EgressPolicy) => EgressPolicy;
}

export interface SaveState {
  said: string;
  /** The previous value. */
  before: EgressPolicy;
  /** True if it took back the change before it. */
  undid: boolean;
}

/** The privacy settings of a warehouse for remote models. */
export function useEgress(uri: string) {
  const [kept, setKept] = useState<EgressInfo | null>(null);
  const [seen, setSeen] = useState<PersonalColumn[]>([]);
  const [pending, setPending] = useState<PolicyChange[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const [refused, setRefused] = useState<{ place: ChangeOrigin; error: AppError } | null>(null);
  const [saved, setSaved] = useState<SaveState | null>(null);
  const [open, setOpen] = useState(false);
  /** The host's state, for changes that wait for others. */
  const known = useRef<EgressPolicy | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const shown = useRef(false);

  const take = (info: EgressInfo) => {
    known.current = info.policy;
    setKept(info);
    // Nothing moves: what is new comes last, beside the field that it was typed into.
    setSeen((before) => [
      ...before.map((column) => findColumn(info.personal, column) ?? column),
      ...info.personal.filter((column) => !findColumn(before, column)),
    ]);
  };
  const load = async () => {
    setError(null);
    try {
      await queue.current;
      take(await host().egress(uri));
    } catch (thrown) {
      setError(toAppError(thrown));
    }
  };
  const show = (next: boolean) => {
    shown.current = next;
    setOpen(next);
    if (!next) return;
    setKept(null);
    setSeen([]);
    setRefused(null);
    setSaved(null);
    void load();
  };
  /** Shows a change at once and saves it; true once it is saved. */
  const change = (next: PolicyChange, undid = false): Promise<boolean> => {
    setPending((changes) => [...changes, next]);
    setRefused(null);
    const done = queue.current.then(async () => {
      const before = known.current;
      if (!before) return false;
      try {
        take(await host().setEgress(uri, next.to(before)));
        setSaved({ said: next.said, before, undid });
        return true;
      } catch (thrown) {
        const why = toAppError(thrown);
        // A closed dialog needs no message.
        if (shown.current) setRefused({ place: next.place, error: why });
        else toastError(why);
        return false;
      } finally {
        setPending((changes) => changes.filter((other) => other !== next));
      }
    });
    queue.current = done;
    return done;
  };
  /** Takes the last change back, and the other way round. */
  const undo = () => {
    if (!saved || pending.length > 0) return;
    const { before, undid } = saved;
    void change({ place: "level", said: undid ? t`Redone.` : t`Undone.`, to: () => before }, !undid);
  };

  const policy = kept && pending.reduce((before, next) => next.to(before), kept.policy);
  // A column that is no longer masked stays in the list, so that the same switch masks it again.
  const columns = policy ? seen.map((column) => ({ ...column, masked: isMasked(policy, column) })) : [];
  return { open, show, load, policy, columns, error, refused, saved, change, undo };
}

function findColumn(columns: PersonalColumn[], column: PersonalColumn): PersonalColumn | undefined {
  return columns.find((other) => columnName(other) === columnName(column));
}
