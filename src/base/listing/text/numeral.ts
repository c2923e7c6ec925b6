// Finds numbers in text as people write them: any convention for thousands and decimal separators, digits of several
// scripts. The caller decides the meaning of a number.

/** A number in a text. `integer` and `fraction` are ASCII digits; both are null if the separators make no sense. */
export type Numeral = {
  readonly start: number;
  readonly end: number;
  readonly integer: string | null;
  readonly fraction: string;
};

/** The meaning of `mark` in `1.299` or `12,345`: a single separator followed by three digits is ambiguous. */
type ThreeDigits = (mark: string, integer: string, fraction: string) => 'decimal' | 'thousands';

export type NumeralRules = {
  readonly threeDigits: ThreeDigits;
  /** A blank may separate thousands (`1 299`). No-break and thin blanks always may. */
  readonly blanks: boolean;
  /**
   * An apostrophe followed by two digits is the decimal point (`12'95`), as in Spain; otherwise it means feet or minutes.
   */
  readonly apostropheCents: boolean;
  /** Whether blanks may separate Indian groups: `1 23 456`. */
  readonly lakhs?: boolean;
};

const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** No-break, figure, thin and other narrow blanks. */
const HARD_BLANKS = new Set(
  '\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f',
);
const APOSTROPHES = new Set("'\u2018\u2019\u02bc\u2032\uff07`\u00b4");

/** A character that is always a decimal point. */
const DECIMAL = '\u00b7';
/** The mark at the end of `5'10"`. */
const INCHES = /["'\u2019\u201d\u2033]/;

/** More digits than any price or measure has: a longer run is not a number. */
const MAX_DIGITS = 40;

/** Fullwidth separators between the digits of one number: `１，９８０円`. */
const WIDE_MARK = /(?<=\d)[，．](?=\d)/g;

/**
 * Converts digits of other scripts, and fullwidth separators between digits, to ASCII, one character for one, so that
 * positions are preserved.
 */
export function foldDigits(text: string): string {
  if (!/[^\0-\u065f]/.test(text)) return text;
  let folded = '';
  let isWide = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const zero = code < 0x660 ? undefined : ZEROS.find((at) => code >= at && code <= at + 9);
    isWide ||= code === 0xff0c || code === 0xff0e;
    folded += zero === undefined ? text[index] : String(code - zero);
  }
  if (!isWide) return folded;
  return folded.replaceAll(WIDE_MARK, (mark) => (mark === '，' ? ',' : '.'));
}

/** Returns whether there is an ASCII digit at an index. */
export function isDigitAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (isDigitAt(text, end)) end += 1;
  return end;
}

/**
 * Returns whether digits are the cents of the preceding amount: in `299€99 249€99` each 99 is, and does not begin another
 * amount.
 */
function isCents(text: string, start: number, end: number): boolean {
  return end - start === 2 && isDigitAt(text, start - 2) && /\p{Sc}/u.test(text[start - 1] ?? '');
}

type Mark = 'point' | 'grouping' | 'decimal' | null;

function markOf(character: string, rules: NumeralRules): Mark {
  if (character === '.' || character === ',') return 'point';
  if (character === '\u066b' || character === '\u00b7') return 'decimal';
  if (character === '\u066c' || APOSTROPHES.has(character)) return 'grouping';
  if (HARD_BLANKS.has(character) || (rules.blanks && character === ' ')) return 'grouping';
  return null;
}

type Chain = {
  readonly groups: readonly string[];
  readonly marks: readonly string[];
  readonly end: number;
};

/** Indian groups separated by blanks, possibly with decimals. */
const LAKHS =
  /\d{1,2}(?<blank>[ \u00a0\u2002-\u200a\u202f\u205f])(?:\d{2}\k<blank>){1,4}\d{3}(?!\d)(?:\.\d{1,2}(?![\d.]))?/y;

function lakhsAt(text: string, start: number): Chain | null {
  LAKHS.lastIndex = start;
  const [all, blank] = LAKHS.exec(text) ?? [];
  if (all === undefined || blank === undefined || text[start - 1] === '%') return null;
  const [whole = '', fraction] = all.split('.');
  const groups = whole.split(blank);
  const marks = groups.slice(1).map(() => blank);
  const end = start + all.length;
  return fraction === undefined
    ? { groups, marks, end }
    : { groups: [...groups, fraction], marks: [...marks, '.'], end };
}

