// `npm run notices`: writes the notices of all shipped packages to one file: each package with its licence and licence texts.
// Packages that are only used for building or testing are not shipped.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildEnv, root } from "./env.mjs";
import { SetupError, say } from "./shell.mjs";

const SHIPPED = ["vitrine-cli", "vitrine-desktop"];
const TEXTS = /^(licen[cs]e|copying|copyright|notice|unlicense)/i;

/** Returns the licence texts in a package's folder, and in the folders of bundled projects (llama.cpp, libpg_query). */
function textsIn(folder, below = 1) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name) && !/\.(rs|js|html)$/.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
  const folders = below === 0 ? [] : entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
  return [...own, ...folders.flatMap((entry) => textsIn(join(folder, entry.name), below - 1))];
}

function cargo(args) {
  return execFileSync("cargo", [...args, "--locked"], { cwd: root, env: buildEnv(), encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Returns the crates that the shipped programs link. */
export function crates() {
  const { packages } = JSON.parse(cargo(["metadata", "--format-version", "1"]));
  const known = new Map(packages.map((p) => [`${p.name} v${p.version}`, p]));
  const tree = cargo(["tree", ...SHIPPED.flatMap((p) => ["-p", p]), "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
  const names = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  return [...names]
    .map((name) => known.get(name))
    .filter((p) => p?.source)
    .map((p) => ({ name: p.name, version: p.version, licence: p.license, from: p.repository, texts: textsIn(dirname(p.manifest_path)) }));
}

/** Returns the npm packages whose code is in the window's pages, and the package that contains libduckdb. Optional dependencies
 * that are only used for building are excluded. */
export function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.devOptional && existsSync(join(root, path, "package.json")))
    .map(([path]) => ({ folder: join(root, path), about: JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) }))
    .map(({ folder, about }) => ({
      name: about.name,
      version: about.version,
      licence: typeof about.license === "object" ? about.license.type : about.license,
      from: about.repository?.url ?? about.homepage,
      texts: textsIn(folder),
    }));
}

/** Returns the text of the file: first the packages, then each distinct licence text with its packages. */
export function notices(packages) {
  const sorted = [...packages].sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1));
  const nameOf = (p) => `${p.name} ${p.version}`;
  const list = sorted.map((p) => `${nameOf(p)}: ${p.licence}${p.from ? `, ${p.from}` : ""}`);
  const brought = new Map();
  for (const p of sorted) for (const text of p.texts) brought.set(text, [...(brought.get(text) ?? []), nameOf(p)]);
  const texts = [...brought].map(([text, names]) => `${"=".repeat(80)}\n${names.join(", ")}\n${"-".repeat(80)}\n${text}`);
  return `Vitrine contains the following packages of others.\n\n${list.join("\n")}\n\n${texts.join("\n\n")}\n`;
}

export function write(path) {
  const packages = [...crates(), ...npmPackages()];
  const without = packages.filter((p) => !p.licence);
  if (without.length > 0) throw new SetupError(`these packages state no licence: ${without.map((p) => p.name).join(", ")}`);
  writeFileSync(path, notices(packages));
  say(`${path}: ${packages.length} packages`);
}
