// Prepares shop text for a message. It is untrusted data: characters that control the reader's screen or mention people are
// removed, and it is truncated to what the receiver accepts. Linear in the length of the text. Pure.

/**
 * Soft hyphen, direction marks and overrides, zero widths, invisible operators, annotations, tags. Joiners are kept, because
 * some scripts need them.
 */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Control characters, line separators and any other white space. */
const BLANK = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** Returns one line without invisible, bidi and control characters; unpaired surrogates become U+FFFD. */
export function plainLine(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BLANK, ' ').trim();
}

type TextRoom = {
  /** The largest size of the result. */
  readonly most: number;
  /** Escapes a character (a code point); unchanged unless stated. */
  readonly write?: (character: string) => string;
  /** The size of an escaped text; UTF-16 units unless stated, because no receiver's count exceeds them. */
  readonly sizeOf?: (written: string) => number;
};

const END = '…';

/**
 * Returns the line, escaped and truncated with an ellipsis to a size of at most `most`. Escapes and code points are not
 * split.
 */
export function fitted(text: string, { most, write, sizeOf = unitsOf }: TextRoom): string {
  const written: string[] = [];
  const roomBeforeEnd = most - sizeOf(END);
  let size = 0;
  let fitting = 0;
  for (const character of plainLine(text)) {
    const piece = write === undefined ? character : write(character);
    size += sizeOf(piece);
    if (size > most) return written.slice(0, fitting).join('') + END;
    written.push(piece);
    if (size <= roomBeforeEnd) fitting = written.length;
  }
  return written.join('');
}

const unitsOf = (written: string): number => written.length;

/** Bytes of UTF-8. */
export const bytesOf = (written: string): number => Buffer.byteLength(written, 'utf8');

/** Puts an invisible space after each at sign, so that `@everyone` and `@name` mention no one. */
export function uncalled(character: string): string {
  return character === '@' ? '@\u200b' : character;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Writes the three characters with a meaning in Slack and Telegram as entities. At signs mention no one. */
export function asEntity(character: string): string {
  return ENTITIES[character] ?? uncalled(character);
}

/** Like `asEntity`, but also escapes quotation marks, for mail and for attributes. */
export function asHtml(character: string): string {
  if (character === '"') return '&quot;';
  if (character === "'") return '&#39;';
  return ENTITIES[character] ?? character;
}

/** Escapes a whole text without truncating it, for addresses and for this service's own text. */
export function escaped(text: string, write: (character: string) => string): string {
  return Array.from(text, write).join('');
}
