// What is handed out, on a system that is not the one it was built on: the Debian package installed by apt, the AppImage where
// there is neither GTK nor WebKit.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { openWindow } from "../desktop/webdriver.mjs";
import { openRoot, unable } from "./roots.mjs";

const run = (command, args, options) => spawnSync(command, args, { encoding: "utf8", timeout: 120_000, ...options });

/** Registers the tests. `made` tells the folder `place`, the files `deb` and `appimage`, and the `session` of a user, once they are there. */
export function elsewhere(made) {
  describe("the AppImage", () => {
    test("is one program with a file system behind it, as desktops know them", () => {
      const { appimage } = made();
      const head = Buffer.alloc(12);
      readSync(openSync(appimage), head, 0, 12, 0);
      assert.equal(head.toString("latin1", 0, 4), "\x7fELF");
      assert.equal(head.toString("latin1", 8, 11), "AI\x02");
      const offset = run(appimage, ["--appimage-offset"]).stdout.trim();
      const listed = run("unsquashfs", ["-o", offset, "-l", "-d", "", appimage], { maxBuffer: 1 << 26 });
      assert.equal(listed.status, 0, listed.stderr);
      const names = listed.stdout.split("\n");
      for (const name of ["/AppRun", "/.DirIcon", "/Vitrine.desktop", "/usr/bin/vitrine", "/usr/lib/vitrine/libduckdb.so"]) {
        assert.ok(names.includes(name), name);
      }
      assert.equal(names.find((name) => /\/lib(c|stdc\+\+|GL|X11)\.so/.test(name)), undefined, "what every desktop has is not in it");
    });

    test("writes its files out on request, with the licences of all that is in it", () => {
      const { appimage, place } = made();
      const extracted = run(appimage, ["--appimage-extract"], { cwd: place });
      assert.equal(extracted.status, 0, extracted.stderr);
      const docs = join(place, "squashfs-root", "usr", "share", "doc");
      for (const name of ["libwebkit2gtk-4.1-0", "libgtk-3-0", "libglib2.0-0"]) assert.ok(existsSync(join(docs, name, "copyright")), name);
      assert.match(readFileSync(join(docs, "vitrine", "LIBRARIES.txt"), "utf8"), /^libwebkit2gtk-4\.1-0 \S+: source webkit2gtk \S+$/m);
      assert.match(readFileSync(join(docs, "vitrine", "copyright"), "utf8"), /Apache License/);
      assert.ok(existsSync(join(place, "squashfs-root", "usr", "share", "common-licenses", "LGPL-2.1")));
      assert.match(run(appimage, ["--appimage-nonsense"]).stderr, /--appimage-help/);
    });
  });

  describe("elsewhere", { skip: unable() }, () => {
    /** What a user's session gives to a program there. */
    const session = () => ({ ...made().session, HOME: "/home/user" });
    /** Opens the window, waits for the question box and the sample warehouse, and closes it after what `meanwhile` does. */
    const windowOf = async (program, meanwhile = () => {}) => {
      const window = await openWindow(program, { ...session(), TAURI_WEBVIEW_AUTOMATION: "true", WEBKIT_DISABLE_DMABUF_RENDERER: "1" });
      try {
        await window.waitFor('textarea[aria-label="Question"]', 60_000);
        await window.waitFor('//p[contains(., "Answers come from")]', 60_000);
        meanwhile();
      } finally {
        await window.close();
      }
    };

    let system;
    let root;

    before(() => {
      const { place } = made();
      system = join(place, "system");
      root = openRoot(system, place);
      mkdirSync(join(system, "home", "user"), { recursive: true });
    });

    test("the AppImage starts where there is neither GTK nor WebKit", async () => {
      const { place, appimage } = made();
      const libraries = readdirSync(join(system, "usr", "lib"), { recursive: true });
      assert.equal(libraries.find((name) => /lib(webkit2gtk|gtk-3|duckdb)/.test(name)), undefined);

      const version = root.run([appimage, "--version"], session());
      assert.equal(version.status, 0, version.stderr);
      assert.match(version.stdout, /^vitrine \d+\.\d+\.\d+/);
      // A path is one of the folder that the user is in.
      writeFileSync(join(place, "towns.csv"), "name,people\nUlm,126000\nBonn,336000\n");
      const answer = root.run(["--chdir", place, appimage, "query", "file:towns.csv", "SELECT max(people) FROM towns"], session());
      assert.equal(answer.status, 0, answer.stderr);
      assert.match(answer.stdout, /336000/);

      const cache = join(system, "home", "user", ".cache", "vitrine", "appimage");
      await windowOf(root.starter(join(place, "start-appimage"), appimage), () => {
        const [folder] = readdirSync(cache);
        // As another version's start would try before it removes this one's files.
        assert.equal(run("flock", ["--nonblock", join(cache, folder), "true"]).status, 1, "its files are kept while it runs");
      });
      assert.equal(readdirSync(cache).length, 1, "it was unpacked once");
    });

    test("the Debian package is installed by apt with what it needs, and removed with every file that it brought", async () => {
      const { place, deb } = made();
      const updated = root.administer("apt-get", "update", "-q");
      assert.equal(updated.status, 0, updated.stderr);
      const installed = root.administer("apt-get", "install", "-q", "-y", deb);
      assert.equal(installed.status, 0, installed.stderr);
      const version = root.run(["vitrine", "--version"], session());
      assert.match(version.stdout, /^vitrine \d+\.\d+\.\d+/, version.stderr);
      await windowOf(root.starter(join(place, "start-debian"), "vitrine-desktop"));
      const there = (path) => lstatSync(join(system, path), { throwIfNoEntry: false });
      const brought = root.administer("dpkg", "-L", "vitrine").stdout.split("\n").filter((path) => there(path)?.isDirectory() === false);
      const icon = "/usr/share/icons/hicolor/scalable/apps/vitrine-desktop.svg";
      for (const path of ["/usr/bin/vitrine", "/usr/bin/vitrine-desktop", "/usr/lib/vitrine/libduckdb.so", icon]) assert.ok(brought.includes(path), path);
      assert.ok(brought.some((path) => /^\/usr\/share\/applications\/.+\.desktop$/.test(path)), "it has an entry in the menu");
      const removed = root.administer("dpkg", "--purge", "vitrine");
      assert.equal(removed.status, 0, removed.stderr);
      assert.deepEqual(brought.filter(there), []);
      // Also nothing that only a script of the package knew of.
      const named = ["etc", "opt", "usr"].flatMap((folder) => readdirSync(join(system, folder), { recursive: true }).filter((path) => /vitrine/i.test(path)));
      assert.deepEqual(named, []);
    });
  });
}
