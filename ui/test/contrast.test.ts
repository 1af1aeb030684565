// WCAG 2.2 AA: text 4.5:1 on every ground that it stands on, lines and borders of fields 3:1, in both themes; with high
// contrast AAA, text 7:1 and all lines 3:1.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(resolve(import.meta.dirname, "../src/kit/tokens.css"), "utf8");
const [light = "", dark = ""] = css.split(':root[data-theme="dark"] {');
const more = css.split(':root[data-contrast="more"] {')[1] ?? "";
const moreDark = css.split(':root[data-theme="dark"][data-contrast="more"] {')[1] ?? "";
const block = (text: string) => text.slice(0, text.indexOf("}"));

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dim = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dim + 0.05);
}

const GROUNDS = ["bg", "bg-side", "bg-raised", "bg-sunk", "bg-hover", "bg-active"];

describe.each([
  ["light", light, 4.5],
  ["dark", dark, 4.5],
  // What a block of higher contrast does not name is as without it.
  ["light high-contrast", block(more) + light, 7],
  ["dark high-contrast", block(moreDark) + block(dark), 7],
])("the colours of the %s theme", (_, theme, text) => {
  const colour = (name: string) => {
    const found = theme.match(new RegExp(`--${name}: (#[0-9a-f]{6});`));
    if (!found) throw new Error(`no colour ${name}`);
    return found[1]!;
  };
  const lacking = (names: string[], grounds: string[], least: number) =>
    names.flatMap((name) =>
      grounds
        .filter((ground) => contrast(colour(name), colour(ground)) < least)
        .map((ground) => `${name} on ${ground}: ${contrast(colour(name), colour(ground)).toFixed(2)}`),
    );

  it("let text be read on every plain ground", () => {
    expect(lacking(["fg", "fg-2", "fg-3", "accent", "good", "warn", "bad"], GROUNDS, text)).toEqual([]);
  });

  it("let text be read on tinted grounds", () => {
    const tinted = ["accent-soft", "warn-soft", "bad-soft", "good-soft"];
    expect(lacking(["fg", "fg-2", "fg-3", "accent", "warn", "bad"], tinted, text)).toEqual([]);
  });

  it("let comments in code be read", () => {
    expect(lacking(["code-comment", "code-keyword", "code-string"], ["bg", "bg-sunk", "bg-raised"], text)).toEqual(
      [],
    );
  });

  it("let lines of a graph and borders of fields be seen", () => {
    expect(lacking(["edge"], GROUNDS, 3)).toEqual([]);
    if (text === 7) expect(lacking(["line", "line-strong"], GROUNDS, 3)).toEqual([]);
  });
});
