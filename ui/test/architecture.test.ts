// host <- kit <- domain <- features <- the folders of the window, and features do not know each other. Files never import in a
// circle.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function layerOf(path: string): string {
  const parts = relative(SRC, path).split("/");
  return parts[0] === "features" ? `features/${parts[1]}` : parts[0]!;
}

/** The folders of the sources, lowest first; each imports only from itself and from those before it. */
const ORDER = [
  "host",
  "kit",
  "domain",
  "features",
  "navigation",
  "run",
  "ask",
  "answer",
  "saved",
  "evaluations",
  "pages",
  "shell",
  "main.tsx",
];
const rank = (layer: string) => ORDER.indexOf(layer.split("/")[0]!);

const all = files(SRC);
const shipped = all.filter((path) => !/\.test\.tsx?$/.test(path));
/** What a file imports, types included, with the ending that its path lacks. */
const importsOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => {
    const to = resolve(dirname(path), match[1]!);
    return [`${to}.ts`, `${to}.tsx`].find((file) => all.includes(file)) ?? to;
  });
const imports = shipped.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

/** The folders of the graph feature; each uses only those before it. */
const GRAPH = ["model", "replay", "layout", "outline", "canvas", "detail"];

/** Files that import each other in a circle, the first circle that is found from each. */
function circles(): string[][] {
  const targets = new Map(shipped.map((path) => [path, importsOf(path)]));
  const found: string[][] = [];
  const settled = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(path.slice(at).map((member) => relative(SRC, member)));
    if (at >= 0 || settled.has(file)) return;
    for (const next of targets.get(file) ?? []) visit(next, [...path, file]);
    settled.add(file);
  };
  for (const file of shipped) visit(file, []);
  return found;
}

/** Lines that are neither blank nor comment. */
function codeLines(path: string): number {
  const text = readFileSync(path, "utf8").replace(/^\s*\/\*[\s\S]*?\*\//gm, "");
  return text.split("\n").filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
}

/** A column in the format that somebody gave it; the signs and months that charts are handed. */
const OWN_FORMATS = ["features/chart/draw.ts", "features/grid/columnFormat.ts"];

it("numbers and dates are written by the kit, in the language of the window", () => {
  const outside = shipped.filter((path) => !path.startsWith(join(SRC, "kit")));
  const writing = (what: RegExp) =>
    outside.filter((path) => what.test(readFileSync(path, "utf8"))).map((path) => relative(SRC, path));
  expect(writing(/\.toFixed\(|\.toLocale\w*String\(/)).toEqual([]);
  expect(writing(/\bIntl\.(Number|DateTime|RelativeTime|Duration)Format\(/).sort()).toEqual(OWN_FORMATS);
});

it("every folder of the sources has its place in the order of layers, and a README", () => {
  expect(readdirSync(SRC).sort()).toEqual([...ORDER].sort());
  for (const folder of ORDER.filter((name) => name !== "main.tsx"))
    expect(readFileSync(join(SRC, folder, "README.md"), "utf8")).toContain(`# ${folder}`);
});

describe("imports", () => {
  it("only go down the layers", () => {
    const up = imports.filter((i) => rank(layerOf(i.to)) > rank(layerOf(i.from)));
    expect(up).toEqual([]);
  });
  it("never go from one feature to another", () => {
    const across = imports.filter(
      (i) =>
        layerOf(i.from).startsWith("features/") &&
        layerOf(i.to).startsWith("features/") &&
        layerOf(i.from) !== layerOf(i.to),
    );
    expect(across).toEqual([]);
  });
  it("never go in a circle", () => {
    expect(circles()).toEqual([]);
  });
  it("go in one order between the folders of the graph", () => {
    const graph = join(SRC, "features/graph");
    const folderOf = (path: string) => relative(graph, path).split("/")[0]!;
    const inside = imports.filter((i) => i.from.startsWith(graph) && i.to.startsWith(graph));
    expect([...new Set(inside.map((i) => folderOf(i.from)))].sort()).toEqual([...GRAPH].sort());
    const back = inside.filter((i) => GRAPH.indexOf(folderOf(i.to)) > GRAPH.indexOf(folderOf(i.from)));
    expect(back).toEqual([]);
  });
  it("never reach into the tests, and of what is beside the sources only into the catalogs", () => {
    const catalogs = resolve(SRC, "../locales");
    const outside = imports.filter((i) => !i.to.startsWith(SRC) && dirname(i.to) !== catalogs);
    expect(outside).toEqual([]);
  });
});

it("only the host touches IPC, the network or storage", () => {
  const outside = shipped.filter((path) => layerOf(path) !== "host");
  const touching = outside.filter((path) =>
    /\bfetch\(|EventSource|localStorage|sessionStorage|@tauri-apps|XMLHttpRequest|WebSocket/.test(
      readFileSync(path, "utf8"),
    ),
  );
  expect(touching).toEqual([]);
});

it("nothing is rendered as HTML or evaluated", () => {
  const risky = shipped.filter((path) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|\beval\(|new Function/.test(readFileSync(path, "utf8")),
  );
  expect(risky).toEqual([]);
});

it("each feature says who owns its state", () => {
  for (const feature of readdirSync(join(SRC, "features"), { withFileTypes: true }).filter((f) => f.isDirectory())) {
    expect(readFileSync(join(SRC, "features", feature.name, "README.md"), "utf8")).toContain(`# ${feature.name}`);
  }
});

it("no two files of a folder have one name where case and ending do not count", () => {
  const names = all.map((path) => path.replace(/\.tsx?$/, "").toLowerCase());
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

it("files that people write have at most 400 lines of code", () => {
  const written = all.filter((path) => !path.endsWith("host/bindings.ts"));
  expect(written.filter((path) => codeLines(path) > 400)).toEqual([]);
});
