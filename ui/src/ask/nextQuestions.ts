// Follow-ups that suggest themselves after an answer, in the language of its question: another year, another grain of time.

import type { HeadlineShape } from "../host/bindings";
import { type Language, useLanguage } from "../kit/language";

interface Forms {
  year: (year: number) => string;
  month: string;
  quarter: string;
  years: string;
}

// The suggestions are in the language of the question, not of the window, because they become questions.
const FORMS: Record<Language, Forms> = {
  en: { year: (year) => `and for ${year}?`, month: "by month", quarter: "by quarter", years: "by year" },
  de: { year: (year) => `und für ${year}?`, month: "nach Monat", quarter: "nach Quartal", years: "nach Jahr" },
  fr: { year: (year) => `et pour ${year} ?`, month: "par mois", quarter: "par trimestre", years: "par an" },
};

/** Small words that questions of only one of the languages have. */
const WORDS: Record<Language, Set<string>> = {
  en: new Set("how many much what which who when the of by per for each with did were was are is and our".split(" ")),
  de: new Set(
    "wie viel viele was welche welcher welches wer wann der die das den dem je nach pro für mit im und".split(" "),
  ),
  fr: new Set(
    "combien quel quelle quels quelles qui quand le la les des du de par pour chaque avec et nos ont".split(" "),
  ),
};

/** The language of a question by its small words; that of the window where they do not tell. */
export function languageOf(question: string): Language {
  const words = question.toLowerCase().split(/[^\p{L}]+/u);
  const counts = (Object.keys(WORDS) as Language[]).map((name) => ({
    name,
    count: words.filter((word) => WORDS[name].has(word)).length,
  }));
  const [best, next] = counts.sort((a, b) => b.count - a.count);
  return best!.count > next!.count ? best!.name : useLanguage.getState().language;
}

/**
 * Texts of possible follow-ups, the most likely first. Whether one makes sense is known only once it is completed to a whole
 * question.
 */
export function possibleFollowUps(question: string, shape: HeadlineShape | null, today: Date): string[] {
  const forms = FORMS[languageOf(question)];
  const years = new Set(question.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g));
  const [year] = years.size === 1 ? [...years].map(Number) : [];
  const around = year === undefined ? [] : [year - 1, year + 1].filter((other) => other <= today.getFullYear());
  // A grain of time needs a time.
  const grains = year !== undefined ? [forms.month, forms.quarter] : [forms.month, forms.quarter, forms.years];
  return [...around.map(forms.year), ...(years.size > 0 || shape === "series" ? grains : [])];
}
