// The focus of a diagram that draws only the cards in view.

/** Maximum time for a card to come into view, in milliseconds. */
const PATIENCE = 1_000;

/** Gives the focus to a card, once it is drawn: the view may still be on its way there. */
export function focusCard(frame: HTMLElement | null, card: string | null | undefined) {
  if (!frame || card == null) return;
  const until = performance.now() + PATIENCE;
  const before = document.activeElement;
  const look = () => {
    const found = frame.querySelector<HTMLElement>(`[data-node="${CSS.escape(card)}"]`);
    // A user who moved the focus in the meantime keeps it there.
    const stays = document.activeElement === before || document.activeElement === document.body;
    if (found) found.focus({ preventScroll: true });
    else if (stays && performance.now() < until) requestAnimationFrame(look);
  };
  look();
}
