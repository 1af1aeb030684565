import { beforeEach, describe, expect, it } from "vitest";
import { type Host, setHost } from "../host/host";
import { keyNames, keysText, type PressedKey, partsOf, pressedKeys } from "./keyNames";
import {
  isShortcut,
  keysOf,
  problemOf,
  reachesPastText,
  resetAllKeys,
  resetKeys,
  SHORTCUT_IDS,
  SHORTCUTS,
  setKeys,
  shortcutOf,
  shortcutsWithKeys,
  startShortcuts,
  useShortcuts,
} from "./shortcuts";

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
});
const ctrl = { ctrlKey: true };

let kept: Record<string, string>;
beforeEach(() => {
  kept = {};
  useShortcuts.setState({ chosen: {} });
  setHost({
    preference: async (key: string) => kept[key] ?? null,
    setPreference: async (key: string, value: string) => {
      kept[key] = value;
    },
  } as unknown as Host);
});

describe("pressed keys", () => {
  it("are named by modifiers and key", () => {
    expect(pressedKeys(press("k", ctrl))).toBe("mod+k");
    expect(pressedKeys(press("K", { ...ctrl, shiftKey: true }))).toBe("mod+shift+k");
    expect(pressedKeys(press("ArrowDown", { altKey: true }))).toBe("alt+down");
    expect(pressedKeys(press(" "))).toBe("space");
    expect(pressedKeys(press("F6"))).toBe("f6");
  });

  it("count Shift only where the sign does not say it", () => {
    expect(pressedKeys(press("?", { shiftKey: true }))).toBe("?");
    expect(pressedKeys(press("+", { ...ctrl, shiftKey: true }))).toBe("mod++");
    expect(pressedKeys(press("Enter", { shiftKey: true }))).toBe("shift+enter");
  });

  it("are the letter on the keyboard where another script or Alt types something else", () => {
    expect(pressedKeys(press("к", { ...ctrl, code: "KeyR" }))).toBe("mod+r");
    expect(pressedKeys(press("´", { altKey: true, code: "KeyE" }))).toBe("alt+e");
  });

  it("are a character where AltGr typed it, and nothing while an input method is at work", () => {
    const altGr = { ctrlKey: true, altKey: true, code: "KeyQ", getModifierState: () => true };
    expect(pressedKeys(press("@", altGr))).toBe("@");
    expect(pressedKeys(press("n", { isComposing: true }))).toBeNull();
    expect(pressedKeys(press("Control", ctrl))).toBeNull();
    expect(pressedKeys(press("l", { metaKey: true }))).toBeNull();
  });

  it("are said by the names of the platform", () => {
    expect(keyNames("mod+shift+n")).toEqual(["Ctrl", "Shift", "N"]);
    expect(keysText("alt+enter")).toBe("Alt+Enter");
    expect(partsOf("mod++")).toEqual(["mod", "+"]);
    expect(partsOf("+")).toEqual(["+"]);
    expect(partsOf("")).toEqual([]);
  });
});

describe("shortcuts", () => {
  it("come without two that have the same keys in one place, and without one that is refused", () => {
    for (const id of SHORTCUT_IDS) {
      expect(shortcutsWithKeys(id, SHORTCUTS[id].keys), id).toEqual([]);
      // Enter opens a card as any button, too.
      expect(problemOf(id, SHORTCUTS[id].keys), id).toBeNull();
    }
  });

  it("have the keys that the user chose, and remember them", async () => {
    setKeys("palette", "mod+p");
    expect(isShortcut(press("p", ctrl), "palette")).toBe(true);
    expect(isShortcut(press("k", ctrl), "palette")).toBe(false);
    useShortcuts.setState({ chosen: {} });
    await startShortcuts();
    expect(keysOf("palette")).toBe("mod+p");
    resetKeys("palette");
    expect(keysOf("palette")).toBe("mod+k");
    expect(kept.shortcuts).toBe("{}");
  });

  it("give their keys up to one that takes them where both work, and nowhere else", () => {
    expect(shortcutsWithKeys("save", "mod+b")).toEqual(["sidebar"]);
    setKeys("save", "mod+b");
    expect(keysOf("sidebar")).toBe("");
    expect(isShortcut(press("b", ctrl), "sidebar")).toBe(false);
    expect(shortcutOf(press("b", ctrl), ["window", "run"])).toBe("save");
    // The graph and the grid are never both where the focus is.
    expect(shortcutsWithKeys("findInRows", "mod+f")).toEqual([]);
    // The one that lost its keys gets them back, and the other has none.
    resetKeys("sidebar");
    expect([keysOf("sidebar"), keysOf("save")]).toEqual(["mod+b", ""]);
    resetAllKeys();
    expect([keysOf("sidebar"), keysOf("save")]).toEqual(["mod+b", "mod+s"]);
  });

  it("can be without keys", () => {
    setKeys("sidebar", "");
    expect(pressedKeys(press("b"))).toBe("b");
    expect(shortcutOf(press("b", ctrl), ["window"])).toBeUndefined();
  });

  it("never take what text needs", () => {
    for (const keys of ["mod+c", "mod+v", "mod+z", "mod+shift+z", "mod+left", "mod+backspace"])
      expect(problemOf("palette", keys), keys).toBe("These keys edit text.");
    expect(problemOf("palette", "enter")).toMatch(/presses buttons/);
    expect(problemOf("runQuery", "r")).toMatch(/type into the editor/);
    expect(problemOf("open", "3")).toMatch(/Digits/);
    expect(problemOf("open", "mod+w")).toMatch(/system/);
    expect(problemOf("fit", "shift+up")).toMatch(/navigates/);
    expect(problemOf("findInRows", "mod+down")).toMatch(/“Last row”/);
    expect(problemOf("open", "mod+shift+o")).toBeNull();
    expect(problemOf("copy", "mod+c")).toBeNull();
    expect(["k", "?", "alt+k", "shift+enter"].filter(reachesPastText)).toEqual([]);
    expect(["mod+k", "f6", "mod+alt+k"].filter((keys) => !reachesPastText(keys))).toEqual([]);
  });

  it("that were stored by something else are left out", async () => {
    kept.shortcuts = JSON.stringify({ palette: "mod+p", gone: "mod+j", open: 3 });
    await startShortcuts();
    expect(useShortcuts.getState().chosen).toEqual({ palette: "mod+p" });
  });
});