/** Returns groups of digits and the separators between them, as far as they can belong to one number. */
function chainAt(text: string, start: number, rules: NumeralRules): Chain {
  const lakhs = rules.lakhs === true ? lakhsAt(text, start) : null;
  if (lakhs !== null) return lakhs;
  let end = digitsEnd(text, start);
  const groups = [text.slice(start, end)];
  const marks: string[] = [];
  for (;;) {
    const character = text[end] ?? '';
    const mark = markOf(character, rules);
    if (mark === null || !isDigitAt(text, end + 1)) break;
    const next = digitsEnd(text, end + 1);
    const previous = marks.at(-1);
    const isCentsMark = rules.apostropheCents && APOSTROPHES.has(character) && next - end === 3;
    if (isCentsMark && !INCHES.test(text.charAt(next))) {
      groups.push(text.slice(end + 1, next));
      marks.push(DECIMAL);
      end = next;
      break;
    }
    if (mark === 'grouping') {
      // `1 299` yes; `12 99`, `71.91 790`, `%50 129` no: blanks and apostrophes only ever separate thousands.
      const isFirst = previous === undefined;
      const fits = isFirst
        ? end - start <= 3 && !isCents(text, start, end) && text[start - 1] !== '%'
        : previous === character;
      if (!fits || next - end !== 4) break;
    }
    groups.push(text.slice(end + 1, next));
    marks.push(character);
    end = next;
    // A second kind of separator is the decimal one, and nothing follows a fraction.
    if (mark === 'decimal' || (previous !== undefined && previous !== character)) break;
  }
  return { groups, marks, end };
}

/** `1,234,567` or, for India, `12,34,567` and `12 34 567`. */
function isGrouped(groups: readonly string[], mark: string): boolean {
  const [first, ...rest] = groups;
  if (first === undefined || first.length > 3 || rest.length === 0) return false;
  if (rest.every((group) => group.length === 3)) return true;
  const isIndian = mark === ',' || mark === ' ' || HARD_BLANKS.has(mark);
  if (!isIndian || first.length > 2 || rest.length < 2) return false;
  return rest.every((group, index) => group.length === (index === rest.length - 1 ? 3 : 2));
}

type NumeralParts = { readonly integer: string; readonly fraction: string } | null;

function partsOf(chain: Chain, rules: NumeralRules): NumeralParts {
  const { groups, marks } = chain;
  const whole = groups[0] ?? '';
  const last = groups.at(-1) ?? '';
  const mark = marks.at(-1);
  if (mark === undefined) return { integer: whole, fraction: '' };
  const leading = groups.slice(0, -1);
  const kind = markOf(mark, rules);
  if (marks.length === 1) {
    if (kind === 'grouping') return { integer: whole + last, fraction: '' };
    const thousands =
      kind === 'point' &&
      last.length === 3 &&
      whole.length <= 3 &&
      !whole.startsWith('0') &&
      rules.threeDigits(mark, whole, last) === 'thousands';
    return thousands ? { integer: whole + last, fraction: '' } : { integer: whole, fraction: last };
  }
  const inner = marks[0] ?? '';
  if (marks.some((each, index) => index < marks.length - 1 && each !== inner)) return null;
  if (mark === inner) {
    return isGrouped(groups, mark) ? { integer: groups.join(''), fraction: '' } : null;
  }
  return isGrouped(leading, inner) ? { integer: leading.join(''), fraction: last } : null;
}

/**
 * Returns whether a number begins with a point. `.99` after a sign or a blank is 0.99; after a letter (`Rs.99`) the point
 * belongs to the word.
 */
function opensWithPoint(text: string, start: number): boolean {
  return text[start - 1] === '.' && !/[\p{L}\d.,]/u.test(text[start - 2] ?? '');
}

/** Yields the numbers of a text in order. Linear: every character belongs to at most one number. */
export function* numeralsOf(text: string, rules: NumeralRules): Generator<Numeral, void> {
  let index = 0;
  while (index < text.length) {
    if (!isDigitAt(text, index)) {
      index += 1;
      continue;
    }
    const chain = chainAt(text, index, rules);
    const tooLong = chain.end - index > MAX_DIGITS;
    if (opensWithPoint(text, index) && chain.marks.length === 0) {
      const fraction = chain.groups[0] ?? '';
      yield { start: index - 1, end: chain.end, integer: tooLong ? null : '0', fraction };
    } else {
      const parts = tooLong ? null : partsOf(chain, rules);
      const { integer, fraction } = parts ?? { integer: null, fraction: '' };
      yield { start: index, end: chain.end, integer, fraction };
    }
    index = chain.end;
  }
}
