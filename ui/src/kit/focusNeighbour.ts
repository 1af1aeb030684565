// Where the focus goes when what had it goes away. In a list: what removes an entry bears `data-removes`, what stays beside an
// empty list `data-stays`.

import { useLayoutEffect, useRef } from "react";

/** Puts the focus on the heading of the page; on the page, where its heading takes none. */
export function focusHeading() {
  const page = document.getElementById("page");
  (page?.querySelector<HTMLElement>("h1[tabindex]") ?? page)?.focus({ preventScroll: true });
}

/**
 * For what goes away after something in it was pressed: the focus that it has then goes to the heading, or to what `behind`
 * gives, if that is still there.
 */
export function useFocusAfterRemoval<Around extends HTMLElement>(behind?: () => HTMLElement | null | undefined) {
  const around = useRef<Around>(null);
  const leads = useRef(behind);
  leads.current = behind;
  useLayoutEffect(() => {
    const element = around.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const to = leads.current?.();
      queueMicrotask(() => {
        const { activeElement } = document;
        if (activeElement !== null && activeElement !== document.body && activeElement.isConnected) return;
        if (to?.isConnected) to.focus({ preventScroll: true });
        else focusHeading();
      });
    };
  }, []);
  return around;
}

/** Returns the remove button of the next or previous entry; in an empty list the element that stays, else the page. */
function neighbourOf(control: Element | null | undefined): HTMLElement | null {
  const page = document.getElementById("page");
  const around = control?.closest<HTMLElement>("section") ?? page;
  const all = [...(around?.querySelectorAll<HTMLElement>("[data-removes]") ?? [])];
  const at = control ? all.indexOf(control as HTMLElement) : -1;
  const near = at === -1 ? undefined : (all[at + 1] ?? all[at - 1]);
  return near ?? around?.querySelector<HTMLElement>("[data-stays]") ?? page;
}

/** Moves the focus there before the entry is gone. */
export function focusNeighbour(control: Element) {
  neighbourOf(control)?.focus({ preventScroll: true });
}

/** The same for an entry that its menu removes: the menu gives the focus there when it closes. */
export function useFocusNeighbour() {
  const entry = useRef<HTMLLIElement>(null);
  const beside = useRef<HTMLElement | null>(null);
  return {
    entry,
    leave: () => {
      beside.current = neighbourOf(entry.current?.querySelector("[data-removes]"));
    },
    finalFocus: () => beside.current,
  };
}
