// Decodes the bytes of an answer. The encoding is determined as in browsers: byte order mark, header, then what the text
// itself declares.

export type DecodedText = {
  readonly text: string;
  /** WHATWG name of the encoding that was used; for the notes. */
  readonly charset: string;
};

/** Returns a decoder for a WHATWG label; null for other labels (utf-7, no-such-charset). */
export function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label.trim().slice(0, 40));
  } catch {
    return null;
  }
}

function markOf(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null;
}

/** Recognizes UTF-16 without a byte order mark: the text starts with `<`, `{` or a space next to a zero byte. */
function wideWithoutMark(body: Uint8Array): string | null {
  let odd = 0;
  let even = 0;
  const end = Math.min(body.length, 64);
  for (let index = 0; index < end; index += 1) {
    if (body[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (end >= 4 && odd * 3 >= end && even === 0) return 'utf-16le';
  return end >= 4 && even * 3 >= end && odd === 0 ? 'utf-16be' : null;
}

/** Returns the first `charset=` of a content type, with or without quotes. */
export function charsetParameter(text: string): string | null {
  const match = /charset\s*=\s*["']?\s*([^\s"'/>;,]+)/i.exec(text);
  return match?.[1] ?? null;
}

/**
 * Whether the bytes are valid UTF-8 with several multi-byte characters. Text in a single-byte encoding never is by chance,
 * so a header that disagrees is wrong.
 */
function isSurelyUtf8(body: Uint8Array): boolean {
  if (!body.some((byte) => byte >= 0x80)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

/** Encodings in which every byte sequence is valid. */
const SINGLE_BYTE = /^(?:windows-125\d|iso-8859-\d+|koi8-[ru]|macintosh)$/;

/** The replacement character for invalid bytes. */
const INVALID = '\ufffd';

/** Whether most non-ASCII bytes are invalid UTF-8, so the assumed or declared UTF-8 is wrong. */
function isMostlyBroken(text: string, body: Uint8Array): boolean {
  let lost = 0;
  for (let at = text.indexOf(INVALID); at >= 0; at = text.indexOf(INVALID, at + 1)) lost += 1;
  if (lost === 0) return false;
  // The number of non-ASCII characters, including lost ones.
  const wide = text.length - (body.length - bytesBeyondAscii(body));
  return lost * 2 > wide;
}

/** Counts the non-ASCII bytes. Tests 32 bytes at a time, because a page has few of them. */
function bytesBeyondAscii(body: Uint8Array): number {
  const head = Math.min(body.length, -body.byteOffset & 3);
  const fours = new Int32Array(body.buffer, body.byteOffset + head, (body.length - head) >> 2);
  const whole = fours.length & ~7;
  let count = wideIn(body, 0, head) + wideIn(body, head + whole * 4, body.length);
  for (let at = 0; at < whole; at += 8) {
    const any = fourOf(fours, at) | fourOf(fours, at + 4);
    if ((any & HIGH_BITS) !== 0) count += wideIn(body, head + at * 4, head + at * 4 + 32);
  }
  return count;
}

const HIGH_BITS = 0x80808080 | 0;

function fourOf(fours: Int32Array, at: number): number {
  return (fours[at] ?? 0) | (fours[at + 1] ?? 0) | (fours[at + 2] ?? 0) | (fours[at + 3] ?? 0);
}

function wideIn(body: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if ((body[at] ?? 0) >= 0x80) count += 1;
  return count;
}

/**
 * Decodes a body. In order: byte order mark, `contentType` (the header), UTF-16 by its zero bytes, what `declaredIn`
 * finds, UTF-8. Two corrections: windows-1252 when UTF-8 was declared or assumed but most of the text is invalid,
 * and UTF-8 when a single-byte encoding was declared but the text is surely UTF-8. Never throws; invalid bytes become
 * U+FFFD.
 */
export function decodeBytes(
  body: Uint8Array,
  contentType: string | undefined,
  declaredIn: (body: Uint8Array) => string | null,
): DecodedText {
  const mark = markOf(body);
  const header = charsetParameter((contentType ?? '').slice(0, 1000));
  let decoder: TextDecoder | null = null;
  for (const label of [mark, header, wideWithoutMark(body)]) {
    if (label !== null) decoder ??= decoderFor(label);
  }
  const isStated = decoder !== null;
  // The declaration is only looked for when nothing else states the encoding.
  const declared = isStated ? null : declaredIn(body);
  if (declared !== null) decoder = decoderFor(declared);
  let used = decoder ?? new TextDecoder();
  if (SINGLE_BYTE.test(used.encoding) && isSurelyUtf8(body)) used = new TextDecoder();
  const text = used.decode(body);
  if (mark !== null || used.encoding !== 'utf-8' || !isMostlyBroken(text, body)) {
    return { text, charset: used.encoding };
  }
  const said = isStated ? declaredIn(body) : declared;
  const other = said === null ? null : decoderFor(said);
  const fallback =
    other === null || other.encoding === 'utf-8' ? new TextDecoder('windows-1252') : other;
  return { text: fallback.decode(body), charset: fallback.encoding };
}

/** Decodes the body of an API, which is not markup and declares no encoding itself. */
export function decodeJson(body: Uint8Array, contentType: string | undefined): string {
  return decodeBytes(body, contentType, () => null).text;
}
