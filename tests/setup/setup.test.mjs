// The set-up's own decisions: what it says of a build, when llama.cpp's build has to be configured again, what is packed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { facts, fits, judged } from "../../setup/advisories.mjs";
import { progressOf } from "../../setup/build.mjs";
import { LIBRARIES } from "../../setup/bundle.mjs";
import { releaseEnv, root, targetDir } from "../../setup/env.mjs";
import { dropOtherConfigurations, kernelsFor } from "../../setup/llama.mjs";
import { describe, parseJunit } from "../../setup/timings.mjs";

test("how far a build is, is read from cargo's bar", () => {
  const bar = "    Building [=====>      ] 312/655: llama-cpp-sys-2(build), arrow-cast";
  assert.deepEqual(progressOf(bar), { done: 312, all: 655, at: "llama-cpp-sys-2(build), arrow-cast" });
  assert.equal(progressOf("   Compiling serde v1.0.0"), null);
});

test("a processor gets the kernels for what it can do, and no others", () => {
  const kernels = kernelsFor(["sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f"]);
  assert.equal(kernels.GGML_AVX2, "ON");
  // One part of AVX-512 is not enough.
  assert.equal(kernels.GGML_AVX512, "OFF");
});

/** A build folder in which llama.cpp was configured so; gives CMake's file. */
function configured(settings) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-setup-"));
  const build = join(folder, "llama-cpp-sys-2-0123456789abcdef", "out", "build");
  mkdirSync(build, { recursive: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name}:${name.startsWith("GGML_AVX") ? "BOOL" : "UNINITIALIZED"}=${value}`);
  const file = join(build, "CMakeCache.txt");
  writeFileSync(file, ["# This is the CMakeCache file.", "", ...lines, "CMAKE_BUILD_TYPE:STRING=Release"].join("\n"));
  return { folder, file };
}

const ours = { GGML_AVX2: "ON", GGML_AVX512: "OFF", CMAKE_PROJECT_INCLUDE: "/cache/lib/llama.cmake" };

test("llama.cpp is configured again for another processor, for settings that lie elsewhere, and where it had none", () => {
  const others = [{ ...ours, GGML_AVX512: "ON" }, { ...ours, CMAKE_PROJECT_INCLUDE: "/gone/llama.cmake" }, { GGML_AVX2: "ON" }];
  for (const other of others) {
    const { folder, file } = configured(other);
    dropOtherConfigurations(ours, folder);
    assert.equal(existsSync(file), false, JSON.stringify(other));
  }
  const { folder, file } = configured(ours);
  dropOtherConfigurations({}, folder);
  assert.equal(existsSync(file), false, "our settings in a build that has none");
});

test("what is configured as wanted stays", () => {
  const same = configured(ours);
  dropOtherConfigurations(ours, same.folder);
  assert.equal(existsSync(same.file), true);
  const none = configured({});
  dropOtherConfigurations({}, none.folder);
  assert.equal(existsSync(none.file), true);
});

test("a package takes the libraries that programs ask for, on each system, and not what else a build leaves", () => {
  const packed = {
    linux: ["libduckdb.so", "libllama.so.0", "libggml.so.0", "libggml-base.so.0", "libggml-cpu.so", "libggml-cpu-zen4.so", "libggml-cpu-armv8.2_1.so"],
    darwin: ["libduckdb.dylib", "libllama.0.dylib", "libggml.0.dylib", "libggml-base.0.dylib", "libggml-cpu-apple_m1.so"],
    win32: ["duckdb.dll", "llama.dll", "ggml.dll", "ggml-base.dll", "ggml-cpu-haswell.dll"],
  };
  const left = {
    linux: ["libllama.so", "libggml.so", "libllama.so.0.0.1", "libvitrine_api.so", "libggml-cpu.so.d", "vitrine"],
    darwin: ["libllama.dylib", "libllama.0.0.1.dylib", "vitrine"],
    win32: ["llama.lib", "vitrine.exe"],
  };
  for (const [system, wanted] of Object.entries(LIBRARIES)) {
    for (const name of packed[system]) assert.match(name, wanted, system);
    for (const name of left[system]) assert.doesNotMatch(name, wanted, system);
  }
});

test("what is handed out is built for all processors, and with no folder of this machine in its messages", () => {
  const env = releaseEnv();
  assert.equal(Object.keys(env).find((name) => name.startsWith("GGML_") || name === "CMAKE_PROJECT_INCLUDE"), undefined);
  const flags = env.CARGO_ENCODED_RUSTFLAGS.split("\x1f");
  for (const folder of [root, targetDir]) assert.ok(flags.some((flag) => flag.startsWith(`--remap-path-prefix=${folder}=`)), folder);
});

test("the slowest tests and the skipped ones are read from what the runners write", () => {
  const xml = `<testsuites><testsuite name="it">
    <testcase name="a &lt;b&gt;" classname="it" time="0.500"/>
    <testcase name="slow" classname="it" time="12.25"><system-out>skipped: nowhere
    skipped: no server &amp; no client
</system-out></testcase>
    <testcase name="shown > raw" time="3"><skipped type="skipped"/></testcase>
    <testcase name="fast" time="0.1"><failure message="wrong">no</failure></testcase>
  </testsuite></testsuites>`;
  const cases = parseJunit(xml).map((found) => ({ suite: "it", ...found }));
  assert.deepEqual(cases.map(({ name, seconds }) => [name, seconds]), [["a <b>", 0.5], ["slow", 12.25], ["shown > raw", 3], ["fast", 0.1]]);
  assert.deepEqual(cases.map(({ skipped }) => skipped), [undefined, "nowhere", "left out", undefined]);
  assert.deepEqual(describe(cases, 2), [
    "The 2 slowest tests:",
    "   12.3 s  it: slow",
    "    3.0 s  it: shown > raw",
    "Skipped: 2",
    "  it: slow (nowhere)",
    "  it: shown > raw (left out)",
  ]);
});

test("versions fall under requirements as Cargo reads them", () => {
  for (const [version, requirement, expected] of [
    ["1.2.3", ">= 1.2.0", true],
    ["1.2.3", ">= 1.0, < 1.2", false],
    ["1.2.3", "^1.1", true],
    ["2.0.0", "^1.1", false],
    ["0.3.9", "^0.3.1", true],
    ["0.4.0", "^0.3.1", false],
    ["0.2.9", "~0.2.3", true],
    ["0.3.0", "~0.2.3", false],
    ["1.0.0-rc.1", ">= 1.0.0", false],
    ["1.0.0+1.2", "= 1.0.0", true],
    ["3.0.0", "^1, ^2", false],
  ])
    assert.equal(fits(version, requirement), expected, `${version} ${requirement}`);
});

test("a crate of the lock file that an advisory is about is found, unless its version is a repaired one", () => {
  const text =
    '```toml\n[advisory]\nid = "RUSTSEC-2026-0001"\npackage = "one"\n\n[versions]\npatched = [">= 1.4.0", "^1.2.8"]\n```\n\n# A title';
  const { package: name, ...rest } = facts(text);
  const copy = { advisories: { [name]: [rest], two: [{ ...rest, id: "RUSTSEC-2026-0002", kind: "unmaintained" }] } };
  const lock = (version) =>
    `[[package]]\nname = "one"\nversion = "${version}"\nsource = "registry"\n\n[[package]]\nname = "two"\nversion = "0.1.0"\nsource = "registry"\n`;
  const found = judged(lock("1.2.3"), copy);
  assert.match(found.faults.join(), /one 1\.2\.3.*RUSTSEC-2026-0001/);
  assert.match(found.notes.join(), /unmaintained: two 0\.1\.0/);
  assert.deepEqual(judged(lock("1.2.9"), copy).faults, []);
  assert.deepEqual(judged(lock("1.4.0"), copy).faults, []);
  assert.deepEqual(judged(lock("1.2.3"), copy, { "RUSTSEC-2026-0001": "not called" }).faults, []);
  assert.equal(facts(text.replace('id =', 'withdrawn = "2026-02-01"\nid =')), null);
});
