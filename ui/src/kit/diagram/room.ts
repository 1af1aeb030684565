import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./boxes";

/** The size of a diagram's frame, once it is known. */
export function useRoom(frame: RefObject<HTMLDivElement | null>): Size | null {
  const [room, setRoom] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setRoom({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);
  return room;
}
