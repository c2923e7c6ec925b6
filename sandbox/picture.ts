// Pictures of simulated products: a PNG that is the same for the same path, so that a page has something to show.

import { crc32, deflateSync } from 'node:zlib';

const SIDE = 160;

/** Draws a shape in its own colour on a light background. */
export function picturePng(path: string): Buffer {
  const seed = crc32(path);
  const hue = seed % 360;
  const [back, front] = [colour(hue, 0.93), colour(hue, 0.5)];
  const isRound = seed % 3 === 0;
  const [halfWidth, halfHeight] = [40 + ((seed >>> 8) % 24), 40 + ((seed >>> 16) % 24)];
  const rows: Buffer[] = [];
  for (let y = 0; y < SIDE; y += 1) {
    const row = Buffer.alloc(1 + SIDE * 3);
    for (let x = 0; x < SIDE; x += 1) {
      const [dx, dy] = [(x - SIDE / 2) / halfWidth, (y - SIDE / 2) / halfHeight];
      const isInside = isRound ? dx * dx + dy * dy < 1 : Math.abs(dx) < 1 && Math.abs(dy) < 1;
      row.set(isInside ? front : back, 1 + x * 3);
    }
    rows.push(row);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  // Eight bits per channel, three channels.
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Converts a hue in degrees and a lightness from 0 to 1, at half saturation. */
function colour(hue: number, lightness: number): readonly number[] {
  const reach = 0.5 * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  });
}
