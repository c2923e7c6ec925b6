// Where a fact came from: the source that stated it, and the door through which it was reached (D81, D82).

import type { Slug } from '../retailer.ts';

/** In the order in which they are tried; the last three are facts that somebody brought, and are never asked. */
export const DOORS = [
  'official_api',
  'ucp',
  'store_api',
  'product_json',
  'page',
  'rendered',
  'feed',
  'handed_in',
  'import',
] as const;
export type Door = (typeof DOORS)[number];

export type Origin = {
  /** `<slug>.<name>`: `retailer_e.browse`, `lampshop.page`. */
  readonly source: string;
  readonly door: Door;
};

/** The origin of facts that a source of a retailer or shop states. */
export function originOf(slug: Slug, name: string, door: Door): Origin {
  return { source: `${slug}.${name}`, door };
}

export function isDoor(text: unknown): text is Door {
  return DOORS.some((door) => door === text);
}
