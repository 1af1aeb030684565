// The address of a project of BigQuery, taken apart for a form and put together again.

import { decodePart } from "./address";

export interface ProjectParts {
  project: string;
  dataset: string;
  location: string;
  billingProject: string;
  keyFile: string;
  /** Of the sign-in in the browser: an id, or the file that Google gives out. */
  clientId: string;
  clientFile: string;
  /** The service account that the sign-in acts as. */
  impersonate: string;
  /** Other options, as the address writes them. */
  options: string;
}

export const NO_PROJECT: ProjectParts = {
  project: "",
  dataset: "",
  location: "",
  billingProject: "",
  keyFile: "",
  clientId: "",
  clientFile: "",
  impersonate: "",
  options: "",
};

/** The name of each field in an address, in the order in which Vitrine writes them. */
const OPTIONS = [
  ["billingProject", "billing_project"],
  ["clientFile", "client_file"],
  ["clientId", "client_id"],
  ["impersonate", "impersonate"],
  ["keyFile", "key_file"],
  ["location", "location"],
] as const;

/** Returns whether an address names a project of BigQuery. */
export function isProject(address: string): boolean {
  return /^\s*bigquery:\/\//i.test(address);
}

/** A path stays readable. */
const encodePart = (text: string) =>
  encodeURIComponent(text.trim()).replace(/%2F/g, "/").replace(/%3A/g, ":").replace(/%40/g, "@");

/** The parts of an address; of what is none, nothing. */
export function projectOf(address: string): ProjectParts {
  const found = /^\s*bigquery:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?\s*$/i.exec(address);
  if (!found) return NO_PROJECT;
  const [, project = "", dataset = "", query = ""] = found;
  const parts = { ...NO_PROJECT, project: decodePart(project), dataset: decodePart(dataset) };
  const others: string[] = [];
  for (const pair of query.split("&").filter((pair) => pair !== "")) {
    const [name = "", value = ""] = pair.split("=");
    const known = OPTIONS.find(([, option]) => option === name);
    if (known) parts[known[0]] = decodePart(value);
    else others.push(pair);
  }
  return { ...parts, options: others.join("&") };
}

/** The address of a form. */
export function projectAddress(parts: ProjectParts): string {
  const options = OPTIONS.map(([field, option]) =>
    parts[field].trim() === "" ? "" : `${option}=${encodePart(parts[field])}`,
  );
  const query = [...options, parts.options].filter((option) => option !== "").join("&");
  const dataset = parts.dataset.trim() === "" ? "" : `/${encodePart(parts.dataset)}`;
  return `bigquery://${encodePart(parts.project)}${dataset}${query === "" ? "" : `?${query}`}`;
}
