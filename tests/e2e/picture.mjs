// Pictures of pages that can be kept in the repository and compared on another machine: half as large, in few colours.
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

/** Values of a colour's red, green and blue: as many as a palette of 256 colours has room for. More would say nothing that a comparison sees. */
const LEVELS = [20, 16, 12];

/** Half as large: each pixel is the mean of four, which evens out how edges of letters are drawn. */
export function shrunk(png) {
  return halved(PNG.sync.read(png));
}

/** The same of pixels. */
export function halved(from) {
  const [width, height] = [from.width >> 1, from.height >> 1];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const corner = (2 * y * from.width + 2 * x) * 4;
      for (let part = 0; part < 3; part += 1) {
        const at = (across, down) => from.data[corner + (down * from.width + across) * 4 + part];
        data[(y * width + x) * 4 + part] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) >> 2;
      }
    }
  }
  return { width, height, data };
}

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The palette and the pixels in it, row by row; nothing where the palette is too large. */
function indexed({ width, height, data }, levels) {
  const level = (value) => Math.round((value / 255) * (levels - 1));
  const palette = new Map();
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const colour = [0, 1, 2].reduce((sum, part) => sum * levels + level(data[at + part]), 0);
      if (!palette.has(colour)) palette.set(colour, palette.size);
      rows[y * (width + 1) + 1 + x] = palette.get(colour);
    }
  }
  if (palette.size > 256) return null;
  const parts = [...palette.keys()].flatMap((c) => [c / levels ** 2, (c / levels) % levels, c % levels].map(Math.floor));
  return { palette: Buffer.from(parts.map((part) => Math.round((part / (levels - 1)) * 255))), rows };
}

/** A PNG file with a palette, which pngjs reads and does not write. */
export function encode(picture) {
  const { palette, rows } = LEVELS.reduce((found, levels) => found ?? indexed(picture, levels), null);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(picture.width, 0);
  head.writeUInt32BE(picture.height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
