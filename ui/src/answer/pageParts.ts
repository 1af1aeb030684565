// Parts of the answer page that another part leads to. They bear `data-part`.

export type PagePart = "understood" | "results" | "notes";

const partOf = (part: PagePart) => document.querySelector<HTMLElement>(`#page [data-part="${part}"]`);

/** Shows a part and puts the focus on its first button. */
export function showPart(part: PagePart) {
  const element = partOf(part);
  element?.scrollIntoView({ block: "center" });
  (element?.querySelector<HTMLElement>("button") ?? element)?.focus({ preventScroll: true });
}
