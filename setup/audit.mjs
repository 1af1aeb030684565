// Known vulnerabilities in shipped packages: npm's from its registry, Rust's from a pinned copy of RustSec's advisories. A registry
// without advisories is reported, but is not an error.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judged as judgedCrates, pinned } from "./advisories.mjs";
import { root } from "./env.mjs";
import { say } from "./shell.mjs";

/** Advisories that do not affect this program, each with the reason. */
const EXCEPTIONS = {};

/** Returns the advisories in npm's report that require action, one per line, or the reason for a missing report. */
export function judged(report, exceptions = EXCEPTIONS) {
  if (!report?.vulnerabilities) return { unknown: report?.message ?? "npm gave no report" };
  const advisories = Object.values(report.vulnerabilities).flatMap((found) => found.via.filter((via) => typeof via === "object"));
  const left = advisories.filter(({ url }) => !Object.hasOwn(exceptions, url));
  return { faults: [...new Set(left.map(({ severity, name, title, url }) => `${severity}: ${name}: ${title} (${url})`))] };
}

if (import.meta.filename === process.argv[1]) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8" });
  const { unknown, faults = [] } = judged(JSON.parse(stdout || "null"));
  if (unknown) say(`Not audited: ${unknown}`);
  const copy = pinned();
  const crates = judgedCrates(readFileSync(join(root, "Cargo.lock"), "utf8"), copy);
  say(`Rust crates: RustSec's advisories of ${copy.date}`);
  for (const note of crates.notes) say(note);
  for (const fault of [...faults, ...crates.faults]) say(fault);
  process.exitCode = faults.length + crates.faults.length > 0 ? 1 : 0;
}
