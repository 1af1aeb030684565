/** Reports the pointer's position until it is released; the pressed element keeps receiving its events outside of itself. */
export function followPointer(event: React.PointerEvent, onMove: (at: PointerEvent) => void) {
  event.preventDefault();
  const target = event.currentTarget as HTMLElement;
  target.setPointerCapture(event.pointerId);
  const stop = () => {
    target.removeEventListener("pointermove", onMove);
    target.removeEventListener("pointerup", stop);
    target.removeEventListener("pointercancel", stop);
  };
  target.addEventListener("pointermove", onMove);
  target.addEventListener("pointerup", stop);
  target.addEventListener("pointercancel", stop);
}
