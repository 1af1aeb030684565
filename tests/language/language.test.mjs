// Names, comments and pages in plain technical English (docs/glossary.md): the rules that a program can check.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { root } from "../../setup/env.mjs";

const SKIPPED = new Set(["node_modules", "target", "dist", "gen", "figures", "fake"]);

/** Lists the files below a folder whose names end with one of `endings`. */
function listFiles(folder, endings) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(path, endings);
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
  });
}

const isTest = (path) => /[/\\]tests?[/\\.]/.test(path) || path.endsWith("tests.rs") || /\.test\.tsx?$/.test(path);
const readLines = (path) => readFileSync(path, "utf8").split("\n");

const rust = listFiles(join(root, "src-tauri"), [".rs"]).filter((path) => !isTest(relative(root, path)));
const typescript = listFiles(join(root, "ui", "src"), [".ts", ".tsx"]).filter((path) => !path.endsWith("bindings.ts"));
const scripts = listFiles(join(root, "setup"), [".mjs"]);
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")).map((name) => join(root, name)),
  ...listFiles(join(root, "docs"), [".md"]),
];

/** The blocks of doc comments (`///`) of a file, each with the line that it documents. */
function docBlocks(path) {
  const blocks = [];
  let text = [];
  for (const [index, line] of readLines(path).entries()) {
    const doc = /^\s*\/\/\/ ?(.*)/.exec(line);
    if (doc) text.push(doc[1]);
    else if (text.length > 0 && !/^\s*#\[/.test(line)) {
      blocks.push({ path, line: index + 1 - text.length, text: text.join(" ").trim(), item: line.trim() });
      text = [];
    }
  }
  return blocks;
}

/** Doc comments that are sent to models or agents as descriptions, or printed as help of the command line. */
const SENT = [/agents[/\\]src[/\\]schema[/\\]reply\.rs$/, /mcp[/\\]src[/\\](reply|request)\.rs$/, /cli[/\\]src[/\\]args(\.rs$|[/\\])/];
const isSent = (path) => SENT.some((pattern) => pattern.test(path));

const blocks = rust.filter((path) => !isSent(path)).flatMap(docBlocks);
const place = ({ path, line, text }) => `${relative(root, path)}:${line}: ${text}`;
const share = (part, whole) => Math.round((1000 * part) / whole) / 10;

test("fewer than 30% of the functions have a name of one word", () => {
  const names = rust.flatMap((path) => [...readFileSync(path, "utf8").matchAll(/\bfn\s+([a-z_][a-z0-9_]*)/g)].map((match) => match[1]));
  const single = names.filter((name) => !name.replace(/^_+|_+$/g, "").includes("_"));
  assert.ok(names.length > 1000, "the functions were not found");
  assert.ok(share(single.length, names.length) < 30, `${share(single.length, names.length)}% of ${names.length} functions have a name of one word`);
});

test("fewer than 5% of the doc comments begin with What, Whether or How", () => {
  const vague = blocks.filter(({ text }) => /^(What|Whether|How)\b/.test(text));
  assert.ok(blocks.length > 1000, "the doc comments were not found");
  assert.ok(share(vague.length, blocks.length) < 5, `${share(vague.length, blocks.length)}% of ${blocks.length}:\n${vague.slice(0, 20).map(place).join("\n")}`);
});

const ARTICLES = new Set(["a", "an", "the", "its", "their", "of", "this", "that"]);
const wordsOf = (text) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word && !ARTICLES.has(word))
    .join(" ");

test("no doc comment only repeats the name of its item", () => {
  const named = /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*(?:(?:fn|struct|enum|trait|type|mod|static|const)\s+)?([A-Za-z_][A-Za-z0-9_]*)/;
  const repeated = blocks.filter(({ text, item }) => {
    const name = named.exec(item)?.[1];
    return name && wordsOf(text) === wordsOf(name.replaceAll("_", " "));
  });
  assert.deepEqual(repeated.map(place), []);
});

/** Idioms that are not standard terms; house rules for comments and pages. */
const BANNED = [
  /\bwhoever\b/i, /\bnobody\b/i, /\bsomebody\b/i, /\bso many\b/i, /\btold\b/i, /\bsaid\b/i, /\bstands\b(?! for)/i,
  /(?<!there )\bis no (?!longer|moment)/i, /\bwhat is (of|in|at|said|told)\b/i, /(^|[;:.] )of which\b/i,
];
const banned = (text) => BANNED.map((phrase) => phrase.exec(text)?.[0]).find(Boolean);

/** Quoted text and code are examples, not the author's words. */
const withoutQuotes = (text) => text.replace(/`[^`]*`/g, "").replace(/"[^"]*"/g, "").replace(/“[^”]*”/g, "");

function bannedIn(paths, commentsOnly) {
  return paths.flatMap((path) => {
    let fenced = false;
    return readLines(path).flatMap((line, index) => {
      if (line.trim().startsWith("```")) fenced = !fenced;
      const comment = /^\s*(?:\/\/[/!]?|\*(?= |$)|\/\*\*?) ?(.*)/.exec(line)?.[1];
      const text = commentsOnly ? comment : fenced ? undefined : line;
      const phrase = text && banned(withoutQuotes(text));
      return phrase ? [`${relative(root, path)}:${index + 1}: "${phrase.trim()}"`] : [];
    });
  });
}

test("no comment uses a banned phrase", () => {
  const found = bannedIn([...rust.filter((path) => !isSent(path)), ...typescript, ...scripts], true);
  assert.deepEqual(found.slice(0, 200), [], `${found.length} lines`);
});

test("no page uses a banned phrase", () => {
  const found = bannedIn(pages, false);
  assert.deepEqual(found.slice(0, 200), [], `${found.length} lines`);
});
