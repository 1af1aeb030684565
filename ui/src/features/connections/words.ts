import { plural, t } from "@lingui/core/macro";
import { engineAt } from "../../domain/engines";
import type { Preparation } from "../../host/bindings";

/** The displayed part of an address: its path, or all of it for a server. */
export function pathOf(uri: string): string {
  return engineAt(uri)?.place === "path" ? uri.slice(uri.indexOf(":") + 1) : uri;
}

/** Returns whether an address names a server, or what is behind a driver, which may want a password. */
export function isServer(address: string): boolean {
  const place = engineAt(address)?.place;
  return place === "server" || place === "driver";
}

/** Describes the progress of the background preparation. */
export function preparationState(p: Preparation): "unread" | "running" | "paused" | "failed" | "done" {
  if (p.error) return "failed";
  if (p.done) return "done";
  if (p.paused) return "paused";
  if (p.begun) return "running";
  // Data read earlier is available; the next question only checks it.
  return p.tables > 0 && p.profiled >= p.tables ? "done" : "unread";
}

/** The status line of the background preparation, or null if it is done or was not begun. */
export function preparationLine(
  p: Preparation | undefined,
): { text: string; part: number | null; failed: boolean } | null {
  if (!p) return null;
  if (p.error) return { text: p.error.message, part: null, failed: true };
  if (p.done || !(p.begun || p.paused)) return null;
  if (p.profiled < p.tables) {
    return {
      text: t`Profiling ${plural(p.tables, { one: "# table", other: "# tables" })}`,
      part: p.tables ? p.profiled / p.tables : null,
      failed: false,
    };
  }
  return {
    text: t`Indexing values`,
    part: p.valuesTotal > 0 ? p.valuesIndexed / p.valuesTotal : null,
    failed: false,
  };
}
