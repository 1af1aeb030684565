// Keys as text: "mod+shift+k". `mod` is the command key of a Mac and Ctrl elsewhere.

import { t } from "@lingui/core/macro";

const MAC = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** The fields of a keyboard event that identify the pressed keys. */
export type PressedKey = Pick<KeyboardEvent, "key" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey"> &
  Partial<Pick<KeyboardEvent, "code" | "isComposing">> & { getModifierState?: (key: "AltGraph") => boolean };

/** Names of keys that are not what they type. */
const NAMES: Record<string, string> = {
  " ": "space",
  Escape: "esc",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** Keys that say nothing alone. */
const SILENT = ["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"];

/** Returns whether the platform's command key is pressed. */
export function isMod(event: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return MAC ? event.metaKey : event.ctrlKey;
}

/** The letter or digit of the key itself: with Alt, or on a keyboard of another script, it types something else. */
function onKeyboard({ code, key }: PressedKey, alt: boolean, mod: boolean): string | null {
  const foreign = key.length === 1 && key > "\u007f";
  if (!alt && !(mod && foreign)) return null;
  return code?.match(/^(?:Key|Digit)(\w)$/)?.[1]?.toLowerCase() ?? null;
}

/** The pressed keys, or null where there is nothing but modifiers, or an input method is at work. */
export function pressedKeys(event: PressedKey): string | null {
  if (event.isComposing || SILENT.includes(event.key) || (!MAC && event.metaKey)) return null;
  // AltGr types a character; some systems report it as Ctrl and Alt.
  const typed = event.key.length === 1 && event.getModifierState?.("AltGraph") === true;
  const alt = event.altKey && !typed;
  const mod = isMod(event) && !typed;
  const key =
    onKeyboard(event, alt, mod) ??
    NAMES[event.key] ??
    (event.key.length === 1 || /^[A-Z]/.test(event.key) ? event.key.toLowerCase() : event.key);
  // A symbol already implies Shift.
  const shift = event.shiftKey && (key.length > 1 || key.toUpperCase() !== key);
  const parts = [mod && "mod", MAC && event.ctrlKey && "ctrl", alt && "alt", shift && "shift", key];
  return parts.filter(Boolean).join("+");
}

/** The parts of "mod+k". The sign + is a key, too. */
export function partsOf(keys: string): string[] {
  if (keys === "" || keys === "+") return keys === "" ? [] : ["+"];
  return keys.endsWith("++") ? [...keys.slice(0, -2).split("+"), "+"] : keys.split("+");
}

const SIGNS: Record<string, string> = { up: "↑", down: "↓", left: "←", right: "→" };
const MAC_SIGNS: Record<string, string> = {
  mod: "⌘",
  ctrl: "⌃",
  alt: "⌥",
  shift: "⇧",
  enter: "↩",
  backspace: "⌫",
  delete: "⌦",
};

/** Returns the label of a key, such as Strg in German and Maj in French. */
function nameOf(part: string): string {
  const sign = (MAC && MAC_SIGNS[part]) || SIGNS[part];
  if (sign) return sign;
  switch (part) {
    case "mod":
    case "ctrl":
      return t({ message: "Ctrl", comment: "Name of a key" });
    case "shift":
      return t({ message: "Shift", comment: "Name of a key" });
    case "enter":
      return t({ message: "Enter", comment: "Name of a key" });
    case "space":
      return t({ message: "Space", comment: "Name of a key" });
    case "esc":
      return t({ message: "Esc", comment: "Name of a key" });
    case "delete":
      return t({ message: "Delete", context: "key", comment: "Name of a key" });
    case "home":
      return t({ message: "Home", comment: "Name of a key" });
    case "end":
      return t({ message: "End", comment: "Name of a key" });
    case "pageup":
      return t({ message: "Page up", comment: "Name of a key" });
    case "pagedown":
      return t({ message: "Page down", comment: "Name of a key" });
    default:
      return part.charAt(0).toUpperCase() + part.slice(1);
  }
}

/** The names of keys on this platform, in its order. */
export function keyNames(keys: string): string[] {
  const parts = partsOf(keys);
  const order = ["ctrl", "alt", "shift", "mod"];
  if (MAC) parts.sort((a, b) => ((order.indexOf(a) + 5) % 5) - ((order.indexOf(b) + 5) % 5));
  return parts.map(nameOf);
}

/** Formats keys for a sentence: "Ctrl+K", "⌘K". */
export function keysText(keys: string): string {
  return keyNames(keys).join(MAC ? "" : "+");
}
