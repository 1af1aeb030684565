import type { ReactNode } from "react";
import type { ShortcutId } from "../kit/shortcuts";

/** Something that the palette offers. */
export interface PaletteItem {
  id: string;
  group: "Run" | "Actions" | "Tables" | "Questions" | "Saved questions" | "Warehouses";
  label: string;
  readonly note?: string;
  command?: ShortcutId;
  icon: ReactNode;
  run: () => void;
  /** Offered only among what the typed words find. */
  sought?: boolean;
  /** Gets the focus afterwards, in place of what had it before. */
  focus?: () => HTMLElement | null;
}
