// `npm run bundle`: creates the installable packages in dist/. `--debug` packs the build of `npm start` to test packaging; such a
// package has kernels only for this machine's CPU.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildEnv, releaseEnv, root, targetDir } from "./env.mjs";
import { systemPackages } from "./packages.mjs";
import { SetupError, must, output, say } from "./shell.mjs";
import * as notices from "./notices.mjs";
import * as steps from "./steps.mjs";

const program = (name) => (process.platform === "win32" ? `${name}.exe` : name);

/** File names of the libraries that the programs link or load, per operating system. */
export const LIBRARIES = {
  linux: /^lib(duckdb\.so|llama\.so\.\d+|ggml(-base)?\.so\.\d+|ggml-cpu(-[\w.]+)?\.so)$/,
  darwin: /^lib(duckdb\.dylib|llama\.\d+\.dylib|ggml(-\w+)?\.\d+\.dylib|ggml-\w+(-[\w.]+)?\.so)$/,
  win32: /^(duckdb|llama|ggml[\w.-]*)\.dll$/,
};

/** The kinds of packages that are created by default. */
const BUNDLES = { linux: ["deb"], darwin: ["dmg"], win32: ["nsis"] }[process.platform];

const ENDINGS = { deb: ".deb", dmg: ".dmg", nsis: ".exe" };

const USAGE = "usage: npm run bundle [-- --debug] [--bundles deb] [--out FOLDER]";

function options(args) {
  try {
    const { values } = parseArgs({ args, options: { debug: { type: "boolean" }, bundles: { type: "string" }, out: { type: "string" } } });
    const wanted = values.bundles?.split(",");
    const dist = resolve(process.env.INIT_CWD ?? root, values.out ?? join(root, "dist"));
    const unknown = wanted?.find((kind) => !BUNDLES.includes(kind));
    if (unknown !== undefined) throw new Error(`'${unknown}' is none of ${BUNDLES.join(", ")}`);
    return { debug: values.debug ?? false, wanted: wanted ?? BUNDLES, dist };
  } catch (error) {
    throw new SetupError(`${error.message}\n${USAGE}`);
  }
}

export async function bundle(args) {
  const { debug, wanted, dist } = options(args);
  steps.rust();
  await systemPackages("bundle");
  await steps.javascript();
  await steps.ui();
  const built = join(targetDir, debug ? "debug" : "release");
  steps.duckdb(built);
  await build(debug, built);
  const stage = staged(built, debug);
  notices.write(join(stage.folder, "THIRD-PARTY-NOTICES.txt"));
  writeFileSync(join(stage.folder, "copyright"), copyright());
  const config = join(stage.folder, "bundle.json");
  writeFileSync(config, JSON.stringify({ bundle: contents(stage) }, null, 2));

  mkdirSync(dist, { recursive: true });
  for (const kind of wanted) {
    const made = await packed(kind, stage, { config, debug });
    // Marks packages with kernels for a single CPU, which must not be distributed.
    const to = join(dist, debug ? basename(made).replace(/(\.\w+)$/, "-debug$1") : basename(made));
    copyFileSync(made, to);
    say(`  ${to}`);
  }
  checksums(dist);
  return 0;
}

/** Builds the two programs that are shipped. */
function build(debug, built) {
  const packages = ["-p", "vitrine-cli", "-p", "vitrine-desktop"];
  if (debug) {
    steps.llama();
    return must("The build", "cargo", ["build", "--locked", "--quiet", "--bins", ...packages], { cwd: root, env: buildEnv() });
  }
  steps.llamaForAll(built);
  say("Building Vitrine as it is handed out: optimised, and with kernels for all processors. This takes much longer than the build of `npm start`");
  const features = ["--features", "vitrine-desktop/custom-protocol"];
  return must("The build", "cargo", ["build", "--locked", "--release", "--bins", ...packages, ...features], { cwd: root, env: releaseEnv() });
}

/** Copies programs and libraries to a separate folder and strips debug information. */
function staged(built, debug) {
  const folder = join(targetDir, "bundle");
  rmSync(folder, { recursive: true, force: true });
  const binaries = join(folder, debug ? "debug" : "release");
  const libraries = join(folder, "lib");
  for (const made of [binaries, libraries]) mkdirSync(made, { recursive: true });
  // Tauri's tool expects the window's program and the additional one at these paths.
  copyFileSync(join(built, program("vitrine-desktop")), join(binaries, program("vitrine-desktop")));
  const triple = output("rustc", ["-vV"]).match(/^host: (\S+)/m)[1];
  copyFileSync(join(built, program("vitrine")), join(folder, program(`vitrine-${triple}`)));
  const found = [built, join(built, "deps")].filter(existsSync).flatMap((from) => readdirSync(from).map((name) => join(from, name)));
  const wanted = new Map(found.filter((path) => LIBRARIES[process.platform].test(basename(path))).reverse().map((path) => [basename(path), path]));
  for (const [name, path] of wanted) copyFileSync(path, join(libraries, name));
  const names = [...wanted.keys()].sort();
  // Kernels are loaded by name, so that missing ones would only be noticed at the first question.
  if (!names.some((name) => name.includes("ggml-cpu"))) throw new SetupError(`${built} has no kernels of llama.cpp (libggml-cpu)`);
  const files = [join(binaries, program("vitrine-desktop")), join(folder, program(`vitrine-${triple}`)), ...names.map((name) => join(libraries, name))];
  if (process.platform === "linux") for (const file of files) output("strip", ["--strip-unneeded", file]);
  return { folder, libraries, names, files, command: join(folder, "vitrine") };
}

