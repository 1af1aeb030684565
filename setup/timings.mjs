// Reads the JUnit files of the test runners and lists the slowest and the skipped tests.
import { existsSync, readFileSync } from "node:fs";

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** Decodes the XML entities of an attribute. */
const decode = (text) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[name] ?? whole;
  });

/** Returns why a test case did not run: its runner skipped it, or it printed `skipped: REASON`, as Rust tests do. */
function skippedBy(body) {
  const said = /(?:^|\n|>)skipped: ([^\n<]*)/.exec(body)?.[1];
  return said ? decode(said) : /<skipped\b/.test(body) ? "left out" : undefined;
}

/** Returns the test cases of a JUnit document: name, seconds, and the reason if it was skipped. */
export function parseJunit(text) {
  const cases = [];
  for (const [, head, slash, body = ""] of text.matchAll(/<testcase\b((?:[^>"]|"[^"]*")*?)(\/)?>(?:((?:(?!<testcase\b)[\s\S])*?)<\/testcase>)?/g)) {
    const attribute = (name) => decode(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1] ?? "");
    cases.push({ name: attribute("name"), seconds: Number(attribute("time")), skipped: slash ? undefined : skippedBy(body) });
  }
  return cases;
}

/** Returns the test cases of a file, each with its suite. Empty if the runner wrote no file. */
export function readJunit(suite, path) {
  if (!path || !existsSync(path)) return [];
  return parseJunit(readFileSync(path, "utf8")).map((found) => ({ suite, ...found }));
}

/** Writes the slowest tests and the skipped ones as lines of text. */
export function describe(cases, count = 20) {
  const line = ({ suite, name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${suite}: ${name}`;
  const slowest = cases.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
  const skipped = cases.filter((found) => found.skipped).map(({ suite, name, skipped }) => `  ${suite}: ${name} (${skipped})`);
  return [
    ...(slowest.length > 0 ? [`The ${slowest.length} slowest tests:`, ...slowest.map(line)] : []),
    ...(skipped.length > 0 ? [`Skipped: ${skipped.length}`, ...skipped] : []),
  ];
}
