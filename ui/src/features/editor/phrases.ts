// The editor's own texts in the language of the window.

import { t } from "@lingui/core/macro";

export const phrases = (): Record<string, string> => ({
  Find: t`Find`,
  Replace: t`Replace`,
  next: t`next`,
  previous: t`previous`,
  all: t({ message: "all", context: "find" }),
  "match case": t`match case`,
  regexp: t`regular expression`,
  "by word": t`whole words`,
  replace: t`replace`,
  "replace all": t`replace all`,
  close: t`close`,
  "current match": t`current match`,
  "on line": t`on line`,
  "Fold line": t`Fold line`,
  "Unfold line": t`Unfold line`,
  "folded code": t`folded code`,
  unfold: t`unfold`,
  "Go to line": t`Go to line`,
  go: t`go`,
  Completions: t`Completions`,
});