/** Returns Tauri's configuration for the contents of packages besides the window's program. */
function contents({ folder, libraries, names, files, command }) {
  const at = (parent) => Object.fromEntries(names.map((name) => [`${parent}${name}`, join(libraries, name)]));
  const texts = ["copyright", "THIRD-PARTY-NOTICES.txt"].map((name) => [name, join(folder, name)]);
  const beside = { externalBin: [command] };
  if (process.platform === "darwin") return { ...beside, macOS: { files: { ...at("Frameworks/"), ...docs(texts, "Resources/") } } };
  if (process.platform === "win32") {
    const flat = Object.fromEntries([...names.map((name) => [join(libraries, name), name]), ...texts.map(([name, path]) => [path, name])]);
    return { ...beside, resources: flat };
  }
  const laid = {
    ...at("/usr/lib/vitrine/"),
    ...docs(texts, "/usr/share/doc/vitrine/"),
    "/usr/share/icons/hicolor/scalable/apps/vitrine-desktop.svg": join(root, "icons", "icon.svg"),
  };
  return { ...beside, linux: { deb: { files: laid, depends: depends(folder, files) } } };
}

const docs = (texts, parent) => Object.fromEntries(texts.map(([name, path]) => [`${parent}${name}`, path]));

/** Returns the Debian packages that the files link to. Fails if a library is in no package and not bundled. */
function depends(folder, files) {
  // dpkg-shlibdeps requires a package tree: libraries within it are not dependencies.
  const work = join(folder, "shlibdeps");
  const tree = join("debian", "vitrine");
  for (const part of ["DEBIAN", "lib"]) mkdirSync(join(work, tree, part), { recursive: true });
  writeFileSync(join(work, "debian", "control"), "Source: vitrine\n\nPackage: vitrine\nArchitecture: any\n");
  const inside = files.map((file) => join(tree, "lib", basename(file)));
  files.forEach((file, index) => linkSync(file, join(work, inside[index])));
  const said = output("dpkg-shlibdeps", ["-O", `-l${join(work, tree, "lib")}`, ...inside.map((file) => `-e${file}`)], {
    cwd: work,
    stdio: ["ignore", "pipe", 2],
  });
  const line = said.match(/^shlibs:Depends=(.*)$/m)?.[1];
  if (!line) throw new SetupError("dpkg-shlibdeps could not tell which packages the programs need; its message above says why");
  return line.split(", ");
}

/** Creates a package with Tauri's packer, which prints its own progress. Returns the path. */
async function packed(kind, { folder }, { config, debug }) {
  say(`Packing: ${kind}`);
  const tool = join(root, "node_modules", "@tauri-apps", "cli", "tauri.js");
  const args = [tool, "bundle", "--ci", "--bundles", kind, "--config", config, ...(debug ? ["--debug"] : [])];
  await must(`Packing ${kind}`, process.execPath, args, { cwd: root, env: { ...process.env, CARGO_TARGET_DIR: folder } });
  const from = join(folder, debug ? "debug" : "release", "bundle", kind);
  const made = existsSync(from) && readdirSync(from).find((name) => name.endsWith(ENDINGS[kind]));
  if (!made) throw new SetupError(`The packer made no ${kind}; its messages above say why`);
  return join(from, made);
}

/** The licence of the program in Debian's form. */
function copyright() {
  const licence = (name) => readFileSync(join(root, `LICENSE-${name}`), "utf8").trim();
  return [
    "Vitrine is licensed under the MIT licence or the Apache License 2.0, as you choose. Both stand below.",
    "What it contains of others, and under which licences, stands in THIRD-PARTY-NOTICES.txt beside this file.",
    "Models are not part of this package. They are fetched when you say so, and have licences of their own: `vitrine models list`.",
    ...["MIT", "APACHE"].map((name) => `${"-".repeat(80)}\n${licence(name)}`),
  ].join("\n\n") + "\n";
}

/** Writes the SHA-256 of all packages in the folder, in the format of `sha256sum --check`. */
function checksums(dist) {
  const names = readdirSync(dist).filter((name) => Object.values(ENDINGS).some((ending) => name.endsWith(ending))).sort();
  const line = (name) => `${createHash("sha256").update(readFileSync(join(dist, name))).digest("hex")}  ${name}\n`;
  writeFileSync(join(dist, "SHA256SUMS"), names.map(line).join(""));
}
