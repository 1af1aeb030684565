// The address of a SQL warehouse of Databricks, taken apart for a form and put together again.

import { t } from "@lingui/core/macro";
import { decodePart } from "./address";

export interface WorkspaceParts {
  host: string;
  /** The id of the warehouse, or the HTTP path that Databricks shows for it. */
  warehouse: string;
  catalog: string;
  schema: string;
  /** The client id of a service principal; empty where one signs in with a token. */
  client: string;
}

export const NO_WORKSPACE: WorkspaceParts = { host: "", warehouse: "", catalog: "", schema: "", client: "" };

/** Returns whether an address names a SQL warehouse of Databricks. */
export function isWorkspace(address: string): boolean {
  return /^\s*databricks:\/\//i.test(address);
}

/** The id at the end of an HTTP path such as `/sql/1.0/warehouses/abc123`. */
function idOf(path: string): string {
  return path.trim().replace(/^\/?sql\/1\.0\/(?:warehouses|endpoints)\//, "");
}

/** The parts of an address without its token; of what is none, nothing. */
export function workspaceOf(address: string): WorkspaceParts {
  const found = /^\s*databricks:\/\/(?:([^@/?#]*)@)?([^/?#]*)\/?([^?#]*)\s*$/i.exec(address);
  if (!found) return NO_WORKSPACE;
  const [, login = "", host = "", path = ""] = found;
  const [warehouse = "", catalog = "", schema = ""] = idOf(path).split("/").map(decodePart);
  const user = decodePart(login.split(":")[0] ?? "");
  return { host: decodePart(host), warehouse, catalog, schema, client: user === "token" ? "" : user };
}

/** The address of a form. */
export function workspaceAddress(parts: WorkspaceParts): string {
  const encoded = (text: string) => encodeURIComponent(text.trim());
  const host = parts.host
    .trim()
    .replace(/^https:\/\//i, "")
    .replace(/\/.*$/, "");
  const user = parts.client.trim() === "" ? "" : `${encoded(parts.client)}@`;
  const schema = parts.schema.trim() === "" ? "" : `/${encoded(parts.schema)}`;
  return `databricks://${user}${host}/${encoded(idOf(parts.warehouse))}/${encoded(parts.catalog)}${schema}`;
}

/** Returns the message about a missing field, or null. */
export function lackingOfWorkspace(parts: WorkspaceParts): string | null {
  if (parts.host.trim() === "") return t`Enter a host.`;
  if (idOf(parts.warehouse) === "") return t`Enter a SQL warehouse.`;
  return parts.catalog.trim() === "" ? t`Enter a catalog.` : null;
}
