// The names that people know the seven retailers by (D63): the first label of each one's main host. A caller may write such a
// name wherever a slug is accepted. Answers always carry the slug.

import { KNOWN_SLUGS, type KnownSlug, type Slug } from '../../../base/retailer.ts';
import { bookOf } from './address-books.ts';

/** The name that people know a retailer by. */
export function aliasOf(slug: KnownSlug): string {
  return bookOf(slug).hosts[0]?.split('.')[0] ?? slug;
}

const BY_ALIAS: ReadonlyMap<string, KnownSlug> = new Map(
  KNOWN_SLUGS.map((slug) => [aliasOf(slug), slug]),
);

/** All aliases. No other shop gets one as its slug, because another country's host of a retailer has the same label. */
export const ALIASES: ReadonlySet<string> = new Set(BY_ALIAS.keys());

/** The slug that a caller's text means; any text that is no alias is itself. */
export function slugNamed(text: string): Slug {
  return BY_ALIAS.get(text) ?? text;
}
