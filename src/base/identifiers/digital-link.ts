// GS1 Digital Link: an address from a QR code with a GTIN in its path, `https://id.gs1.org/01/09506000134352/10/ABC` (D75).
// The owner of the host does not matter here. Pure.

import { applicationIdentifier } from './application-identifiers.ts';
import type { Element } from './element-string.ts';
import { hasGs1CheckDigit } from './check-digit.ts';

export type DigitalLink =
  | {
      readonly kind: 'gtin';
      /** 8, 12, 13 or 14 digits as in the path, with a correct check digit. */
      readonly code: string;
      /** The other elements of path and query, in their order. */
      readonly others: readonly Element[];
    }
  /** `code` is the GTIN in 14 digits, if it can be decoded. */
  | { readonly kind: 'compressed'; readonly code: string | null };

/** Words that were used in place of the numbers before release 1.3 of the standard. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  gtin: '01',
  cpv: '22',
  lot: '10',
  ser: '21',
};
const GTIN = /^(?:\d{8}|\d{12,14})$/;
/** Hosts of GS1's own resolver: any path there that is one long word is a compressed link. */
const RESOLVERS: ReadonlySet<string> = new Set(['id.gs1.org']);

/** Parses an address; null if it is not a Digital Link with a GTIN. */
export function parseDigitalLink(url: URL): DigitalLink | null {
  const segments = decodedSegments(url.pathname);
  if (segments === null) return null;
  for (let at = segments.length - 2; at >= 0; at -= 1) {
    const code = segments[at + 1] ?? '';
    if (aiOf(segments[at] ?? '') !== '01' || !GTIN.test(code) || !hasGs1CheckDigit(code)) continue;
    const qualifiers = qualifiersOf(segments.slice(at + 2));
    if (qualifiers === null) continue;
    const inQuery = [...url.searchParams].map(([name, value]) => elementOf(name, value));
    const others = [...qualifiers, ...inQuery.filter((each) => each !== null)];
    return { kind: 'gtin', code, others };
  }
  return compressed(url.hostname, segments);
}

/** Decodes the segments of a path, without the empty one after a trailing slash; null if one cannot be decoded. */
function decodedSegments(path: string): readonly string[] | null {
  try {
    const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    return null;
  }
}

function aiOf(name: string): string {
  return Object.hasOwn(SHORT_NAMES, name) ? (SHORT_NAMES[name] ?? '') : name;
}

/**
 * Returns the elements after the GTIN; null if the rest of the path has anything but application identifiers with their
 * values.
 */
function qualifiersOf(segments: readonly string[]): readonly Element[] | null {
  if (segments.length % 2 === 1) return null;
  const elements: Element[] = [];
  for (let at = 0; at < segments.length; at += 2) {
    const element = elementOf(segments[at] ?? '', segments[at + 1] ?? '');
    if (element === null) return null;
    elements.push(element);
  }
  return elements;
}

function elementOf(name: string, value: string): Element | null {
  const known = applicationIdentifier(aiOf(name));
  return known === null || known.ai === '01' || !known.matches(value)
    ? null
    : { ai: known.ai, title: known.title, value };
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Length of the shortest compressed link, which has only a GTIN: 8 bits for its identifier and 47 for its digits. */
const LEAST = 10;
const AI_BITS = 8;
const GTIN_BITS = 47;

/**
 * Parses a compressed link, which is one base64url word. On hosts other than GS1's, the word must meet three conditions, so
 * that a shop's page is not mistaken for a link: it begins with the bits of a GTIN whose check digit is correct, continues as a
 * compressed link does, and does not read as hyphenated words.
 */
function compressed(host: string, segments: readonly string[]): DigitalLink | null {
  const word = segments.at(-1) ?? '';
  if (word.length < LEAST || !/^[\w-]+$/.test(word)) return null;
  const code = compressedGtin(word);
  const isOfResolver = RESOLVERS.has(host) && segments.length === 1;
  const isWords = word.split(/[-_]/).every((each) => /^(?:[A-Z]?[a-z]*|[A-Z]+|\d+)$/.test(each));
  return isOfResolver || (code !== null && !isWords) ? { kind: 'compressed', code } : null;
}

function compressedGtin(word: string): string | null {
  const bits = word
    .split('')
    .map((each) => BASE64URL.indexOf(each).toString(2).padStart(6, '0'))
    .join('');
  if (!bits.startsWith('00000001')) return null;
  const number = Number.parseInt(bits.slice(AI_BITS, AI_BITS + GTIN_BITS), 2);
  const code = String(number).padStart(14, '0');
  if (code.length > 14 || !hasGs1CheckDigit(code)) return null;
  const rest = bits.slice(AI_BITS + GTIN_BITS);
  const isEnd = rest.length < 6 && !rest.includes('1');
  return isEnd || beginsElement(rest) ? code : null;
}

/**
 * Returns whether an element begins at these bits. Four bits are a digit; a pair of letters stands for several identifiers,
 * and 1101 for another kind of parameter.
 */
function beginsElement(bits: string): boolean {
  const nibble = (at: number): number => Number.parseInt(bits.slice(at * 4, at * 4 + 4), 2);
  if (nibble(0) >= 10 || nibble(1) >= 10) return bits.length >= 8;
  const digits = [0, 1, 2, 3].map((at) => String(nibble(at)));
  return [2, 3, 4].some((count) => applicationIdentifier(digits.slice(0, count).join('')) !== null);
}
