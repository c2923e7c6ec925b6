// Whether a product is called like the page it stands on: headings, titles and the address's words.

import { pathText } from './page-address.ts';

/** Letters and digits only: "Acme™ Mug – 12 oz" and "Acme Mug 12oz" compare equal. */
export function bareName(name: string): string {
  return name
    .replaceAll(/[®™©]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * How surely a name is the page's: 2 when a heading or title is it, 1 when one holds it as its greater part
 * or the other way round, or the address spells most of its words.
 */
export function nameMatch(name: string, names: readonly string[], url: URL | null): 0 | 1 | 2 {
  const bare = bareName(name);
  if (bare.length < 2) return 0;
  if (names.includes(bare)) return 2;
  const holds = names.some((other) => {
    if (!other.includes(bare) && !bare.includes(other)) return false;
    const shorter = Math.min(other.length, bare.length);
    return shorter / Math.max(other.length, bare.length) >= 0.5 || shorter >= 24;
  });
  return holds || isSpelledIn(url, name) ? 1 : 0;
}

/** Whether the last part of the path is the name as a slug: most of its words, and at least two. */
function isSpelledIn(url: URL | null, name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (url === null || words.length < 2 || words.length > 60) return false;
  const path = new Set(pathText(url).match(/[\p{L}\p{N}]+/gu) ?? []);
  return words.filter((word) => path.has(word)).length >= Math.max(2, words.length * 0.7);
}

/** The front page of a shop or of one of its languages. */
export function isFrontPage(url: URL | null): boolean {
  return (
    url === null || /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?|index\.\w+|home\/?)?$/i.test(url.pathname)
  );
}
