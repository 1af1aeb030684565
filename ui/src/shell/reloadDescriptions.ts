// What the program says of itself: its models, methods and rules. It says it in the language of the window.

import { loadMethods } from "../domain/methods";
import { loadRules } from "../features/settings/rules";
import { loadSettings } from "../features/settings/state";
import { useLanguage } from "../kit/language";

/** What was described in another language is asked for again. What is returned ends it. */
export function watchLanguage(): () => void {
  return useLanguage.subscribe((now, before) => {
    if (now.language === before.language) return;
    for (const load of [loadSettings, loadMethods, loadRules]) void load().catch(() => {});
  });
}
