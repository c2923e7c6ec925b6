// A pull scanner over HTML text: tags with attributes, and raw text elements as one piece. Linear in the page size and
// without a tree: every position is visited once. An unclosed construct ends the scan, as in a browser, so 80,000 unclosed
// comments or scripts cost one search.

import { isLetterCode } from '../../../base/listing/text/text.ts';
import { hashWith, isRawText, nameLength, nameOf, numberOfHash, RARE } from './markup-names.ts';

const TAB = 9;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BEYOND_ASCII = 128;
const LETTER_I = 105;
const LETTER_T = 116;

/** Maximum number of attributes stored per tag; the rest are skipped, so a tag with 80,000 uses no extra memory. */
const ATTRIBUTES_KEPT = 64;
/** Maximum number of tags read from one text; the largest recorded page has 19,506. Beyond it only scripts are read. */
const TAG_LIMIT = 100_000;
/** Number of entries per attribute in `spans`. */
const SPAN = 4;
/** Number of letters the hash encodes without loss. */
const PACKED_LENGTH = 4;

const HIDES_THE_REST = new Set(['script', 'style', 'textarea']);

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= 13);
}

/** Whether an attribute name ends here; whitespace ends it too. */
function endsName(code: number): boolean {
  return code === EQUALS || code === GREATER || code === SLASH;
}

