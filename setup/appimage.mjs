// The AppImage: one file that starts wherever there is a desktop. It holds the files of the Debian package and the libraries that
// a plain desktop lacks, behind a program of ours that unpacks and starts them (src-tauri/crates/appimage).
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { releaseEnv, root, targetDir } from "./env.mjs";
import { SetupError, must, output } from "./shell.mjs";

/**
 * Libraries that come with every desktop, and why the desktop's own are used. AppImages agree on them in their community's
 * "excludelist"; these are those of it that Vitrine needs, with `libwayland-server`, which drivers link, and without three that a
 * small system lacks and no driver links (`libgpg-error`, `libcom_err`, `libgmp`).
 */
const OF_THE_DESKTOP = [
  // The C library: the loader has loaded the system's before anything else.
  /^(ld-linux-.*|lib(c|m|dl|pthread|rt|resolv|util|anl|mvec))\.so\.\d+$/,
  // The compiler's libraries: drivers of a graphics card need the newest there is.
  /^lib(stdc\+\+|gcc_s)\.so\.\d+$/,
  // The graphics card's driver, and its way to the display.
  /^lib(GL|EGL|GLX|GLdispatch|OpenGL|gbm|drm|X11|X11-xcb|xcb|xcb-dri[23]|wayland-client|wayland-server|ICE|SM)\.so\.\d+$/,
  // Fonts: the system's configuration is written for these.
  /^lib(fontconfig|freetype|harfbuzz|fribidi)\.so\.\d+$/,
  // The sound card's, and what all of these link.
  /^lib(asound|z|expat|uuid)\.so\.\d+$/,
];

/** What is started or loaded by its name, below the system's folder of libraries. No program tells that it needs it. */
const BY_NAME = [
  /^webkit2gtk-4\.1\/(WebKit\w+Process|injected-bundle\/[\w-]+\.so)$/,
  /^gdk-pixbuf-2\.0\/2\.10\.0\/(loaders\.cache|loaders\/[\w-]+\.so)$/,
  /^gtk-3\.0\/3\.0\.0\/(immodules\.cache|immodules\/[\w-]+\.so)$/,
  /^gio\/modules\/libdconfsettings\.so$/,
  // WebKit draws with it, and not every desktop has it. It only passes on what the driver's libraries do.
  /^libGLESv2\.so\.2$/,
];

/** Settings without which GTK ends a program that opens a dialog, and the kinds of files, without which it reads no picture. */
const SCHEMAS = /^org\.gtk\.Settings\..*\.gschema\.xml$/;
const KINDS = "packages/freedesktop.org.xml";

/** Makes the AppImage `to` of a Debian package, in the folder `work`. `fast` compresses less. */
export async function appimage(deb, { work, to, fast }) {
  const dir = join(work, "AppDir");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  await must("Unpacking the Debian package", "dpkg-deb", ["-x", deb, dir]);
  licences(dir, [...(await libraries(dir)), ...(await data(dir))]);
  entry(dir);
  writeFileSync(join(dir, ".image-id"), `${fingerprint(dir)}\n`);
  const image = join(work, "image.squashfs");
  // Level 19 is the strongest that decompresses as fast as the others.
  const compression = ["-comp", "zstd", "-Xcompression-level", fast ? "3" : "19", "-b", "1M"];
  await must("Compressing the files", "mksquashfs", [dir, image, "-noappend", "-all-root", "-no-xattrs", "-quiet", "-no-progress", ...compression]);
  writeFileSync(to, Buffer.concat([await front(), readFileSync(image)]));
  chmodSync(to, 0o755);
}

/** The program at the front: linked statically, since it starts before anything of the image is there. */
async function front() {
  const host = output("rustc", ["-vV"]).match(/^host: (\S+)/m)[1];
  const env = releaseEnv();
  env.CARGO_ENCODED_RUSTFLAGS += "\x1f-Ctarget-feature=+crt-static";
  // With its target named, the flags are not those of build scripts, too.
  const args = ["build", "--locked", "--quiet", "--release", "-p", "vitrine-appimage", "--target", host];
  await must("Building the program at the front of the AppImage", "cargo", args, { cwd: root, env });
  const program = readFileSync(join(targetDir, host, "release", "vitrine-appimage"));
  // By these bytes desktops know an AppImage of the second type.
  program.write("AI\x02", 8, "latin1");
  return program;
}

