// Reads the seller in retailer_w's state: products, offers and seller pages use the same names.

import type { SellerId } from '../../../base/listing/seller.ts';
import { boolAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt, firstLineAt, starsAt } from '../../page-data/json/json-values.ts';

/** The retailer's own seller id. */
const FIRST_PARTY_ID = 'F55CDC31AB754BB68FE0B39041159D63';

/** Whether a seller id is one of the retailer's own two, which have no seller page (D32). */
export function isRetailerItself({ kind, value }: SellerId): boolean {
  return kind === 'hex' ? value === FIRST_PARTY_ID : /^0+$/.test(value);
}

type StateSeller = {
  /** The name shown to buyers, otherwise the legal name. */
  readonly name: string | null;
  /** 32 hexadecimal digits, upper case. */
  readonly hexId: string | null;
  /** The public number; null for 0, which is the retailer itself. */
  readonly catalogId: string | null;
  readonly type: '1p' | '3p' | null;
  /** Null for zero, which means a new seller. */
  readonly rating: number | null;
  readonly reviewCount: number | null;
  readonly isPro: boolean | null;
};

function hexIdOf(text: string | null): string | null {
  const id = text?.trim().toUpperCase() ?? '';
  return /^[0-9A-F]{32}$/.test(id) ? id : null;
}

function catalogIdOf(text: string | null): string | null {
  const id = text?.trim() ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? id : null;
}

function typeOf(stated: string | null, hexId: string | null, catalogId: string | null) {
  if (hexId === FIRST_PARTY_ID) return '1p';
  const type = stated?.toUpperCase() ?? '';
  if (type === 'INTERNAL') return '1p';
  // Only other sellers have a public number.
  return type === 'EXTERNAL' || (hexId !== null && catalogId !== null) ? '3p' : null;
}

/** Returns the seller of a product, an offer or a seller page. */
export function sellerOf(node: unknown): StateSeller {
  const hexId = hexIdOf(textAt(node, 'sellerId'));
  const catalogId = catalogIdOf(textAt(node, 'catalogSellerId'));
  const rating = numberAt(node, 'sellerAverageRating') === 0 ? null : 'sellerAverageRating';
  return {
    name: firstLineAt(node, ['sellerDisplayName', 'sellerName']),
    hexId,
    catalogId,
    type: typeOf(textAt(node, 'sellerType'), hexId, catalogId),
    rating: rating === null ? null : starsAt(node, rating),
    reviewCount: countAt(node, 'sellerReviewCount'),
    isPro: boolAt(node, 'hasSellerBadge') ?? boolAt(node, 'proSeller'),
  };
}

/**
 * Whether the retailer ships for a seller: as stated, otherwise by the kind of fulfilment. For a third-party seller, FC is
 * the retailer's warehouse and MARKETPLACE the seller's.
 */
export function isFulfilledByRetailer(node: unknown, type: '1p' | '3p' | null): boolean | null {
  const stated = boolAt(node, 'wfsEnabled');
  const kind = textAt(node, 'fulfillmentType')?.toUpperCase() ?? '';
  if (stated === true || (type === '3p' && kind === 'FC')) return true;
  if (stated === false || (type === '3p' && kind === 'MARKETPLACE')) return false;
  return null;
}
