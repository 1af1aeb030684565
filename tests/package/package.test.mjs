// The package as a person installs it: made from what `npm start` built, unpacked into an empty folder, started with nothing of
// the build in its environment.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openWindow } from "../desktop/webdriver.mjs";
import { elsewhere } from "./elsewhere.mjs";

const checkout = join(import.meta.dirname, "..", "..");
const place = mkdtempSync(join(tmpdir(), "vitrine-package-"));
const root = join(place, "root");
const home = join(place, "home");
const libraries = join(root, "usr", "lib", "vitrine");
const installed = (name) => join(root, "usr", "bin", name);
/** What a session gives to a program; nothing of the checkout. */
const { DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS } = process.env;
const session = { PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8", DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS };

const run = (command, args, options) => spawnSync(command, args, { encoding: "utf8", timeout: 120_000, ...options });
const vitrine = (...args) => run(installed("vitrine"), args, { env: session, cwd: place });

let file;

before(() => {
  const made = run(process.execPath, [join(checkout, "setup", "run.mjs"), "bundle", "--debug", "--bundles", "deb", "--out", place], {
    // Packing takes about a minute where the programs are built already.
    timeout: 600_000,
  });
  assert.equal(made.status, 0, made.stderr);
  file = join(place, readdirSync(place).find((name) => name.endsWith(".deb")));
  assert.equal(run("dpkg-deb", ["-x", file, root]).status, 0);
});

after(() => rmSync(place, { recursive: true, force: true }));

test("the package says what it is and what it needs, and carries its licences", () => {
  const field = (name) => run("dpkg-deb", ["-f", file, name]).stdout.trim();
  assert.equal(field("Package"), "vitrine");
  assert.match(field("Version"), /^\d+\.\d+\.\d+$/);
  // From what the programs link, with the versions that they need.
  for (const needed of [/libc6 \(>= /, /libstdc\+\+6 \(>= /, /libwebkit2gtk-4\.1-0 \(>= /]) assert.match(field("Depends"), needed);
  // All of it is in the archive: this computer has the window's libraries, so that the package could be set up here.
  const unmet = run("dpkg", ["--no-act", "--install", file], { env: { ...process.env, LC_ALL: "C" } });
  assert.equal(unmet.status, 0, unmet.stderr);
  const texts = join(root, "usr", "share", "doc", "vitrine");
  assert.match(readFileSync(join(texts, "copyright"), "utf8"), /Apache License[\s\S]*TERMS AND CONDITIONS/);
  assert.match(readFileSync(join(texts, "THIRD-PARTY-NOTICES.txt"), "utf8"), /^llama-cpp-sys-2 .*[\s\S]*^react \d/m);
});

test("files are whole, and nothing but the programs can be executed", () => {
  const control = join(place, "control");
  assert.equal(run("dpkg-deb", ["-e", file, control]).status, 0);
  const sums = run("md5sum", ["--check", "--quiet", join(control, "md5sums")], { cwd: root });
  assert.equal(sums.status, 0, sums.stdout);
  const listed = run("dpkg-deb", ["-c", file]).stdout.trim().split("\n");
  const executable = listed.filter((line) => /^-..x/.test(line)).map((line) => line.split(/\s+/).at(-1));
  assert.deepEqual(executable.sort(), ["usr/bin/vitrine", "usr/bin/vitrine-desktop"]);
  assert.ok(listed.every((line) => / (root|0)\/(root|0) /.test(line)), "all belong to root");
});

test("the desktop finds it: an entry that starts it, and icons from small to large", () => {
  const entry = readFileSync(join(root, "usr", "share", "applications", "Vitrine.desktop"), "utf8");
  assert.match(entry, /^Exec=vitrine-desktop$/m);
  assert.match(entry, /^Name=Vitrine$/m);
  const icons = join(root, "usr", "share", "icons", "hicolor");
  const name = entry.match(/^Icon=(.*)$/m)[1];
  for (const size of ["32x32", "128x128", "512x512"]) assert.ok(existsSync(join(icons, size, "apps", `${name}.png`)), size);
  assert.ok(existsSync(join(icons, "scalable", "apps", `${name}.svg`)));
});

test("programs look for their libraries beside themselves and where the package puts them, and nowhere else", () => {
  for (const program of ["vitrine", "vitrine-desktop"]) {
    const path = run("readelf", ["-d", installed(program)]).stdout.match(/RUNPATH.*\[(.*)\]/)[1];
    assert.ok(path.split(":").includes("$ORIGIN/../lib/vitrine"), path);
    assert.ok(path.split(":").every((part) => part.startsWith("$ORIGIN")), path);
  }
  for (const name of readdirSync(libraries)) {
    assert.doesNotMatch(run("readelf", ["-d", join(libraries, name)]).stdout, /R(UN)?PATH.*\[\//, name);
  }
});

test("the command line answers from the sample warehouse", () => {
  const version = vitrine("--version");
  assert.equal(version.status, 0, version.stderr);
  assert.match(version.stdout, /^vitrine \d+\.\d+\.\d+/);
  const answer = vitrine("query", "sample", "SELECT count(*) AS stores FROM stores", "--json");
  assert.equal(answer.status, 0, answer.stderr);
  const { row_count: rows, columns } = JSON.parse(answer.stdout);
  assert.deepEqual([rows, columns[0].name], [1, "stores"]);
  // What it writes lies below the home folder, where there was nothing before.
  assert.ok(existsSync(join(home, ".local", "share", "vitrine", "vitrine.db")));
});

/** A model file in order, of an architecture that llama.cpp does not know: it is read once the kernels are there. */
function unknownModel() {
  const number = (value, bytes) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const text = (words) => Buffer.concat([number(words.length, 8), Buffer.from(words)]);
  const STRING = number(8, 4);
  const NUMBER = number(4, 4);
  const described = [
    [text("general.architecture"), STRING, text("toy")],
    [text("toy.context_length"), NUMBER, number(512, 4)],
    [text("toy.block_count"), NUMBER, number(2, 4)],
  ];
  const tensor = [text("w"), number(1, 4), number(16, 8), number(0, 4), number(0, 8)];
  const head = Buffer.concat([Buffer.from("GGUF"), number(3, 4), number(1, 8), number(3, 8), ...described.flat(), ...tensor]);
  const path = join(place, "toy.gguf");
  writeFileSync(path, Buffer.concat([head, Buffer.alloc(64 + 32 - (head.length % 32))]));
  return path;
}

const KERNELS_GONE = /processor libraries .* were not found/;

test("the model's kernels are found, and missed where they are not there", () => {
  const added = vitrine("models", "add", unknownModel());
  assert.equal(added.status, 0, added.stderr);
  const id = added.stdout.trim();
  const asked = vitrine("models", "test", id);
  assert.match(asked.stderr, /unknown model architecture/);
  const kernels = readdirSync(libraries).filter((name) => name.startsWith("libggml-cpu"));
  assert.ok(kernels.length > 0);
  for (const name of kernels) renameSync(join(libraries, name), join(place, name));
  assert.match(vitrine("models", "test", id).stderr, KERNELS_GONE);
  for (const name of kernels) renameSync(join(place, name), join(libraries, name));
});

test("the window opens, and offers to fetch what a first question needs", async () => {
  const window = await openWindow(installed("vitrine-desktop"), {
    ...session,
    TAURI_WEBVIEW_AUTOMATION: "true",
    WEBKIT_DISABLE_DMABUF_RENDERER: "1",
  });
  try {
    await window.waitFor('textarea[aria-label="Question"]', 60_000);
    const offer = await window.waitFor('[aria-label="Models to download"]');
    assert.match(await window.text(offer), /not on this computer yet[\s\S]*Download/);
    // The sample warehouse, which it makes at its first start.
    await window.waitFor('//p[contains(., "Answers come from")]', 60_000);
  } finally {
    await window.close();
  }
});

test("without one of its libraries nothing starts", () => {
  for (const name of ["libduckdb.so", "libllama.so.0"]) {
    renameSync(join(libraries, name), join(place, name));
    for (const program of ["vitrine", "vitrine-desktop"]) {
      const started = run(installed(program), ["--version"], { env: session, cwd: place });
      assert.notEqual(started.status, 0, `${program} without ${name}`);
      assert.match(started.stderr, new RegExp(name.replaceAll(".", "\\.")));
    }
    renameSync(join(place, name), join(libraries, name));
  }
});

elsewhere(() => ({ place, deb: file, session }));
