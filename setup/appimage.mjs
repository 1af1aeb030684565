// The AppImage: a single file that starts on any Linux desktop. It contains the files of the Debian package and the libraries that
// a minimal desktop lacks, after a program that unpacks and starts them (src-tauri/crates/appimage).
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { releaseEnv, root, targetDir } from "./env.mjs";
import { SetupError, must, output } from "./shell.mjs";

/**
 * Libraries that every desktop provides, each with the reason for using the desktop's own. The AppImage community maintains an
 * "excludelist" of them. This list contains its entries that Vitrine needs, and `libwayland-server`, which drivers link. It omits
 * three entries that a minimal system lacks and no driver links (`libgpg-error`, `libcom_err`, `libgmp`).
 */
const OF_THE_DESKTOP = [
  // The C library: the loader has already loaded the system's.
  /^(ld-linux-.*|lib(c|m|dl|pthread|rt|resolv|util|anl|mvec))\.so\.\d+$/,
  // The compiler's libraries: graphics drivers need the newest version.
  /^lib(stdc\+\+|gcc_s)\.so\.\d+$/,
  // The graphics driver and the libraries for its connection to the display.
  /^lib(GL|EGL|GLX|GLdispatch|OpenGL|gbm|drm|X11|X11-xcb|xcb|xcb-dri[23]|wayland-client|wayland-server|ICE|SM)\.so\.\d+$/,
  // Fonts: the system's configuration is for its own versions.
  /^lib(fontconfig|freetype|harfbuzz|fribidi)\.so\.\d+$/,
  // Sound, and libraries that all of these link.
  /^lib(asound|z|expat|uuid)\.so\.\d+$/,
];

/** Files below the system's library folder that are started or loaded by name, so that no program links them. */
const BY_NAME = [
  /^webkit2gtk-4\.1\/(WebKit\w+Process|injected-bundle\/[\w-]+\.so)$/,
  /^gdk-pixbuf-2\.0\/2\.10\.0\/(loaders\.cache|loaders\/[\w-]+\.so)$/,
  /^gtk-3\.0\/3\.0\.0\/(immodules\.cache|immodules\/[\w-]+\.so)$/,
  /^gio\/modules\/libdconfsettings\.so$/,
  // WebKit uses it for drawing, and some desktops lack it. It only forwards calls to the driver's libraries.
  /^libGLESv2\.so\.2$/,
];

/** Settings without which GTK aborts a program that opens a dialog, and MIME types, without which it loads no image. */
const SCHEMAS = /^org\.gtk\.Settings\..*\.gschema\.xml$/;
const KINDS = "packages/freedesktop.org.xml";

/** Creates the AppImage `to` from a Debian package, in the folder `work`. `fast` compresses less. */
export async function appimage(deb, { work, to, fast }) {
  const dir = join(work, "AppDir");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  await must("Unpacking the Debian package", "dpkg-deb", ["-x", deb, dir]);
  licences(dir, [...(await libraries(dir)), ...(await data(dir))]);
  entry(dir);
  writeFileSync(join(dir, ".image-id"), `${fingerprint(dir)}\n`);
  const image = join(work, "image.squashfs");
  // Level 19 is the highest that decompresses as fast as the others.
  const compression = ["-comp", "zstd", "-Xcompression-level", fast ? "3" : "19", "-b", "1M"];
  await must("Compressing the files", "mksquashfs", [dir, image, "-noappend", "-all-root", "-no-xattrs", "-quiet", "-no-progress", ...compression]);
  writeFileSync(to, Buffer.concat([await front(), readFileSync(image)]));
  chmodSync(to, 0o755);
}

/** Builds the program at the front: linked statically, because it starts before the image is unpacked. */
async function front() {
  const host = output("rustc", ["-vV"]).match(/^host: (\S+)/m)[1];
  const env = releaseEnv();
  env.CARGO_ENCODED_RUSTFLAGS += "\x1f-Ctarget-feature=+crt-static";
  // With an explicit target, the flags do not apply to build scripts.
  const args = ["build", "--locked", "--quiet", "--release", "-p", "vitrine-appimage", "--target", host];
  await must("Building the program at the front of the AppImage", "cargo", args, { cwd: root, env });
  const program = readFileSync(join(targetDir, host, "release", "vitrine-appimage"));
  // Desktops recognize an AppImage of type 2 by these bytes.
  program.write("AI\x02", 8, "latin1");
  return program;
}

/** Copies the libraries that a minimal desktop lacks into the folder, with relative paths. Returns the original files. */
async function libraries(dir) {
  const triplet = output("dpkg-architecture", ["-qDEB_HOST_MULTIARCH"]).trim();
  const system = join("/usr/lib", triplet);
  const bin = join(dir, "usr", "bin");
  const programs = readdirSync(bin).map((name) => join(bin, name));
  const named = readdirSync(system, { recursive: true }).filter((path) => BY_NAME.some((pattern) => pattern.test(path)));
  const helpers = named.filter((path) => path.endsWith("Process"));
  if (helpers.length === 0) throw new SetupError(`${system} has no programs of WebKitGTK`);
  const taken = new Map(named.map((path) => [path, join(system, path)]));
  const linking = [...programs, ...taken.values()].filter((path) => !path.endsWith(".cache"));
  for (const path of linked(linking, dir)) taken.set(basename(path), path);

  const inside = join(dir, "usr", "lib", triplet);
  for (const [name, path] of taken) {
    const to = join(inside, name);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, relative(readFileSync(path), system), { mode: statSync(path).mode & 0o755 });
  }
  for (const name of helpers) await lookIn(join(inside, name), ["$ORIGIN/.."]);
  for (const path of programs) {
    const known = output("patchelf", ["--print-rpath", path]).trim().split(":");
    await lookIn(path, [...known, `$ORIGIN/../lib/${triplet}`]);
  }
  return [...taken.values()].filter((path) => !path.endsWith(".cache")).map((path) => realpathSync(path));
}

