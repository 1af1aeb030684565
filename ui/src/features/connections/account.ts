// The address of an account of Snowflake, taken apart for a form and put together again.

import { t } from "@lingui/core/macro";
import { decodePart } from "./address";

/** Sign-in methods; the first is the default of an address. */
export const SIGN_INS = ["password", "token", "key", "browser", "oauth"] as const;
export type SignIn = (typeof SIGN_INS)[number];

/** The same in Snowflake's words. */
const WORDS: Record<SignIn, string> = {
  password: "snowflake",
  token: "programmatic_access_token",
  key: "snowflake_jwt",
  browser: "externalbrowser",
  oauth: "oauth",
};

export interface AccountParts {
  account: string;
  user: string;
  database: string;
  schema: string;
  warehouse: string;
  role: string;
  signIn: SignIn;
  keyFile: string;
  /** Other options, as the address writes them. */
  options: string;
}

export const NO_ACCOUNT: AccountParts = {
  account: "",
  user: "",
  database: "",
  schema: "",
  warehouse: "",
  role: "",
  signIn: "password",
  keyFile: "",
  options: "",
};

/** Returns whether an address names an account of Snowflake. */
export function isAccount(address: string): boolean {
  return /^\s*snowflake:\/\//i.test(address);
}

/** A path stays readable. */
const encodePart = (text: string) => encodeURIComponent(text.trim()).replace(/%2F/g, "/");

/** The parts of an address without its password; of what is none, nothing. */
export function accountOf(address: string): AccountParts {
  const found = /^\s*snowflake:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^/?#]*))?(?:\/([^?#]*))?(?:\?([^#]*))?\s*$/i.exec(
    address,
  );
  if (!found) return NO_ACCOUNT;
  const [, login = "", account = "", database = "", schema = "", query = ""] = found;
  const parts = {
    ...NO_ACCOUNT,
    user: decodePart(login.split(":")[0] ?? ""),
    account: decodePart(account),
    database: decodePart(database),
    schema: decodePart(schema),
  };
  const others: string[] = [];
  for (const pair of query.split("&").filter((pair) => pair !== "")) {
    const [name = "", value = ""] = pair.split("=");
    const signIn = SIGN_INS.find((known) => WORDS[known] === value.toLowerCase());
    if (name === "user") parts.user = decodePart(value);
    else if (name === "warehouse") parts.warehouse = decodePart(value);
    else if (name === "role") parts.role = decodePart(value);
    else if (name === "authenticator" && signIn) parts.signIn = signIn;
    else if (name === "private_key_file") {
      parts.keyFile = decodePart(value);
      parts.signIn = "key";
    } else others.push(pair);
  }
  return { ...parts, options: others.join("&") };
}

/** The address of a form. */
export function accountAddress(parts: AccountParts): string {
  const option = (name: string, value: string) => (value.trim() === "" ? "" : `${name}=${encodePart(value)}`);
  const query = [
    option("warehouse", parts.warehouse),
    option("role", parts.role),
    parts.signIn === "password" || parts.signIn === "key" ? "" : `authenticator=${WORDS[parts.signIn]}`,
    parts.signIn === "key" ? option("private_key_file", parts.keyFile) : "",
    parts.options,
  ].filter((option) => option !== "");
  const schema = parts.schema.trim() === "" ? "" : `/${encodePart(parts.schema)}`;
  const place = `${encodePart(parts.user)}@${encodePart(parts.account)}/${encodePart(parts.database)}${schema}`;
  return `snowflake://${place}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Returns the message about a missing field, or null. */
export function missingField(parts: AccountParts): string | null {
  if (parts.account.trim() === "") return t`Enter an account.`;
  if (parts.user.trim() === "") return t`Enter a user.`;
  if (parts.database.trim() === "") return t`Enter a database.`;
  return parts.signIn === "key" && parts.keyFile.trim() === "" ? t`Enter the key file.` : null;
}
