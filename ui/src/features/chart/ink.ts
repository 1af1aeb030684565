// The colours of charts. Interface colours come from the theme; those that tell apart are here, each at least 3:1 on the
// background of its theme (a test holds them to that).

import type { Ink } from "./spec";

export const LIGHT = ["#0c6b7c", "#c2571a", "#6a3fb0", "#2f7d32", "#b0306a", "#8a6d00", "#1f5fbf", "#6b6f76"];
export const DARK = ["#56b6c6", "#f09a5c", "#bda0ee", "#7fc97f", "#ef8ab8", "#dcb94a", "#82b0f5", "#a3a9b2"];

/** The colours as the page has them now. */
export function inkOf(dark: boolean): Ink {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    background: colour("--bg", dark ? "#141618" : "#ffffff"),
    text: colour("--fg", dark ? "#e7e9ec" : "#191c20"),
    faint: colour("--fg-2", dark ? "#a8afb8" : "#525a64"),
    grid: colour("--line", dark ? "#272b30" : "#e6e8eb"),
    mark: colour("--accent", dark ? DARK[0]! : LIGHT[0]!),
    font: getComputedStyle(document.body).fontFamily || "sans-serif",
    palette: dark ? DARK : LIGHT,
  };
}
