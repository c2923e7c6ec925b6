// The common names of the seven retailers (D63): the first label of each one's main host. A caller may use such a name
// wherever a slug is accepted. Answers always contain the slug.

import { KNOWN_SLUGS, type KnownSlug, type Slug } from '../../../base/retailer.ts';
import { bookOf } from './address-books.ts';

/** Returns the common name of a retailer. */
export function aliasOf(slug: KnownSlug): string {
  return bookOf(slug).hosts[0]?.split('.')[0] ?? slug;
}

const BY_ALIAS: ReadonlyMap<string, KnownSlug> = new Map(
  KNOWN_SLUGS.map((slug) => [aliasOf(slug), slug]),
);

/** All aliases. No other shop gets one as its slug, because a retailer's host in another country has the same label. */
export const ALIASES: ReadonlySet<string> = new Set(BY_ALIAS.keys());

/** Returns the slug for a caller's text; any text that is not an alias is returned as is. */
export function slugNamed(text: string): Slug {
  return BY_ALIAS.get(text) ?? text;
}
