// What the program says of itself: its models, methods and rules. It says it in the language of the window.

import { loadRules } from "../features/settings/rules";
import { loadSettings } from "../features/settings/state";
import { useLanguage } from "../kit/language";
import { loadMethods } from "../kit/methods";

/** What was described in another language is asked for again. What is returned ends it. */
export function watchLanguage(): () => void {
  return useLanguage.subscribe((now, before) => {
    if (now.language === before.language) return;
    for (const load of [loadSettings, loadMethods, loadRules]) void load().catch(() => {});
  });
}
