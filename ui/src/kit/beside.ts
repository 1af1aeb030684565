// Where the focus goes when what had it leaves a list: what removes an entry bears `data-removes`, what stays beside an empty
// list `data-stays`.

import { useRef } from "react";

/** What removes the next entry, or the one before it; in an emptied list what stays there, else the page. */
export function besideOf(control: Element | null | undefined): HTMLElement | null {
  const page = document.getElementById("page");
  const around = control?.closest<HTMLElement>("section") ?? page;
  const all = [...(around?.querySelectorAll<HTMLElement>("[data-removes]") ?? [])];
  const at = control ? all.indexOf(control as HTMLElement) : -1;
  const near = at === -1 ? undefined : (all[at + 1] ?? all[at - 1]);
  return near ?? around?.querySelector<HTMLElement>("[data-stays]") ?? page;
}

/** Moves the focus there before the entry is gone. */
export function focusBeside(control: Element) {
  besideOf(control)?.focus({ preventScroll: true });
}

/** The same for an entry that its menu removes: the menu gives the focus there when it closes. */
export function useBeside() {
  const entry = useRef<HTMLLIElement>(null);
  const beside = useRef<HTMLElement | null>(null);
  return {
    entry,
    leave: () => {
      beside.current = besideOf(entry.current?.querySelector("[data-removes]"));
    },
    finalFocus: () => beside.current,
  };
}
