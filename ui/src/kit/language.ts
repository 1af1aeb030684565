// The language of the window, and how numbers and dates are written in it. The host stores what was chosen; without a
// choice it is the language of the desktop where there are texts for it, else English.

import { i18n, type Messages } from "@lingui/core";
import { create } from "zustand";
import { host } from "../host/host";

/** Each language by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;
export type LanguageChoice = Language | "system";

/** Numbers and dates as the language writes them, or as the desktop does. */
const FORMATS = ["language", "system"] as const;
export type Formats = (typeof FORMATS)[number];

const CATALOGS: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import("../../locales/en.po"),
  de: () => import("../../locales/de.po"),
  fr: () => import("../../locales/fr.po"),
};

/** Where the desktop does not say which region is meant. */
const REGIONS: Record<Language, string> = { en: "en-US", de: "de-DE", fr: "fr-FR" };

interface Chosen {
  choice: LanguageChoice;
  formats: Formats;
}

export const useLanguage = create<Chosen & { language: Language }>(() => ({
  choice: "system",
  formats: "language",
  language: "en",
}));

/** Languages as the desktop prefers them. */
function desktop(): string[] {
  return typeof navigator === "undefined" ? [] : [...(navigator.languages ?? []), navigator.language];
}

const languageOf = (name: string) => name.split(/[-_]/)[0]!.toLowerCase();
const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** The first language of the desktop that there are texts for. */
export function systemLanguage(named: readonly string[] = desktop()): Language {
  return named.map(languageOf).find(isLanguage) ?? "en";
}

/** Some systems name their language in ways that no format takes, such as `C`. Asked with every number, and slow to answer. */
const locales = new Map<string, boolean>();

function isLocale(name: string): boolean {
  const known = locales.get(name) ?? takesIt(name);
  locales.set(name, known);
  return known;
}

function takesIt(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([name]).length > 0;
  } catch {
    return false;
  }
}

/** The locale of numbers and dates: the desktop's variant of the language, if it has one. */
export function localeOf(language: Language, formats: Formats, named: readonly string[] = desktop()): string {
  const known = named.filter(isLocale);
  const own = known.find((name) => formats === "system" || languageOf(name) === language);
  return own ?? REGIONS[language];
}

/** Returns the current locale of numbers and dates. */
export function locale(): string {
  const { language, formats } = useLanguage.getState();
  return localeOf(language, formats);
}

/** The locale of dates and times in text: in English day first, with the month's name, which cannot be misread. */
export function dateLocale(): string {
  const { language, formats } = useLanguage.getState();
  return language === "en" && formats === "language" ? "en-GB" : localeOf(language, formats);
}

async function apply(choice: LanguageChoice, formats: Formats) {
  const language = choice === "system" ? systemLanguage() : choice;
  const { messages } = await CATALOGS[language]();
  i18n.load(language, messages);
  i18n.activate(language, localeOf(language, formats));
  document.documentElement.lang = language;
  // The program writes in the language of the window; where it does not, its texts stay as they are.
  await host()
    .setLanguage(language)
    .catch(() => {});
  useLanguage.setState({ choice, formats, language });
}

/** The language as it was chosen last, here or in another window. */
export async function readLanguage() {
  const read = (name: string) =>
    host()
      .preference(name)
      .catch(() => null);
  const [choice, formats] = await Promise.all([read("language"), read("formats")]);
  await apply(
    choice !== null && isLanguage(choice) ? choice : "system",
    FORMATS.find((known) => known === formats) ?? "language",
  );
}

export async function setLanguage(choice: LanguageChoice) {
  await apply(choice, useLanguage.getState().formats);
  await host().setPreference("language", choice);
}

export async function setFormats(formats: Formats) {
  await apply(useLanguage.getState().choice, formats);
  await host().setPreference("formats", formats);
}
