import { useStore } from "@xyflow/react";
import { type RefObject, useLayoutEffect } from "react";
import { levelAt, textAt } from "./levels";

/** Tells a diagram's style sheet how much cards tell and how large their text has to be at the scale of the view. */
export function TextLevel({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  const scale = useStore((s) => s.transform[2]);
  useLayoutEffect(() => {
    const diagram = frame.current?.querySelector<HTMLElement>(".react-flow");
    // Provided only around the cards: a context around the map too would recompute every card of the map.
    const cards = diagram?.querySelector<HTMLElement>(".react-flow__viewport");
    if (!diagram || !cards) return;
    const level = levelAt(scale);
    if (diagram.dataset.level !== level) diagram.dataset.level = level;
    if (level !== "full") cards.style.setProperty("--text", `${textAt(scale)}px`);
  }, [frame, scale]);
  return null;
}
