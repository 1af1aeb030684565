// Reloads the program's descriptions of models, methods and rules in the language of the window.

import { loadEngines } from "../domain/engines";
import { loadMethods } from "../domain/methods";
import { loadRules } from "../features/settings/rules";
import { loadSettings } from "../features/settings/state";
import { useLanguage } from "../kit/language";

/** Reloads descriptions when the language changes. Returns a function that stops this. */
export function watchLanguage(): () => void {
  return useLanguage.subscribe((now, before) => {
    if (now.language === before.language) return;
    for (const load of [loadSettings, loadMethods, loadEngines, loadRules]) void load().catch(() => {});
  });
}
