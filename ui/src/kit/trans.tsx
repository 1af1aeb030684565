// Renders `<Trans>`: a sentence with elements in it, in the language of the window.

import { i18n } from "@lingui/core";
import { TransNoContext, type TransProps } from "@lingui/react/server";

export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={LINGUI} />;
}

const LINGUI = { i18n };