/** Returns the libraries that files link directly or indirectly, except libraries in the folder and of every desktop. */
function linked(files, dir) {
  const said = output("ldd", files, { env: { ...process.env, LD_LIBRARY_PATH: "" } });
  const missing = said.match(/^\s+\S+ => not found$/m);
  if (missing) throw new SetupError(`A library is missing here: ${missing[0].trim()}`);
  const paths = new Set([...said.matchAll(/=> (\/\S+) \(/g)].map(([, path]) => path));
  return [...paths].filter((path) => !path.startsWith(dir) && !OF_THE_DESKTOP.some((pattern) => pattern.test(basename(path))));
}

/**
 * Replaces the system's folder in the bytes of a library by the same path relative to the current folder, with equal length.
 * Libraries contain absolute paths of the files they load, and WebKit has no setting for them.
 */
function relative(bytes, system) {
  const below = Buffer.from(system.replace(/^\/usr\//, "usr//"));
  for (let at = bytes.indexOf(system); at >= 0; at = bytes.indexOf(system, at + 1)) below.copy(bytes, at);
  return bytes;
}

/**
 * Sets the folders in which a program looks for libraries. Only DT_RPATH, the older kind of run path, also applies to libraries
 * that its libraries link. An environment variable would be inherited, so that desktop programs would load these libraries.
 */
const lookIn = (program, folders) =>
  must("Setting the run path", "patchelf", ["--force-rpath", "--set-rpath", folders.join(":"), program]);

/** Copies the system data that GTK reads, for systems without GTK. Returns the original files. */
async function data(dir) {
  const schemas = join("/usr", "share", "glib-2.0", "schemas");
  const settings = readdirSync(schemas).filter((name) => SCHEMAS.test(name)).map((name) => join(schemas, name));
  const kinds = join("/usr", "share", "mime", KINDS);
  for (const path of [...settings, kinds]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    copyFileSync(path, join(dir, path));
  }
  await must("Compiling settings", "glib-compile-schemas", ["--strict", join(dir, schemas)]);
  const mime = join(dir, "usr", "share", "mime");
  await must("Compiling kinds of files", "update-mime-database", [mime], {
    env: { ...process.env, PKGSYSTEM_ENABLE_FSYNC: "0", XDG_DATA_DIRS: join(dir, "usr", "share") },
  });
  // GTK reads only this file.
  for (const name of readdirSync(mime).filter((name) => name !== "mime.cache")) rmSync(join(mime, name), { recursive: true });
  return [...settings, kinds];
}

/** Copies the copyright files of the Debian packages that contain the files, and lists these packages with their sources. */
function licences(dir, files) {
  // A package may list a file by its path before /lib became a link.
  const said = output("dpkg-query", ["-S", ...files, ...files.map((path) => path.replace(/^\/usr\//, "/"))], { stdio: ["ignore", "pipe", "ignore"] });
  const owners = new Map([...said.matchAll(/^(\S+): (?:\/usr)?(\/.*)$/gm)].map(([, owner, path]) => [path, owner]));
  const without = files.filter((path) => !owners.has(path.replace(/^\/usr\//, "/")));
  if (without.length > 0) throw new SetupError(`These files are of no Debian package, so that their licence is not known: ${without.join(", ")}`);
  const packages = [...new Set(owners.values())].sort();
  const docs = join(dir, "usr", "share", "doc");
  for (const name of packages.map((name) => name.split(":")[0])) {
    mkdirSync(join(docs, name), { recursive: true });
    copyFileSync(join("/usr/share/doc", name, "copyright"), join(docs, name, "copyright"));
  }
  // Licence texts that the copyright files refer to.
  cpSync("/usr/share/common-licenses", join(dir, "usr", "share", "common-licenses"), { recursive: true, dereference: true });
  const list = output("dpkg-query", ["-W", "-f", "${Package} ${Version}: source ${source:Package} ${source:Version}\n", ...packages]);
  const about = "This AppImage contains libraries of the following packages of Debian or Ubuntu, where their sources can be had.\nTheir licences stand in ../PACKAGE/copyright.\n\n";
  writeFileSync(join(docs, "vitrine", "LIBRARIES.txt"), about + list);
}

/** Creates the files that a desktop reads: start script, menu entry and icon. */
function entry(dir) {
  copyFileSync(join(root, "setup", "AppRun"), join(dir, "AppRun"));
  chmodSync(join(dir, "AppRun"), 0o755);
  const applications = join("usr", "share", "applications");
  const [name] = readdirSync(join(dir, applications));
  symlinkSync(join(applications, name), join(dir, name));
  const icon = readFileSync(join(dir, name), "utf8").match(/^Icon=(.*)$/m)[1];
  // 256 pixels, as the specification requires.
  for (const to of [".DirIcon", `${icon}.png`]) copyFileSync(join(root, "icons", "128x128@2x.png"), join(dir, to));
}

/** Returns a hash of all files with their names, modes and contents. Links are not followed. */
function fingerprint(dir) {
  const hash = createHash("sha256");
  for (const path of readdirSync(dir, { recursive: true }).sort()) {
    const about = lstatSync(join(dir, path));
    const content = about.isSymbolicLink() ? readlinkSync(join(dir, path)) : about.isFile() ? readFileSync(join(dir, path)) : "";
    hash.update(`${path}\0${about.mode}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
