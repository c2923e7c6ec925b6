// The paths of rules in robots.txt (RFC 9309 2.2.2 and 2.2.3): how they are written, and whether they match an address. Pure.

import { ownText } from '../../base/bounded-map.ts';

/** Maximum length of a pattern that is compared in full. The longest address that is fetched has 8,192 bytes. */
export const MAX_PATTERN = 4_096;

/** Returns the pattern of a rule's path, truncated to the longest one; '' for an empty one, which has no effect. */
export function patternOf(path: string): string {
  // A dollar that is not the last character belongs to the path.
  return ownText(normalizePath(path.slice(0, MAX_PATTERN)).replaceAll(/\$(?!$)/g, '%24'));
}

/** Whether a `*` comes before the end, where it makes a difference. */
export function isWild(pattern: string): boolean {
  const star = pattern.indexOf('*');
  return star >= 0 && star < pattern.length - 1;
}

/** Returns the path with `*` and `$` written as `%2A` and `%24`, as in a rule that means them literally (2.2.3). */
export function literalPath(path: string): string {
  return normalizePath(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** Paths that need no normalizing. */
const PLAIN = /^[!-$&-~]*$/;

/** Normalizes the encoding of a path: unreserved octets plain, all others `%XX` in upper case (2.2.2). */
function normalizePath(path: string): string {
  if (PLAIN.test(path)) return path;
  const encoded = path
    .toWellFormed()
    .replace(/[^\u0021-\u007e]+/gu, (characters) => encodeURIComponent(characters));
  return encoded.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Whether a pattern matches: `*` is any run of characters, a final `$` the end; otherwise the pattern is a prefix. */
export function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  if (!anchored && !pattern.includes('*')) return path.startsWith(pattern);
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = anchored ? others.pop() : undefined;
  for (const part of others) {
    const position = path.indexOf(part, at);
    if (position < 0) return false;
    at = position + part.length;
  }
  if (!anchored) return true;
  if (last === undefined) return at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}
