// The catalogs are complete: each text of the window has its translations, with the same values in them.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { extractor } from "@lingui/cli/api";
import { makeConfig } from "@lingui/conf";
import { type CompiledMessage, compileMessage } from "@lingui/message-utils/compileMessage";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { describe, expect, it } from "vitest";
import config from "../lingui.config.ts";

const UI = resolve(import.meta.dirname, "..");
const TRANSLATIONS = ["de", "fr"] as const;

interface Entry {
  id: string;
  text: string;
  translation: string;
}

/** The entries of a catalog, read without the tool that wrote it. */
function catalog(locale: string): Map<string, Entry> {
  const blocks = readFileSync(join(UI, "locales", `${locale}.po`), "utf8").split("\n\n");
  const entries = blocks.flatMap((block) => {
    const part = (name: string) => {
      const match = new RegExp(`^${name} ((?:".*"\\n?)+)`, "m").exec(block);
      return match
        ? match[1]!
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as string)
            .join("")
        : "";
    };
    const text = part("msgid");
    const id = generateMessageId(text, part("msgctxt"));
    return text === "" || /^#~/m.test(block) ? [] : [{ id, text, translation: part("msgstr") }];
  });
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) && entry.name !== "bindings.ts" ? [path] : [];
  });
}

/** The texts of the window by id, as its sources have them. */
async function texts(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const linguiConfig = makeConfig(config);
  for (const file of files(join(UI, "src"))) {
    const code = readFileSync(file, "utf8");
    if (!code.includes("@lingui/")) continue;
    await extractor.extract(file, code, ({ id, message }) => found.set(id, message ?? ""), { linguiConfig });
  }
  return found;
}

/** Names of values and numbers of elements in a message; of a plural also those in its forms. */
function values(message: string): string[] {
  const names = new Set<string>();
  const visit = (part: CompiledMessage | string) => {
    if (typeof part === "string") {
      for (const [tag] of part.matchAll(/<\/?\d+\/?>/g)) names.add(tag);
      return;
    }
    for (const token of part) {
      if (typeof token === "string") {
        visit(token);
        continue;
      }
      const [name, , forms] = token;
      names.add(name);
      if (typeof forms === "object" && forms !== null)
        for (const [key, form] of Object.entries(forms)) if (key !== "offset") visit(form as CompiledMessage);
    }
  };
  visit(compileMessage(message));
  return [...names].sort();
}

const sources = texts();

it.each(TRANSLATIONS)("in %s no word stands for two things on one page", (locale) => {
  const said = (text: string, context = "") => catalog(locale).get(generateMessageId(text, context))!.translation;
  expect(said("Plan", "of the database, to run a query")).not.toBe(said("Outline"));
  expect(said("Plan")).not.toBe(said("Outline"));
  expect(said("Settings")).not.toBe(said("Parameters"));
});

it("the catalogs hold the texts of the window and no others", async () => {
  const ids = [...(await sources).keys()].sort();
  for (const locale of ["en", ...TRANSLATIONS]) expect([...catalog(locale).keys()].sort()).toEqual(ids);
});

describe.each(TRANSLATIONS)("the catalog %s", (locale) => {
  const entries = [...catalog(locale).values()];
  it("has every translation", () => {
    expect(entries.filter(({ translation }) => translation.trim() === "").map(({ text }) => text)).toEqual([]);
  });
  it("has the values and elements of each text", () => {
    const other = entries.filter(({ text, translation }) => `${values(text)}` !== `${values(translation)}`);
    expect(other).toEqual([]);
  });
  it("keeps the blanks at both ends, where texts are put together", () => {
    const ends = (text: string) => [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""].join("|");
    // A French semicolon has a blank before it.
    const other = entries.filter(({ text, translation }) => ends(text) !== ends(translation.replace(/^\s;/, ";")));
    expect(other).toEqual([]);
  });
});
