// The address of a database of MotherDuck, taken apart for a form and put together again.

import { t } from "@lingui/core/macro";
import { decodePart } from "./address";

export interface MotherduckParts {
  /** Such as us-east-1; or the host of the endpoint, where it is another one. */
  region: string;
  database: string;
}

export const NO_MOTHERDUCK: MotherduckParts = { region: "", database: "" };

/** Returns whether an address names a database of MotherDuck. */
export function isMotherduck(address: string): boolean {
  return /^\s*motherduck:\/\//i.test(address);
}

/** Returns whether an address is the one that MotherDuck shows for programs that speak with PostgreSQL. */
export function isEndpoint(address: string): boolean {
  return /^\s*postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^@/?#]*\.motherduck\.com(?::\d+)?(?:[/?#]|$)/i.test(address);
}

/** The region in the host of an endpoint; any other text stays as it is. */
function regionOf(host: string): string {
  const clean = host.trim().replace(/:5432$/, "");
  return /^pg\.([a-z0-9-]+)-aws\.motherduck\.com$/i.exec(clean)?.[1] ?? clean;
}

/** The parts of an address without its token; of what is none, nothing. */
export function motherduckOf(address: string): MotherduckParts {
  if (!isMotherduck(address) && !isEndpoint(address)) return NO_MOTHERDUCK;
  const found = /^\s*[a-z]+:\/\/(?:[^@/?#]*@)?([^/?#]*)\/?([^?#]*)/i.exec(address);
  if (!found) return NO_MOTHERDUCK;
  const [, host = "", path = ""] = found;
  const database = decodePart(path.trim().replace(/\/$/, ""));
  // `md:` selects the default database, but a connection must name its own.
  return { region: regionOf(decodePart(host)), database: database.replace(/^md:/, "") };
}

/** The address of a form. */
export function motherduckAddress(parts: MotherduckParts): string {
  return `motherduck://${regionOf(parts.region)}/${encodeURIComponent(parts.database.trim().replace(/^md:/, ""))}`;
}

/** Returns the message about a missing field, or null. */
export function lackingOfMotherduck(parts: MotherduckParts): string | null {
  if (parts.region.trim() === "") return t`Enter a region.`;
  return parts.database.trim().replace(/^md:/, "") === "" ? t`Enter a database.` : null;
}
