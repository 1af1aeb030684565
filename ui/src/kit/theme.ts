// Light, dark or system theme. The host stores the choice.

import { create } from "zustand";
import { host } from "../host/host";

export type Theme = "system" | "light" | "dark";

export const useTheme = create<{ theme: Theme; dark: boolean }>(() => ({ theme: "system", dark: false }));

const media = () => window.matchMedia("(prefers-color-scheme: dark)");

function apply(theme: Theme) {
  const dark = theme === "dark" || (theme === "system" && media().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  useTheme.setState({ theme, dark });
}

export async function startTheme() {
  apply("system");
  media().addEventListener("change", () => apply(useTheme.getState().theme));
  const saved = await host()
    .preference("theme")
    .catch(() => null);
  if (saved === "light" || saved === "dark") apply(saved);
}

export function setTheme(theme: Theme) {
  apply(theme);
  void host().setPreference("theme", theme);
}
