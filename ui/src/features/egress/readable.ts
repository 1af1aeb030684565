// Lays out JSON for reading, digit by digit as it is: no number is read and written again.

const STEP = "  ";

/** Formats JSON with one member per line and line breaks of text values; null if it is not JSON. */
export function formatReadable(body: string): string | null {
  try {
    JSON.parse(body);
  } catch {
    return null;
  }
  const out: string[] = [];
  let depth = 0;
  const line = () => `\n${STEP.repeat(depth)}`;
  for (let at = 0; at < body.length; at++) {
    const char = body[at]!;
    if (char === '"') {
      const end = endOfText(body, at);
      out.push(textOf(body.slice(at, end), STEP.repeat(depth + 1)));
      at = end - 1;
    } else if (char === "{" || char === "[") {
      const next = nextMark(body, at + 1);
      if (body[next] === "}" || body[next] === "]") {
        out.push(char, body[next]!);
        at = next;
      } else {
        depth++;
        out.push(char, line());
      }
    } else if (char === "}" || char === "]") {
      depth--;
      out.push(line(), char);
    } else if (char === ",") out.push(",", line());
    else if (char === ":") out.push(": ");
    else if (!/\s/.test(char)) out.push(char);
  }
  return out.join("");
}

/** Where a text ends that begins here, its quotes included. */
function endOfText(body: string, from: number): number {
  let at = from + 1;
  while (body[at] !== '"') at += body[at] === "\\" ? 2 : 1;
  return at + 1;
}

function nextMark(body: string, from: number): number {
  let at = from;
  while (/\s/.test(body[at] ?? "")) at++;
  return at;
}

/** A text of several lines is shown as these lines; another one stays as it is written. */
function textOf(written: string, indent: string): string {
  if (!written.includes("\\n")) return written;
  const text = String(JSON.parse(written));
  if (!text.includes("\n")) return written;
  return `"${text.replace(/\n(?=[^\n])/g, `\n${indent}`)}"`;
}
