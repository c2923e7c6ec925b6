// The slug under which a listing is stored (D10).

import { numberedSlug } from '../../read/retailers/addresses/shop-slug.ts';
import type { Shops } from '../../data/answers/shops.ts';
import type { ListingKey } from './listing-key.ts';

/**
 * Returns the retailer's slug, or the one that the domain owns in this store, else the first free one that the domain would
 * get.
 */
export async function slugOf(
  store: { readonly shops: Pick<Shops, 'findShopByDomain' | 'findShopBySlug'> },
  key: ListingKey,
): Promise<string> {
  if (key.kind === 'retailer') return key.retailer;
  const { shop } = key;
  const owned = await store.shops.findShopByDomain(shop.domain);
  if (owned !== null) return owned.slug;
  let wanted = shop.slug;
  for (let count = 1; (await store.shops.findShopBySlug(wanted)) !== null; count += 1) {
    wanted = count === 1 ? shop.otherSlug : numberedSlug(shop, count);
  }
  return wanted;
}
