// Detects an image type by its first bytes, because the type that a server states proves nothing. SVG is not included: it
// can contain scripts.

/** `image/webp` for `RIFF????WEBP`; a dot matches any byte. */
const BEGINNINGS: readonly (readonly [type: RasterType, beginning: string])[] = [
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
  ['image/avif', '....ftypavif'],
  ['image/avif', '....ftypavis'],
];

export type RasterType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp' | 'image/avif';

/** Returns the type of the bytes; null unless it is a type that browsers display and that contains only an image. */
export function rasterTypeOf(bytes: Uint8Array): RasterType | null {
  const found = BEGINNINGS.find(([, beginning]) =>
    Array.from(beginning).every((sign, at) => sign === '.' || bytes[at] === sign.charCodeAt(0)),
  );
  return found === undefined ? null : found[0];
}
