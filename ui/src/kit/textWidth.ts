// The width of text in the bundled font, without a DOM.

/** Widths of the letters from space to tilde in hundredths of their size, in the bundled font: the others are narrower. */
const LETTERS = [
  28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57, 62, 62, 29, 30, 66,
  66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76, 64, 76, 64, 64, 65, 74, 69, 99, 68, 68,
  63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61, 59, 24, 24, 55, 24, 88, 59, 60, 61, 61, 38, 53, 33, 59, 56,
  82, 55, 56, 55, 43, 33, 43, 66,
];

/** An upper estimate of the width of a text, in pixels. */
export function textWidth(text: string, size = 13): number {
  let hundredths = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    hundredths += LETTERS[code - 32] ?? (code > 0x2e80 ? 105 : 62);
  }
  return (hundredths * size) / 99;
}
