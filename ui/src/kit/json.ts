// JSON as text. It is never parsed and written again: a number in it may have more digits than a float holds.

/** Without the white space between its parts. */
export function compactJson(text: string): string {
  return parts(text)
    .map((part) => (/^\s+$/.test(part) ? "" : part))
    .join("");
}

/** Formats JSON with one part per line, indented; returns other text unchanged. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let out = "";
  const tokens = parts(text).filter((part) => !/^\s+$/.test(part));
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, i) => {
    const before = tokens[i - 1];
    if (token === "}" || token === "]") {
      depth--;
      out += before === "{" || before === "[" ? token : line() + token;
    } else {
      if (before === "{" || before === "[" || before === ",") out += line();
      out += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth++;
    }
  });
  return out;
}

/** Returns whether it is a list or an object. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Strings, brackets, signs, white space and the words between them. */
function parts(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^\s[\]{},:"]+|"/gs) ?? [];
}
