// Systems to install into: small roots made of Debian's packages, which hold what every desktop has and nothing of GTK or WebKit.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../../setup/env.mjs";

/** What stands below every desktop: the graphics card's driver, the way to the display, fonts. */
const DESKTOP = [
  ...["libgl1", "libegl1", "libgbm1", "libgl1-mesa-dri", "libwayland-client0", "libwayland-server0"],
  ...["libx11-6", "libx11-xcb1", "libxcb1", "libice6", "libsm6", "libfontconfig1", "libfreetype6", "libharfbuzz0b", "libfribidi0"],
  ...["fonts-dejavu-core", "libasound2", "libstdc++6", "ca-certificates"],
];

/** What saves time and room, and changes nothing that programs see. */
const APT = ['Acquire::Languages "none"', 'APT::Install-Recommends "false"'];
const DPKG = ["force-unsafe-io", "path-exclude=/usr/share/man/*", "path-exclude=/usr/share/locale/*", "path-exclude=/usr/share/doc/*/changelog*"];

const run = (command, args, options) => spawnSync(command, args, { encoding: "utf8", ...options });

/** Why no root can be made here; nothing where one can. */
export function unable() {
  if (process.platform !== "linux" || process.getuid() !== 0) return "only root can set up a system to install into";
  const missing = ["mmdebstrap", "bwrap"].find((name) => run("which", [name]).status !== 0);
  if (missing) return `${missing} is missing`;
  const tried = run("bwrap", ["--dev-bind", "/", "/", "true"]);
  return tried.status === 0 ? undefined : `a program cannot be given another root here: ${tried.stderr.trim()}`;
}

/** The system of this computer, packed: what is built here is for it. It is made once, and kept in the user's cache folder. */
function packed() {
  const codename = readFileSync("/etc/os-release", "utf8").match(/^VERSION_CODENAME=(\w+)$/m)[1];
  const recipe = createHash("sha256").update(JSON.stringify([DESKTOP, APT, DPKG])).digest("hex").slice(0, 12);
  const folder = join(cache, "test-roots");
  const name = `${codename}-${recipe}.tar`;
  if (existsSync(join(folder, name))) return join(folder, name);
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder).filter((old) => old.endsWith(".tar"))) rmSync(join(folder, old));
  const options = [...APT.map((option) => `--aptopt=${option}`), ...DPKG.map((option) => `--dpkgopt=${option}`)];
  const partial = join(folder, `.${process.pid}.tar`);
  const made = run("mmdebstrap", ["--variant=minbase", ...options, `--include=${DESKTOP.join(",")}`, codename, partial], { timeout: 600_000 });
  if (made.status !== 0) throw new Error(`no system could be set up:\n${made.stderr}`);
  renameSync(partial, join(folder, name));
  return join(folder, name);
}

/** Sets a system up in a folder. `shared` lies there at its own path, so that both sides can read it. */
export function openRoot(folder, shared) {
  mkdirSync(folder, { recursive: true });
  const unpacked = run("tar", ["-xf", packed(), "-C", folder, "--exclude=./dev/*"], { timeout: 120_000 });
  if (unpacked.status !== 0) throw new Error(unpacked.stderr);
  // Downloads are kept for the next time.
  const downloads = join(cache, "test-roots", "downloads");
  mkdirSync(join(downloads, "partial"), { recursive: true });
  const inside = [
    ...["--bind", folder, "/", "--proc", "/proc", "--dev", "/dev", "--bind", shared, shared, "--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf"],
    // The display and the session's bus; the machine's own programs and libraries are out of reach.
    ...["--ro-bind", "/tmp/.X11-unix", "/tmp/.X11-unix", ...sessionFiles().flatMap((path) => ["--ro-bind", path, path])],
    ...["--chdir", "/", "--die-with-parent"],
  ];
  return {
    /** Runs a command there, as `spawnSync` does. */
    run: (args, env, options) => run("bwrap", [...inside, ...args], { env, timeout: 120_000, ...options }),
    /** Runs a command there with all rights, as an administrator does. */
    administer: (...args) =>
      run("bwrap", [...inside, "--cap-add", "ALL", "--bind", downloads, "/var/cache/apt/archives", ...args], {
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" },
        timeout: 300_000,
      }),
    /** A program out here that starts one in there, for a driver that only takes a path. */
    starter(path, ...args) {
      const quoted = ["bwrap", ...inside, ...args].map((word) => `'${word}'`).join(" ");
      writeFileSync(path, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
      return path;
    },
  };
}

/** Files of the session that programs are told of by environment variables. */
function sessionFiles() {
  const bus = process.env.DBUS_SESSION_BUS_ADDRESS?.match(/unix:path=([^,]+)/)?.[1];
  return [process.env.XAUTHORITY, bus].filter((path) => path && existsSync(path));
}
