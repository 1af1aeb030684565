// System, light, dark or high-contrast theme. The host stores the choice.

import { create } from "zustand";
import { host } from "../host/host";

const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

export const useTheme = create<{ theme: Theme; dark: boolean; contrast: boolean }>(() => ({
  theme: "system",
  dark: false,
  contrast: false,
}));

const darkSystem = () => window.matchMedia("(prefers-color-scheme: dark)");
const moreContrast = () => window.matchMedia("(prefers-contrast: more)");

/** High contrast is light or dark as the system is; a system that asks for it gets it in each theme. */
function apply(theme: Theme) {
  const dark = theme === "dark" || (theme !== "light" && darkSystem().matches);
  const contrast = theme === "contrast" || moreContrast().matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.dataset.contrast = contrast ? "more" : "usual";
  useTheme.setState({ theme, dark, contrast });
}

export async function startTheme() {
  apply("system");
  for (const media of [darkSystem(), moreContrast()])
    media.addEventListener("change", () => apply(useTheme.getState().theme));
  await readTheme();
}

/** The theme as it was chosen last, here or in another window. */
export async function readTheme() {
  const saved = await host()
    .preference("theme")
    .catch(() => null);
  apply(THEMES.find((theme) => theme === saved) ?? "system");
}

export function setTheme(theme: Theme) {
  apply(theme);
  void host().setPreference("theme", theme);
}
