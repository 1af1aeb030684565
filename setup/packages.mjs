// System packages that each command needs on Debian and Ubuntu, and their installation.
import { SetupError, has, must, output, say } from "./shell.mjs";

const BUILD = ["build-essential", "cmake", "pkg-config", "clang", "libclang-dev", "python3", "python3-pip"];
const DESKTOP = ["libwebkit2gtk-4.1-dev", "libgtk-3-dev", "librsvg2-dev", "libxdo-dev", "libssl-dev"];
const BUNDLE = ["dpkg-dev"];
const TEST = ["chromium", "webkit2gtk-driver", "xvfb", "xauth", "openbox", "xdotool", "dbus", "dbus-x11", "gnome-keyring", "procps", "python3-venv", "libsecret-1-0", "postgresql", "pgbouncer", "mariadb-server", "openssh-server", "openssh-client", "mmdebstrap", "bubblewrap"];

export const PACKAGES = {
  build: BUILD,
  bench: [...BUILD, "python3-venv"],
  desktop: [...BUILD, ...DESKTOP],
  bundle: [...BUILD, ...DESKTOP, ...BUNDLE],
  test: [...BUILD, ...DESKTOP, ...BUNDLE, ...TEST],
};

function missing(names) {
  const known = output("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Status}\n", ...names]);
  const installed = new Set(
    known.split("\n").filter((line) => line.endsWith(" installed")).map((line) => line.split(" ")[0]),
  );
  return names.filter((name) => !installed.has(name));
}

/** Installs missing packages. Without root or sudo, the error contains the command to run. */
export async function systemPackages(job) {
  if (process.platform !== "linux") return;
  if (!has("dpkg-query")) {
    say(`Not Debian or Ubuntu: make sure that the equivalents of these are installed: ${PACKAGES[job].join(" ")}`);
    return;
  }
  const names = missing(PACKAGES[job]);
  if (names.length === 0) return;
  const line = `apt-get update && apt-get install -y --no-install-recommends ${names.join(" ")}`;
  const isRoot = process.getuid() === 0;
  if (!isRoot && !(has("sudo") && (process.stdin.isTTY || output("sudo", ["-n", "echo", "ok"]).trim() === "ok"))) {
    throw new SetupError(`System packages are missing and this user may not install them. Run as root:\n  ${line}`);
  }
  say(`Installing system packages: ${names.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const shell = isRoot ? ["sh", ["-c", line]] : ["sudo", ["-E", "sh", "-c", line]];
  await must("Installing system packages", shell[0], shell[1], { env, stdin: "inherit" });
}