/** Puts the libraries that a plain desktop lacks into the folder, so that they find each other there; gives the files they are of. */
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

/** The libraries that files link, however indirectly, without those of the folder itself and those of every desktop. */
function linked(files, dir) {
  const said = output("ldd", files, { env: { ...process.env, LD_LIBRARY_PATH: "" } });
  const missing = said.match(/^\s+\S+ => not found$/m);
  if (missing) throw new SetupError(`A library is missing here: ${missing[0].trim()}`);
  const paths = new Set([...said.matchAll(/=> (\/\S+) \(/g)].map(([, path]) => path));
  return [...paths].filter((path) => !path.startsWith(dir) && !OF_THE_DESKTOP.some((pattern) => pattern.test(basename(path))));
}

/**
 * The bytes of a library, with the system's folder in them replaced by the same one below the current folder, in as many bytes.
 * Libraries have the places of what they load compiled in, and WebKit is not told another by any setting.
 */
function relative(bytes, system) {
  const below = Buffer.from(system.replace(/^\/usr\//, "usr//"));
  for (let at = bytes.indexOf(system); at >= 0; at = bytes.indexOf(system, at + 1)) below.copy(bytes, at);
  return bytes;
}

/**
 * Has a program look for libraries in folders: also for those that its libraries link, which only the older kind of run path
 * does. An environment variable would reach what the program starts, and make the desktop's programs load these libraries.
 */
const lookIn = (program, folders) =>
  must("Setting the run path", "patchelf", ["--force-rpath", "--set-rpath", folders.join(":"), program]);

/** What GTK reads of the system's data, for systems that have none of GTK; gives the files that it was made of. */
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
  // All that is asked for is in this file.
  for (const name of readdirSync(mime).filter((name) => name !== "mime.cache")) rmSync(join(mime, name), { recursive: true });
  return [...settings, kinds];
}

/** The copyright files of the Debian packages that the files are of, and a list of these packages with their sources. */
function licences(dir, files) {
  // A package may name a file by the path that was in use before /lib became a link.
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
  // The texts that copyright files refer to.
  cpSync("/usr/share/common-licenses", join(dir, "usr", "share", "common-licenses"), { recursive: true, dereference: true });
  const list = output("dpkg-query", ["-W", "-f", "${Package} ${Version}: source ${source:Package} ${source:Version}\n", ...packages]);
  const about = "This AppImage contains libraries of the following packages of Debian or Ubuntu, where their sources can be had.\nTheir licences stand in ../PACKAGE/copyright.\n\n";
  writeFileSync(join(docs, "vitrine", "LIBRARIES.txt"), about + list);
}

/** What a desktop reads of an AppImage: how to start it, its menu entry, its icon. */
function entry(dir) {
  copyFileSync(join(root, "setup", "AppRun"), join(dir, "AppRun"));
  chmodSync(join(dir, "AppRun"), 0o755);
  const applications = join("usr", "share", "applications");
  const [name] = readdirSync(join(dir, applications));
  symlinkSync(join(applications, name), join(dir, name));
  const icon = readFileSync(join(dir, name), "utf8").match(/^Icon=(.*)$/m)[1];
  // 256 pixels, as the specification wants it.
  for (const to of [".DirIcon", `${icon}.png`]) copyFileSync(join(root, "icons", "128x128@2x.png"), join(dir, to));
}

/** A hash of all files with their names, modes and contents, links as links. */
function fingerprint(dir) {
  const hash = createHash("sha256");
  for (const path of readdirSync(dir, { recursive: true }).sort()) {
    const about = lstatSync(join(dir, path));
    const content = about.isSymbolicLink() ? readlinkSync(join(dir, path)) : about.isFile() ? readFileSync(join(dir, path)) : "";
    hash.update(`${path}\0${about.mode}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
