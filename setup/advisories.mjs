// Known vulnerabilities in Rust crates: a pinned copy of RustSec's advisories (`advisories.json`), and their version ranges.
// To update the copy: `node setup/advisories.mjs FOLDER`, with a checkout of https://github.com/rustsec/advisory-db.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./env.mjs";
import { say } from "./shell.mjs";

const COPY = join(root, "setup/advisories.json");

/** Advisories that do not affect this program, each with the reason. */
export const EXCEPTIONS = {
  // Affects only `Variant::array_iter_str`, which neither this program nor GTK's crates call. Tauri 2 needs this version.
  "RUSTSEC-2024-0429": "glib 0.18: VariantStrIter",
};

/** Parses a version: its numbers, and true if it has a pre-release suffix. */
function parts(version) {
  const [plain, before] = version.trim().split("+")[0].split("-");
  return { numbers: plain.split(".").map(Number), given: plain.split(".").length, before: before !== undefined };
}

function compare(a, b) {
  for (let i = 0; i < 3; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(b.before) - Number(a.before);
}

/** Returns the first version that is incompatible with a requirement: 2.0.0 for `^1.2`, 1.3.0 for `~1.2`. */
function end({ numbers, given }, caret) {
  const place = caret ? Math.max(0, numbers.findIndex((n, i) => n > 0 || i === given - 1)) : given === 1 ? 0 : 1;
  return { numbers: numbers.slice(0, place + 1).map((n, i) => (i === place ? n + 1 : n)), before: false };
}

/** Returns true if a version meets a requirement in Cargo's syntax: `>= 1.2, < 1.4`. */
export function fits(version, requirement) {
  const own = parts(version);
  return requirement.split(",").every((one) => {
    const [, operator, text] = one.trim().match(/^(>=|<=|>|<|=|\^|~)?\s*(.+)$/);
    const wanted = parts(text);
    const way = compare(own, wanted);
    switch (operator) {
      case ">=":
        return way >= 0;
      case "<=":
        return way <= 0;
      case ">":
        return way > 0;
      case "<":
        return way < 0;
      case "=":
        return way === 0;
      default:
        return way >= 0 && compare(own, end(wanted, operator !== "~")) < 0;
    }
  });
}

/** Returns the packages of a Cargo.lock that come from a registry. */
export function packages(lock) {
  const found = lock.matchAll(/^name = "([^"]+)"\nversion = "([^"]+)"\nsource = /gm);
  return [...found].map(([, name, version]) => ({ name, version }));
}

/** Returns the advisories that require action, one per line. Notes such as unmaintained crates are separate. */
export function judged(lock, { advisories }, exceptions = EXCEPTIONS) {
  const faults = [];
  const notes = [];
  for (const { name, version } of packages(lock)) {
    for (const { id, patched, unaffected, kind } of advisories[name] ?? []) {
      if ([...patched, ...unaffected].some((requirement) => fits(version, requirement))) continue;
      if (Object.hasOwn(exceptions, id)) continue;
      const line = `${kind}: ${name} ${version} (https://rustsec.org/advisories/${id})`;
      (kind === "fault" || kind === "unsound" ? faults : notes).push(line);
    }
  }
  return { faults, notes };
}

/** Extracts the facts of one advisory of the database; `null` if it was withdrawn. */
export function facts(text) {
  const toml = text.match(/^```toml\n([\s\S]*?)\n```/)?.[1] ?? "";
  const one = (name) => toml.match(new RegExp(`^${name} = "([^"]*)"`, "m"))?.[1];
  const list = (name) => {
    const inside = toml.match(new RegExp(`^${name} = \\[([^\\]]*)\\]`, "m"))?.[1] ?? "";
    return [...inside.matchAll(/"([^"]*)"/g)].map(([, requirement]) => requirement);
  };
  if (one("withdrawn")) return null;
  const kind = one("informational") ?? "fault";
  return { package: one("package"), id: one("id"), patched: list("patched"), unaffected: list("unaffected"), kind };
}

/** Updates the copy from a checkout of the database. */
function renew(folder) {
  const git = (...args) => spawnSync("git", ["-C", folder, ...args], { encoding: "utf8" }).stdout.trim();
  const advisories = {};
  const crates = join(folder, "crates");
  for (const crate of readdirSync(crates).sort()) {
    for (const file of readdirSync(join(crates, crate)).sort()) {
      const found = facts(readFileSync(join(crates, crate, file), "utf8"));
      if (!found) continue;
      const { package: name, ...rest } = found;
      advisories[name] ??= [];
      advisories[name].push(rest);
    }
  }
  const source = "https://github.com/rustsec/advisory-db (CC0-1.0; some by GitHub, CC-BY-4.0)";
  const copy = { source, commit: git("rev-parse", "HEAD"), date: git("log", "-1", "--format=%cs"), advisories };
  const lines = Object.entries(advisories).map(([name, all]) => `    ${JSON.stringify(name)}: ${JSON.stringify(all)}`);
  const head = JSON.stringify({ ...copy, advisories: undefined }, null, 2).replace(/\n}$/, "");
  writeFileSync(COPY, `${head},\n  "advisories": {\n${lines.join(",\n")}\n  }\n}\n`);
}

/** Reads the pinned copy. */
export function pinned() {
  return JSON.parse(readFileSync(COPY, "utf8"));
}

if (import.meta.filename === process.argv[1]) {
  renew(process.argv[2]);
  say(`${COPY} is new.`);
}
