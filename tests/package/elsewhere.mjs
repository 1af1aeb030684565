// The Debian package on a system other than the one it was built on, installed and removed by apt.
import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { openWindow } from "../desktop/webdriver.mjs";
import { openRoot, unable } from "./roots.mjs";

/** Registers the tests. `made` returns the folder `place`, the package `deb` and the `session` of a user, once they exist. */
export function elsewhere(made) {
  describe("elsewhere", { skip: unable() }, () => {
    /** What a user's session gives to a program there. */
    const session = () => ({ ...made().session, HOME: "/home/user" });
    /** Opens the window, waits for the question box and the sample warehouse, and closes it. */
    const openAndClose = async (program) => {
      const window = await openWindow(program, { ...session(), TAURI_WEBVIEW_AUTOMATION: "true", WEBKIT_DISABLE_DMABUF_RENDERER: "1" });
      try {
        await window.waitFor('textarea[aria-label="Question"]', 60_000);
        await window.waitFor('//p[contains(., "Answers come from")]', 60_000);
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

    test("the Debian package is installed by apt with what it needs, and removed with every file that it brought", async () => {
      const { place, deb } = made();
      const libraries = readdirSync(join(system, "usr", "lib"), { recursive: true });
      assert.equal(libraries.find((name) => /lib(webkit2gtk|gtk-3|duckdb)/.test(name)), undefined, "the system has none of the libraries");
      const updated = root.administer("apt-get", "update", "-q");
      assert.equal(updated.status, 0, updated.stderr);
      const installed = root.administer("apt-get", "install", "-q", "-y", deb);
      assert.equal(installed.status, 0, installed.stderr);
      const version = root.run(["vitrine", "--version"], session());
      assert.match(version.stdout, /^vitrine \d+\.\d+\.\d+/, version.stderr);
      await openAndClose(root.starter(join(place, "start-debian"), "vitrine-desktop"));
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
