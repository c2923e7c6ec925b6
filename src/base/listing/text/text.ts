// Converts a page's text to plain text: decodes references, removes markup and invisible characters, truncates. Every function
// is linear in its input.

import { ENTITIES, LONGEST_ENTITY } from './html-entities.ts';

/**
 * Number of decoding passes. Feeds escape two or three times (`&amp;amp;#40;`); each pass can only shorten the text, and six
 * are plenty.
 */
const MAX_PASSES = 6;

/** How browsers interpret the numeric references 128 to 159: Windows-1252 (HTML standard). */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** References that old pages write without the semicolon. Others (`&para`) are parts of addresses. */
const BARE_REFERENCES: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'nbsp']);

/** Elements whose text is never displayed. */
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe']);

/** Inline elements do not separate words: `<b>H</b>2O` is one word, `<li>a</li><li>b</li>` two. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strike'
    .concat(' strong sub sup tt u var wbr')
    .split(' '),
);

/** Returns whether a character code is an ASCII digit. */
export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns whether a character code is an ASCII letter. */
export function isLetterCode(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isHexDigit(code: number): boolean {
  return isDigitCode(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

function characterOf(code: number): string {
  if (code >= 128 && code <= 159) return WINDOWS_1252[code - 128] ?? '';
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

type Reference = { readonly end: number; readonly character: string };

/** `at` is the index after `&#`. */
function numericReference(text: string, at: number): Reference | null {
  const hex = text[at] === 'x' || text[at] === 'X';
  const start = hex ? at + 1 : at;
  const belongs = hex ? isHexDigit : isDigitCode;
  let end = start;
  // A reference may be padded with leading zeros (`&#0040;`); beyond 12 digits it is not a reference.
  while (end < text.length && end - start <= 12 && belongs(text.charCodeAt(end))) end += 1;
  if (end === start || end - start > 12) return null;
  const code = Number.parseInt(text.slice(start, end), hex ? 16 : 10);
  return { end: text[end] === ';' ? end + 1 : end, character: characterOf(code) };
}

/** `at` is the index after `&`. */
function namedReference(text: string, at: number): Reference | null {
  const limit = Math.min(text.length, at + LONGEST_ENTITY);
  let end = at;
  while (end < limit && (isLetterCode(text.charCodeAt(end)) || isDigitCode(text.charCodeAt(end))))
    end += 1;
  const name = text.slice(at, end);
  if (text[end] === ';') {
    const character = ENTITIES.get(name);
    return character === undefined ? null : { end: end + 1, character };
  }
  const bare = BARE_REFERENCES.has(name) && text[end] !== '=';
  return bare ? { end, character: ENTITIES.get(name) ?? '' } : null;
}

function decodeOnce(text: string): string {
  let ampersand = text.indexOf('&');
  if (ampersand < 0) return text;
  const parts: string[] = [];
  let done = 0;
  while (ampersand >= 0) {
    const next = ampersand + 1;
    const reference =
      text[next] === '#' ? numericReference(text, next + 1) : namedReference(text, next);
    if (reference !== null) {
      parts.push(text.slice(done, ampersand), reference.character);
      done = reference.end;
    }
    ampersand = text.indexOf('&', reference === null ? next : reference.end);
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Decodes HTML references until nothing changes (`&amp;#40;` is `(`), in at most six passes. */
export function decodeEntities(text: string): string {
  let current = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const decoded = decodeOnce(current);
    if (decoded === current) break;
    current = decoded;
  }
  return current;
}

/** Returns whether a `<` opens markup; `5 < 10` and `<3` are text. */
function opensMarkup(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return isLetterCode(next) || next === 33 || next === 47 || next === 63; // ! / ?
}

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const EQUALS = 61;
const GREATER = 62;

/** Returns the index after the `>` that closes the tag at `at`, ignoring any `>` inside a quoted attribute. */
function tagEnd(html: string, at: number): number {
  let index = at + 1;
  while (index < html.length) {
    const code = html.charCodeAt(index);
    if (code === GREATER) return index + 1;
    const isQuote = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
    if (isQuote && html.charCodeAt(index - 1) === EQUALS) {
      const close = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", index + 1);
      if (close < 0) return html.length;
      index = close;
    }
    index += 1;
  }
  return html.length;
}

function tagName(html: string, at: number): string {
  let end = at;
  while (end < html.length && end - at < 12) {
    const code = html.charCodeAt(end);
    if (!isLetterCode(code) && !isDigitCode(code)) break;
    end += 1;
  }
  return html.slice(at, end).toLowerCase();
}

/** Returns the index where the hidden element that opened before `from` ends; the end of the text if it never does. */
function hiddenEnd(html: string, from: number, name: string): number {
  let close = html.indexOf('</', from);
  while (close >= 0 && !isNamed(html, close + 2, name)) close = html.indexOf('</', close + 2);
  return close < 0 ? html.length : tagEnd(html, close);
}

function isNamed(html: string, at: number, name: string): boolean {
  return html.slice(at, at + name.length).toLowerCase() === name;
}

/** Removes markup from `html`; decodes nothing. An unclosed tag swallows the rest, as it does in a browser. */
function stripTags(html: string): string {
  let open = html.indexOf('<');
  if (open < 0) return html;
  const parts: string[] = [];
  let done = 0;
  while (open >= 0) {
    if (!opensMarkup(html, open)) {
      open = html.indexOf('<', open + 1);
      continue;
    }
    parts.push(html.slice(done, open));
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4);
      done = close < 0 ? html.length : close + 3;
    } else {
      const closing = html[open + 1] === '/';
      const name = tagName(html, open + (closing ? 2 : 1));
      done = tagEnd(html, open);
      if (!closing && HIDDEN.has(name)) done = hiddenEnd(html, done, name);
      if (!INLINE.has(name)) parts.push(' ');
    }
    open = html.indexOf('<', done);
  }
  parts.push(html.slice(done));
  return parts.join('');
}

/**
 * C0, C1, soft hyphen, bidi controls, zero-width characters, word joiner, private-use icon characters, BOM, tag characters.
 */
const INVISIBLE = new RegExp(
  `[${[
    '\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad',
    '\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ue000-\\uf8ff\\ufeff\\ufff9-\\ufffb',
    '\\u{e0000}-\\u{e007f}',
  ].join('')}]`,
  'gu',
);

/** White space, and the C1 line end, which terminals obey but regular expressions do not match. */
const BLANK = /[\s\x85]+/g;

/** Joiners that are removed. They stay between letters that need them (Persian, Indic, emoji). */
const STRAY_JOINER = /(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f])/gu;

/** Returns at most `max` UTF-16 units, cut between code points. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, splitsPair ? max - 1 : max));
}

const TAB = 9;
const RETURN = 13;
const SPACE = 32;
const LAST_OF_ASCII = 126;
/**
 * Ranges beyond ASCII without invisible characters and blanks, as first and last code: European letters, punctuation, signs,
 * East Asia.
 */
const ORDINARY = [
  0xa1, 0xac, 0xae, 0x5ff, 0x2010, 0x2027, 0x2030, 0x205e, 0x2070, 0x2fff, 0x3001, 0xd7ff,
] as const;

function isOrdinary(code: number): boolean {
  if (code >= SPACE && code <= LAST_OF_ASCII) return true;
  for (let at = 0; at < ORDINARY.length; at += 2) {
    if (code < ORDINARY[at]!) return false;
    if (code <= ORDINARY[at + 1]!) return true;
  }
  return false;
}

/**
 * Returns the text with each run of blanks collapsed to one space; null if it has a character that may be invisible or
 * another kind of blank.
 */
function ordinaryLine(text: string): string | null {
  let line = '';
  let done = 0;
  let isAfterBlank = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = code === SPACE || (code >= TAB && code <= RETURN);
    if (!isBlank && !isOrdinary(code)) return null;
    if (isBlank && (isAfterBlank || code !== SPACE)) {
      line += isAfterBlank ? text.slice(done, at) : `${text.slice(done, at)} `;
      done = at + 1;
    }
    isAfterBlank = isBlank;
  }
  return done === 0 ? text : line + text.slice(done);
}

/** Drops invisible characters, collapses white space and truncates. */
function oneLine(text: string, max: number): string {
  const line = ordinaryLine(text) ?? dropInvisible(text).replaceAll(BLANK, ' ');
  return cutText(line.trim(), max).trimEnd();
}

function dropInvisible(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed().replaceAll('\ufffd', '');
  return wellFormed.replaceAll(INVISIBLE, '').replaceAll(STRAY_JOINER, '');
}

/**
 * Returns one line of plain text: decodes references until none is left, drops invisible characters, collapses white space,
 * truncates to `maxLength` UTF-16 units between code points. With `tags`, also removes markup.
 */
export function cleanText(
  text: string,
  maxLength: number,
  options: { readonly tags?: boolean } = {},
): string {
  if (options.tags === true) return plainTextOfHtml(text, maxLength);
  // Cut first to far more than any field keeps, so that a text of megabytes is not read to its end.
  const decoded = decodeEntities(cutText(text, inputLimit(maxLength)));
  return oneLine(decoded, maxLength);
}

/** Returns how many characters of the source are read: markup and references may be many times as long as the text. */
function inputLimit(maxLength: number): number {
  return maxLength * 20 + 10_000;
}

/**
 * Returns the readable text of an HTML fragment (a description) in one line. Escaped markup (`&lt;p&gt;`) is removed too,
 * because feeds escape text that pages show unescaped.
 */
export function plainTextOfHtml(html: string, max: number): string {
  const once = decodeEntities(stripTags(cutText(html, inputLimit(max))));
  const plain = once.includes('<') ? decodeEntities(stripTags(once)) : once;
  return oneLine(plain, max);
}
