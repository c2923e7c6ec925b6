// Parses JSON as found on pages: control characters in strings, trailing commas, comments, CDATA and HTML comment wrappers,
// single quotes, unescaped quotes, several roots, a missing end. Used only when strict parsing fails. Not recursive. A
// doubtful value becomes null or the whole text fails: half a price is worse than none.

type LenientResult = { readonly roots: readonly unknown[]; readonly truncated: boolean };

type Frame =
  | {
      readonly kind: 'object';
      readonly value: Record<string, unknown>;
      key: string | null;
      /** The last member read: the text after it may reveal that it was misread. */
      last: string | null;
    }
  | { readonly kind: 'array'; readonly value: unknown[] };

class NotJson extends Error {}

/** Maximum number of doubtful members dropped from one text; with more it is not JSON. */
const DROP_LIMIT = 50;
/** How far past an invalid value to search for the next member, in characters. */
const DROP_REACH = 400;
/** Where parsing can resume: before the next member, or at the end of the object. */
const NEXT_MEMBER = /,\s*["'][@$\w-]{1,60}["']\s*:|\}/;

const DEPTH_LIMIT = 64;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  // The rest are JavaScript's.
  ['v', '\v'],
  ['\n', ''],
]);
/** The character codes of an escape: `\u00e9`, and in JavaScript `\xe9` and `\u{1f600}`. */
const CODE = /u([\da-fA-F]{4})|x([\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
  ['NaN', null],
  ['Infinity', null],
  ['-Infinity', null],
]);
/** Skipped between values: commas are optional, and semicolons end a script statement. */
const SKIPPED = new Set([' ', '\t', '\n', '\r', '\f', '\v', ',', ';', '\u00a0', '\ufeff']);
const WRAPPERS = [
  '<!--',
  '-->',
  '//<![CDATA[',
  '/*<![CDATA[*/',
  '<![CDATA[',
  '//]]>',
  '/*]]>*/',
  ']]>',
];

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`']);
/** Nothing, or a comment after a value. */
const BLANK = /^\s*(?:\/\/[^\n]*\s*|\/\*[^*]*\*\/\s*)?$/;

/** Returns the number or keyword a token represents; undefined when it is neither. */
function plainValue(token: string): unknown {
  if (WORDS.has(token)) return WORDS.get(token) ?? null;
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,4})?$/.test(token) ? Number(token) : undefined;
}

/** Returns the index of the closing quote of the string opening at `from`; the text length if there is none. */
function quotedEnd(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** Returns the character whose code is written at `at`, after the backslash, and the length of what is written. */
function codeAt(text: string, at: number): { character: string; length: number } | null {
  CODE.lastIndex = at;
  const match = CODE.exec(text);
  if (match === null) return null;
  const code = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16);
  return code > 0x10ffff
    ? null
    : { character: String.fromCodePoint(code), length: match[0].length };
}

class LenientParser {
  readonly #text: string;
  readonly #stack: Frame[] = [];
  readonly #roots: unknown[] = [];
  readonly #drops: boolean;
  /**
   * Whether the text is an object literal of a script, where a quote always ends its string and a value may be any
   * expression.
   */
  readonly #isScript: boolean;
  #dropped = 0;
  #at = 0;

  constructor(text: string, kind: 'json' | 'drops' | 'script') {
    this.#text = text;
    this.#drops = kind === 'drops';
    this.#isScript = kind === 'script';
  }

  parse(): LenientResult {
    for (;;) {
      this.#skip();
      const character = this.#text[this.#at];
      if (character === undefined) break;
      try {
        this.#step(character);
      } catch (error) {
        if (!(error instanceof NotJson) || !this.#drop()) throw error;
      }
    }
    // A bracket still open at the end means the text is truncated.
    return { roots: this.#roots, truncated: this.#stack.length > 0 };
  }

  #step(character: string): void {
    if (character === '}' || character === ']') this.#close(character);
    else if (this.#wantsKey()) this.#readKey(character);
    else this.#readValue(character);
  }

  /**
   * Drops the member at the cursor, and also the value before it when a name was expected: `"price": 1,299.00` is not
   * 1. Returns false when there is no place to continue.
   */
  #drop(): boolean {
    const top = this.#stack.at(-1);
    this.#dropped += 1;
    if (!this.#drops || top?.kind !== 'object' || this.#dropped > DROP_LIMIT) return false;
    const name = top.key ?? top.last;
    if (name !== null) top.value[name] = null;
    top.key = null;
    const rest = this.#text.slice(this.#at, this.#at + DROP_REACH);
    // Template brackets do not end the object: `{{ price }}`, `${price}`.
    const template = /^[{$#%\s]*\{[^{}]{0,200}\}{1,2}/.exec(rest)?.[0].length ?? 0;
    const next = NEXT_MEMBER.exec(rest.slice(template));
    if (next === null) return false;
    this.#at += template + next.index;
    return true;
  }

  #wantsKey(): boolean {
    const top = this.#stack.at(-1);
    return top?.kind === 'object' && top.key === null;
  }

  #skip(): void {
    const text = this.#text;
    for (;;) {
      const character = text[this.#at];
      const top = this.#stack.at(-1);
      if (character === ',' && top?.kind === 'object' && top.key !== null) return;
      if (character !== undefined && SKIPPED.has(character)) {
        this.#at += 1;
        continue;
      }
      if (character !== '<' && character !== '-' && character !== '/' && character !== ']') return;
      const wrapper = WRAPPERS.find((mark) => text.startsWith(mark, this.#at));
      if (wrapper !== undefined) this.#at += wrapper.length;
      else if (text.startsWith('/*', this.#at)) this.#skipPast('*/');
      else if (text.startsWith('//', this.#at)) this.#skipPast('\n');
      else return;
    }
  }

  #skipPast(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at + 2);
    this.#at = end < 0 ? this.#text.length : end + mark.length;
  }

  #put(value: unknown): void {
    const top = this.#stack.at(-1);
    if (top === undefined) {
      this.#roots.push(value);
    } else if (top.kind === 'array') {
      top.value.push(value);
    } else {
      if (top.key === null) throw new NotJson('value without a name');
      top.value[top.key] = value;
      top.last = top.key;
      top.key = null;
    }
  }

  #close(character: string): void {
    const top = this.#stack.at(-1);
    if (top === undefined) {
      // An extra closing bracket at the end.
      this.#at += 1;
      return;
    }
    if ((top.kind === 'object') !== (character === '}')) throw new NotJson('crossed brackets');
    if (top.kind === 'object' && top.key !== null) throw new NotJson('name without a value');
    this.#at += 1;
    this.#stack.pop();
  }

  #readKey(character: string): void {
    const top = this.#stack.at(-1);
    let key: string | null;
    if (character === '"' || character === "'") {
      key = this.#readString(character, true);
    } else {
      key = this.#readToken();
      if (!/^[@$\w-]{1,100}$/.test(key)) throw new NotJson('no name');
    }
    this.#skipBlanks();
    if (this.#at >= this.#text.length || key === null) {
      this.#at = this.#text.length;
      return;
    }
    // `{event, price: 5}`: a variable, whose value is unknown.
    const isVariable =
      this.#isScript && !QUOTES.has(character) && /[,}]/.test(this.#text[this.#at] ?? '');
    if (!isVariable && this.#text[this.#at] !== ':') throw new NotJson('name without a colon');
    if (top?.kind === 'object') top.key = key;
    if (isVariable) this.#put(null);
    else this.#at += 1;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #readValue(character: string): void {
    if (character === '{' || character === '[') {
      const after = this.#text[this.#at + 1];
      if (character === '{' && (after === '{' || after === '%')) throw new NotJson('a template');
      if (this.#stack.length >= DEPTH_LIMIT) throw new NotJson('too deep');
      const frame: Frame =
        character === '{'
          ? {
              kind: 'object',
              value: Object.create(null) as Record<string, unknown>,
              key: null,
              last: null,
            }
          : { kind: 'array', value: [] };
      this.#put(frame.value);
      this.#stack.push(frame);
      this.#at += 1;
      return;
    }
    if (this.#isScript) {
      this.#readScriptValue(character);
      return;
    }
    if (character === '"' || character === "'") {
      const value = this.#readString(character, false);
      // A truncated string may be half a price, so it is dropped.
      if (value !== null) this.#put(value);
      return;
    }
    const token = this.#readToken();
    if (this.#at >= this.#text.length && this.#stack.length > 0) return;
    const value = plainValue(token);
    if (value === undefined) throw new NotJson('no value');
    this.#put(value);
  }

  /** Reads a standalone string, number or keyword; an expression becomes null, since nothing is executed. */
  #readScriptValue(character: string): void {
    const from = this.#at;
    const isText = QUOTES.has(character);
    const text = isText ? this.#readString(character, false) : null;
    const value = isText ? text : plainValue(this.#text.slice(from, this.#expressionEnd()).trim());
    const end = this.#expressionEnd();
    const isAlone = !isText || BLANK.test(this.#text.slice(this.#at, end));
    const isTemplate = character === '`' && text?.includes('${') === true;
    this.#at = end;
    this.#put(isAlone && !isTemplate ? (value ?? null) : null);
  }

  /** Returns the end of the expression at the cursor: before the next comma or bracket outside it. */
  #expressionEnd(): number {
    const text = this.#text;
    let depth = 0;
    for (let at = this.#at; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (QUOTES.has(character)) {
        at = quotedEnd(text, at);
      } else if (character === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
        const end = text.indexOf(text[at + 1] === '/' ? '\n' : '*/', at + 2);
        if (end < 0) return text.length;
        at = text[at + 1] === '/' ? end : end + 1;
      } else if ('{[('.includes(character)) {
        depth += 1;
      } else if (depth === 0 && ',}]'.includes(character)) {
        return at;
      } else if ('}])'.includes(character)) {
        depth -= 1;
      }
    }
    return text.length;
  }

  #readToken(): string {
    const from = this.#at;
    const text = this.#text;
    while (this.#at < text.length && !/[\s,:;{}[\]"']/.test(text[this.#at] ?? '')) this.#at += 1;
    if (this.#at === from) throw new NotJson('no value');
    return text.slice(from, Math.min(this.#at, from + 120));
  }

  /** Reads the string at the cursor; null when the text ends before it does. */
  #readString(quote: string, isKey: boolean): string | null {
    const text = this.#text;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (character === '\\') {
        parts.push(text.slice(from, at));
        at += 1;
        const escaped = text[at] ?? '';
        const code = codeAt(text, at);
        parts.push(code === null ? (ESCAPES.get(escaped) ?? escaped) : code.character);
        if (code !== null) at += code.length - 1;
        from = at + 1;
      } else if (character === quote && this.#endsString(at + 1, isKey)) {
        parts.push(text.slice(from, at));
        this.#at = at + 1;
        return parts.join('');
      }
    }
    this.#at = text.length;
    return null;
  }

  /**
   * Whether the quote before `at` closes its string: valid JSON must follow. Otherwise it is an unescaped quote
   * (`"name": "32" screen"`).
   */
  #endsString(at: number, isKey: boolean): boolean {
    const text = this.#text;
    const skipBlanks = (position: number): number => {
      let next = position;
      while (next < text.length && /\s/.test(text[next] ?? '')) next += 1;
      return next;
    };
    const next = skipBlanks(at);
    const character = text[next];
    if (this.#isScript) return true;
    if (character === ':') return isKey || !this.#drops;
    if (character === undefined || '}]'.includes(character)) return true;
    // A comma is missing at the end of a line: the next line starts with a name.
    if (character === '"' && this.#drops && !isKey && text.slice(at, next).includes('\n')) {
      return /^"[@\w-]{1,60}"\s{0,9}:/.test(text.slice(next, next + 80));
    }
    if (character === ';' || text.startsWith('//', next) || text.startsWith('/*', next))
      return true;
    if (character !== ',') return false;
    const after = text[skipBlanks(next + 1)];
    const opens = this.#stack.at(-1)?.kind === 'array' ? '"\'{[}]-0123456789tfn' : '"\'}/';
    return after === undefined || opens.includes(after);
  }
}

/**
 * Parses text that is nearly JSON; null when it deviates too far. Linear in the text length. With `drops`, a member with an
 * invalid value becomes null and the others are read. With `script`, an expression becomes null. Otherwise the whole text
 * fails.
 */
export function parseLeniently(
  text: string,
  kind: 'json' | 'drops' | 'script' = 'json',
): LenientResult | null {
  try {
    return new LenientParser(text, kind).parse();
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}
