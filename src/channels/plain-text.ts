// Text of shops on its way into a message: it is data, so what steers the reader's screen or calls people is taken out of
// it, and it is cut to what the receiver takes. Linear in the length of the text. Pure.

/**
 * Soft hyphen, direction marks and overrides, zero widths, invisible operators, annotations, tags. Joiners stay: scripts need
 * them.
 */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Control characters, line separators and any other white space. */
const BLANK = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** One line without invisible, bidi and control characters; halves of surrogate pairs become U+FFFD. */
export function plainLine(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BLANK, ' ').trim();
}

export type TextRoom = {
  /** The most that the result may measure. */
  readonly most: number;
  /** How a character (a code point) is written: escapes. As it is unless stated. */
  readonly write?: (character: string) => string;
  /** UTF-16 units unless stated: no receiver counts a text longer than that. */
  readonly sizeOf?: (written: string) => number;
};

const END = '…';

/** The line, escaped and cut with an ellipsis so that it measures at most `most`; escapes and code points stay whole. */
export function fitted(text: string, { most, write, sizeOf = unitsOf }: TextRoom): string {
  const written: string[] = [];
  const roomBeforeEnd = most - sizeOf(END);
  let size = 0;
  let kept = 0;
  for (const character of plainLine(text)) {
    const piece = write === undefined ? character : write(character);
    size += sizeOf(piece);
    if (size > most) return written.slice(0, kept).join('') + END;
    written.push(piece);
    if (size <= roomBeforeEnd) kept = written.length;
  }
  return written.join('');
}

const unitsOf = (written: string): number => written.length;

/** Bytes of UTF-8. */
export const bytesOf = (written: string): number => Buffer.byteLength(written, 'utf8');

/** An invisible space behind each at sign: `@everyone` and `@name` call nobody. */
export function uncalled(character: string): string {
  return character === '@' ? '@\u200b' : character;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** The three characters that Slack and Telegram give a meaning, as entities; at signs call nobody. */
export function asEntity(character: string): string {
  return ENTITIES[character] ?? uncalled(character);
}

/** The same with quotation marks, for mail and for attributes. */
export function asHtml(character: string): string {
  if (character === '"') return '&quot;';
  if (character === "'") return '&#39;';
  return ENTITIES[character] ?? character;
}

/** A whole text escaped. For addresses and for what this service says itself: nothing is cut. */
export function escaped(text: string, write: (character: string) => string): string {
  return Array.from(text, write).join('');
}
