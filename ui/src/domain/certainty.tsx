import { t } from "@lingui/core/macro";
import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import type { CertaintyLevel } from "../host/bindings";
import { cx } from "../kit/cx";

const LOOKS = {
  sure: {
    get label() {
      return t`Sure`;
    },
    colour: "text-good",
    Icon: CircleCheck,
  },
  check: {
    get label() {
      return t`Check this`;
    },
    colour: "text-warn",
    Icon: CircleHelp,
  },
  unlikely: {
    get label() {
      return t`Probably not right`;
    },
    colour: "text-bad",
    Icon: CircleX,
  },
} satisfies Record<CertaintyLevel, unknown>;

const ORDER: CertaintyLevel[] = ["sure", "check", "unlikely"];

/** The text of a level of certainty. */
export function certaintyLabel(level: CertaintyLevel): string {
  return LOOKS[level].label;
}

/** Returns whether an answer is less certain than it was. */
export function lessCertain(level: CertaintyLevel, before: CertaintyLevel): boolean {
  return ORDER.indexOf(level) > ORDER.indexOf(before);
}

/** The level as an icon of its own shape. Without `spoken`, the text is beside it. */
export function CertaintyIcon({
  level,
  size = 16,
  spoken,
}: {
  level: CertaintyLevel;
  size?: number;
  spoken?: boolean;
}) {
  const { label, colour, Icon } = LOOKS[level];
  return spoken ? (
    <Icon size={size} role="img" aria-label={label} className={cx("shrink-0", colour)} />
  ) : (
    <Icon size={size} aria-hidden className={cx("shrink-0", colour)} />
  );
}
