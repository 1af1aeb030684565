import type { ReactNode } from "react";
import { cx } from "../kit/cx";

/** A label at the left and a value at the right; stacked if there is little room. */
export function Fact({
  name,
  region,
  tone,
  faint,
  children,
}: {
  name: string;
  /** A region of its own for those who hear the page. */
  region?: boolean;
  tone?: "warn";
  faint?: boolean;
  children: ReactNode;
}) {
  const parts = (
    <>
      <h4 className={tone === "warn" ? "text-warn" : "text-fg-2"}>{name}</h4>
      <div className={cx("wrap-anywhere min-w-0 max-w-190", faint && "text-fg-2")}>{children}</div>
    </>
  );
  const grid = "grid gap-x-4 gap-y-0.5 @xl:grid-cols-[9.5rem_minmax(0,1fr)]";
  return region ? (
    <section aria-label={name} className={grid}>
      {parts}
    </section>
  ) : (
    <div className={grid}>{parts}</div>
  );
}
