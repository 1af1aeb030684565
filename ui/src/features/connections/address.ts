// The address of a database on a server, taken apart for a form and put together again.

/** PostgreSQL's `sslmode` values; the first is the default of an address. */
export const PROTECTIONS = ["prefer", "require", "verify-full", "disable"] as const;
export type Protection = (typeof PROTECTIONS)[number];

/** The same in MySQL's words. */
const MYSQL_MODES: Record<Protection, string> = {
  prefer: "PREFERRED",
  require: "REQUIRED",
  "verify-full": "VERIFY_IDENTITY",
  disable: "DISABLED",
};

export type ServerScheme = "postgresql" | "mysql" | "clickhouse";

/** The values allowed in an address: HTTP has no negotiation of encryption. */
export function protectionsOf(scheme: ServerScheme): readonly Protection[] {
  return scheme === "clickhouse" ? PROTECTIONS.filter((known) => known !== "prefer") : PROTECTIONS;
}

/** The default of an address. */
export function usualProtection(scheme: ServerScheme, host: string, port: string): Protection {
  if (scheme !== "clickhouse") return "prefer";
  const here = /^(localhost|127\.[\d.]+|\[::1\]|)$/i.test(host.trim());
  return port === "8123" || (here && port !== "8443") ? "disable" : "verify-full";
}

export interface ServerParts {
  scheme: ServerScheme;
  host: string;
  port: string;
  database: string;
  user: string;
  protection: Protection;
  /** The machine that the server is reached through by SSH, as `ssh` names it; empty without one. */
  ssh: string;
  /** The file of the key that signs in there; empty where `ssh` knows it. */
  sshKey: string;
  /** Other options, as the address writes them. */
  options: string;
}

export const NO_PARTS: ServerParts = {
  scheme: "postgresql",
  host: "",
  port: "",
  database: "",
  user: "",
  protection: "prefer",
  ssh: "",
  sshKey: "",
  options: "",
};

/** Text without percent signs. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isSsh = (pair: string) => pair.startsWith("ssh=");
const isSshKey = (pair: string) => pair.startsWith("ssh_key=");

/** The meaning of the URL scheme. */
export function schemeOf(word: string): ServerScheme {
  if (/^c/i.test(word)) return "clickhouse";
  return /^p/i.test(word) ? "postgresql" : "mysql";
}

function writeAddress(scheme: ServerScheme, protection: Protection): string {
  return scheme === "mysql" ? MYSQL_MODES[protection] : protection;
}

/** The parts of an address without its password; null where the form cannot hold them, such as several hosts. */
export function partsOf(address: string): ServerParts | null {
  const found =
    /^\s*(postgres(?:ql)?|mysql|mariadb|clickhouse):\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?\s*$/i.exec(
      address,
    );
  if (!found) return null;
  const [, word = "", login = "", place = "", database = "", query = ""] = found;
  const at = /^(\[[^\]]*\]|[^:,[\]]*)(?::(\d+))?$/.exec(place);
  if (!at || login.includes(":")) return null;
  const pairs = query.split("&").filter((pair) => pair !== "");
  const scheme = schemeOf(word);
  const isMode = (pair: string) => (scheme === "mysql" ? /^ssl-mode=/i : /^sslmode=/i).test(pair);
  const mode =
    pairs.findLast(isMode)?.split("=")[1] ??
    writeAddress(scheme, usualProtection(scheme, decodePart(at[1] ?? ""), at[2] ?? ""));
  const protection = protectionsOf(scheme).find((known) => writeAddress(scheme, known) === mode);
  // Who signs in and where may stand among the options, too: then the form would say something else.
  if (!protection || pairs.some((pair) => /^(user|host|hostaddr|port|dbname|socket|password|secure)=/i.test(pair)))
    return null;
  return {
    scheme,
    host: decodePart(at[1] ?? ""),
    port: at[2] ?? "",
    database: decodePart(database),
    user: decodePart(login),
    protection,
    ssh: decodePart(pairs.findLast(isSsh)?.slice("ssh=".length) ?? ""),
    sshKey: decodePart(pairs.findLast(isSshKey)?.slice("ssh_key=".length) ?? ""),
    options: pairs.filter((pair) => !isMode(pair) && !isSsh(pair) && !isSshKey(pair)).join("&"),
  };
}

/** The address of a form. */
export function addressOf(parts: ServerParts): string {
  const host = /^\[.*\]$/.test(parts.host.trim()) ? parts.host.trim() : encodeURIComponent(parts.host.trim());
  const port = parts.port.trim() === "" ? "" : `:${parts.port.trim()}`;
  const user = parts.user.trim() === "" ? "" : `${encodeURIComponent(parts.user.trim())}@`;
  const options = [
    parts.protection === usualProtection(parts.scheme, parts.host, parts.port)
      ? ""
      : `${parts.scheme === "mysql" ? "ssl-mode" : "sslmode"}=${writeAddress(parts.scheme, parts.protection)}`,
    parts.ssh.trim() === ""
      ? ""
      : `ssh=${encodeURIComponent(parts.ssh.trim()).replace(/%(40|3A|5B|5D)/g, decodePart)}`,
    // It is known only to one who goes through such a machine.
    parts.ssh.trim() === "" || parts.sshKey.trim() === ""
      ? ""
      : `ssh_key=${encodeURIComponent(parts.sshKey.trim()).replace(/%2F/g, decodePart)}`,
    parts.options.trim(),
  ];
  const query = options.filter((option) => option !== "").join("&");
  const database = encodeURIComponent(parts.database.trim());
  return `${parts.scheme}://${user}${host}${port}/${database}${query === "" ? "" : `?${query}`}`;
}
