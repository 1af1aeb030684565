import { useStore } from "@xyflow/react";
import { type RefObject, useLayoutEffect } from "react";
import { levelAt, textAt } from "./levels";

/** Tells a diagram's style sheet how much cards tell and how large their text has to be at the scale of the view. */
export function TextLevel({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  const scale = useStore((s) => s.transform[2]);
  useLayoutEffect(() => {
    const diagram = frame.current?.querySelector<HTMLElement>(".react-flow");
    if (!diagram) return;
    diagram.dataset.level = levelAt(scale);
    diagram.style.setProperty("--text", `${textAt(scale)}px`);
  }, [frame, scale]);
  return null;
}