/** Whether `html` contains the lower-case `word` at `at`, ignoring case. */
function holdsAt(html: string, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = html.charCodeAt(at + index);
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** Whether `html` contains `text` at `at`, case-sensitively; the first letter has already been compared. */
function isAt(html: string, at: number, text: string): boolean {
  for (let index = 1; index < text.length; index += 1) {
    if (html.charCodeAt(at + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Returns the index of the next `</name` at or after `from`, ignoring case; -1 if not found. */
function closingTagAt(html: string, from: number, name: string): number {
  let at = html.indexOf('</', from);
  while (at >= 0) {
    if (holdsAt(html, at + 2, name)) {
      const after = html.charCodeAt(at + 2 + name.length);
      if (!isLetterCode(after) && after !== 45) return at;
    }
    at = html.indexOf('</', at + 2);
  }
  return -1;
}

/** The scanner: `next` advances to the next tag. */
export class MarkupScanner {
  readonly html: string;
  /** Whether the current tag is an opening or a closing one. */
  kind: 'open' | 'close' = 'open';
  /** The number of the tag name (markup-names.ts): comparing it is cheaper than reading `name`. */
  number = RARE;
  /** Index of `<`. */
  start = 0;
  /** Index after `>`. */
  end = 0;
  /** The content of a raw text element (script, title) is from `rawFrom` to `rawTo`; empty for other tags. */
  rawFrom = 0;
  rawTo = 0;
  /** The value range of the attribute found by `find`. */
  valueFrom = 0;
  valueTo = 0;
  /** Whether the tag has an attribute whose name starts with `item`. */
  hasItem = false;
  /** Whether the tag has a `typeof` attribute. */
  hasTypeof = false;

  /** End index of the readable part of `html`. */
  readonly #limit: number;
  #at: number;
  #tags = 0;
  /** The start of the name, which is only cut out of the text on request. */
  #nameFrom = 0;
  #nameTo = 0;
  #rareName: string | null = null;
  /** Number of the tag's attributes in `spans`. */
  #count = 0;
  /** A bit for each length of the tag's attribute names: most tags lack the requested attribute. */
  #lengths = 0;
  /** Raw text elements without any further closing tag. */
  readonly #unclosed = new Set<string>();
  readonly #spans: number[] = [];

  /** Reads `html` from `from` to `to` as if nothing preceded or followed it. */
  constructor(html: string, from = 0, to: number = html.length) {
    this.html = html;
    this.#at = from;
    this.#limit = Math.min(to, html.length);
  }

  /** Moves to the next tag; false at the end of the readable text. */
  next(): boolean {
    const { html } = this;
    this.#tags += 1;
    const mark = this.#tags > TAG_LIMIT ? '<script' : '<';
    // Many tags directly follow another one.
    const isNext = mark === '<' && html.charCodeAt(this.#at) === LESS;
    let open = isNext ? this.#at : html.indexOf(mark, this.#at);
    while (open >= 0 && open + 1 < this.#limit) {
      const code = html.charCodeAt(open + 1);
      if (isLetterCode(code)) return this.#openTag(open);
      if (code === SLASH && isLetterCode(html.charCodeAt(open + 2))) return this.#closeTag(open);
      const after = code === BANG || code === QUESTION ? this.#skipBogus(open) : open + 1;
      if (after < 0) break;
      open = html.indexOf(mark, after);
    }
    this.#at = this.#limit;
    return false;
  }

  /** The lower-case tag name. */
  get name(): string {
    return this.number === RARE ? (this.#rareName ??= this.#cutName()) : nameOf(this.number);
  }

  /** Returns the value of an attribute as written (entities are not decoded); null when the tag does not have it. */
  attribute(name: string): string | null {
    const span = this.#spanOf(name);
    return span < 0 ? null : this.html.slice(this.#spans[span + 2], this.#spans[span + 3]);
  }

  /** Finds an attribute; if present, its value is from `valueFrom` to `valueTo` of `html`. */
  find(name: string): boolean {
    const span = this.#spanOf(name);
    if (span < 0) return false;
    this.valueFrom = this.#spans[span + 2] ?? 0;
    this.valueTo = this.#spans[span + 3] ?? 0;
    return true;
  }

  /** Whether the value of an attribute contains `text`; compared in place, without a copy. */
  attributeHas(name: string, text: string): boolean {
    const span = this.#spanOf(name);
    if (span < 0) return false;
    const { html } = this;
    const first = text.charCodeAt(0);
    const last = (this.#spans[span + 3] ?? 0) - text.length;
    for (let at = this.#spans[span + 2] ?? 0; at <= last; at += 1) {
      if (html.charCodeAt(at) === first && isAt(html, at, text)) return true;
    }
    return false;
  }

  /** Returns the index of an attribute's entries in `spans`; -1 when the tag does not have it. */
  #spanOf(name: string): number {
    if ((this.#lengths & (1 << (name.length & 31))) === 0) return -1;
    for (let span = 0; span < this.#count * SPAN; span += SPAN) {
      const from = this.#spans[span] ?? 0;
      const to = this.#spans[span + 1] ?? 0;
      if (to - from === name.length && holdsAt(this.html, from, name)) return span;
    }
    return -1;
  }

  /** Returns the index after a comment, CDATA section, doctype or instruction; -1 when it is not closed. */
  #skipBogus(open: number): number {
    const { html } = this;
    if (html.startsWith('<!--', open)) {
      if (html.charCodeAt(open + 4) === GREATER) return open + 5;
      const close = html.indexOf('-->', open + 4);
      return close < 0 ? -1 : close + 3;
    }
    const isData = html.startsWith('<![CDATA[', open);
    const close = html.indexOf(isData ? ']]>' : '>', open + 2);
    return close < 0 ? -1 : close + (isData ? 3 : 1);
  }

  /** Returns the index after the name. */
  #readName(from: number): number {
    const { html } = this;
    const limit = this.#limit;
    let to = from;
    let hash = 0;
    let all = 0;
    while (to < limit) {
      const code = html.charCodeAt(to);
      if (code <= GREATER) {
        if (code === GREATER || code === SLASH || isSpace(code)) break;
        // Control characters are excluded first: setting bit 32 would turn them into digits.
        if (code < SPACE) all |= BEYOND_ASCII;
      }
      hash = hashWith(hash, code);
      all |= code;
      to += 1;
    }
    const number = numberOfHash(hash);
    const length = to - from;
    const isKnown =
      number !== RARE &&
      nameLength(number) === length &&
      ((length <= PACKED_LENGTH && all < BEYOND_ASCII) || holdsAt(html, from, nameOf(number)));
    this.number = isKnown ? number : RARE;
    this.#rareName = null;
    this.#nameFrom = from;
    this.#nameTo = to;
    return to;
  }

  /** Element names are truncated to 40 letters; no real name is longer. */
  #cutName(): string {
    const from = this.#nameFrom;
    return this.html.slice(from, Math.min(this.#nameTo, from + 40)).toLowerCase();
  }

  #closeTag(open: number): boolean {
    const nameEnd = this.#readName(open + 2);
    const isBare = this.html.charCodeAt(nameEnd) === GREATER;
    const close = isBare ? nameEnd : this.html.indexOf('>', nameEnd);
    if (close < 0 || close >= this.#limit) return false;
    this.kind = 'close';
    this.start = open;
    this.end = close + 1;
    this.#at = this.end;
    this.#lengths = 0;
    this.hasItem = false;
    this.hasTypeof = false;
    return true;
  }

  #openTag(open: number): boolean {
    this.kind = 'open';
    this.start = open;
    this.hasItem = false;
    this.hasTypeof = false;
    this.#count = 0;
    const close = this.#attributes(this.#readName(open + 1));
    // A tag without an end is not a tag: the scan ends here.
    if (close < 0) return false;
    this.end = close + 1;
    this.#at = this.end;
    this.rawFrom = this.end;
    this.rawTo = this.end;
    return isRawText(this.number) ? this.#rawText() : true;
  }

  /**
   * Reads attributes up to the tag's `>` and returns its index; -1 when there is none. Records their positions although most
   * tags are never queried for an attribute. Reading the queried tags a second time costs 10 to 17 % of a recorded page;
   * recording costs 3 % of a bare one.
   */
  #attributes(start: number): number {
    const { html } = this;
    const limit = this.#limit;
    let at = start;
    let lengths = 0;
    while (at < limit) {
      const first = html.charCodeAt(at);
      if (first === GREATER) {
        this.#lengths = lengths;
        return at;
      }
      if (first === SPACE || first === SLASH || isSpace(first)) {
        at += 1;
        continue;
      }
      const from = at;
      at += 1;
      while (at < limit) {
        const code = html.charCodeAt(at);
        if (code <= GREATER && (endsName(code) || isSpace(code))) break;
        at += 1;
      }
      const nameEnd = at;
      // Most attributes are written this way, without spaces and in double quotes.
      if (html.charCodeAt(at) === EQUALS && html.charCodeAt(at + 1) === DOUBLE_QUOTE) {
        this.valueFrom = at + 2;
        const close = html.indexOf('"', at + 2);
        if (close < 0 || close >= limit) return -1;
        this.valueTo = close;
        at = close + 1;
      } else {
        at = this.#otherValue(at);
        if (at < 0) return -1;
      }
      lengths |= 1 << ((nameEnd - from) & 31);
      this.#keep(from, nameEnd);
      this.#noteName(first, from, nameEnd);
    }
    return -1;
  }

  /**
   * Reads a value that is not double-quoted right after its name, or a missing value. Returns the index after it; -1 when it
   * has no end.
   */
  #otherValue(nameEnd: number): number {
    const { html } = this;
    const limit = this.#limit;
    this.valueFrom = nameEnd;
    this.valueTo = nameEnd;
    let at = this.#afterSpace(nameEnd);
    if (at >= limit || html.charCodeAt(at) !== EQUALS) return at;
    at = this.#afterSpace(at + 1);
    const quote = at < limit ? html.charCodeAt(at) : 0;
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      const close = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1);
      if (close < 0 || close >= limit) return -1;
      this.valueFrom = at + 1;
      this.valueTo = close;
      return close + 1;
    }
    this.valueFrom = at;
    while (at < limit) {
      const code = html.charCodeAt(at);
      if (code === GREATER || isSpace(code)) break;
      at += 1;
    }
    this.valueTo = at;
    return at;
  }

  #afterSpace(from: number): number {
    let at = from;
    while (at < this.#limit && isSpace(this.html.charCodeAt(at))) at += 1;
    return at;
  }

  /** Records whether the attribute is microdata or RDFa; `first` is its first letter. */
  #noteName(first: number, from: number, nameEnd: number): void {
    const letter = first | 32;
    if (letter === LETTER_I) {
      if (holdsAt(this.html, from, 'item')) this.hasItem = true;
    } else if (letter === LETTER_T && nameEnd - from === 6 && holdsAt(this.html, from, 'typeof')) {
      this.hasTypeof = true;
    }
  }

  #keep(from: number, nameEnd: number): void {
    if (this.#count >= ATTRIBUTES_KEPT) return;
    const at = this.#count * SPAN;
    this.#spans[at] = from;
    this.#spans[at + 1] = nameEnd;
    this.#spans[at + 2] = this.valueFrom;
    this.#spans[at + 3] = this.valueTo;
    this.#count += 1;
  }

  /** Whether there were more tags than `TAG_LIMIT`. */
  get isLimited(): boolean {
    return this.#tags > TAG_LIMIT;
  }

  /** Continues at `position`, which must be ahead. */
  skipTo(position: number): void {
    this.#at = Math.max(this.#at, position);
  }

  /**
   * Reads the content up to the closing tag and skips that tag. An unclosed script or style hides the rest of the page; an
   * unclosed title or frame (XHTML writes `<iframe/>`) is an empty element.
   */
  #rawText(): boolean {
    const { name } = this;
    const close = this.#unclosed.has(name) ? -1 : closingTagAt(this.html, this.end, name);
    if (close < 0 || close >= this.#limit) {
      this.#unclosed.add(name);
      return !HIDES_THE_REST.has(name);
    }
    this.rawTo = close;
    const after = this.html.indexOf('>', close);
    this.#at = after < 0 ? this.#limit : after + 1;
    return true;
  }
}

/**
 * Returns the end of a template element's content, which visitors do not see (`{{ p.price }}`). Shadow root content is
 * visible, so it is not skipped. -1 when the element is never closed.
 */
export function templateEnd(tag: MarkupScanner): number {
  if (tag.attribute('shadowrootmode') !== null) return tag.end;
  return closingTagAt(tag.html, tag.end, 'template');
}
