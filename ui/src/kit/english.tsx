import type { ReactNode } from "react";

/** Text of the program that is English in every language of the window: it is read and hyphenated as such. */
export function English({ children }: { children: ReactNode }) {
  return <span lang="en">{children}</span>;
}
