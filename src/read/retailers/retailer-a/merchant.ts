// Reads the seller on a product page of retailer_a: from the link to a seller profile, a table, or a sentence. The retailer
// itself has no profile and is recognized by its id and names.

import type { Listing } from '../../../base/listing/listing.ts';
import {
  attributeOf,
  hasClass,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import { isOwnSeller } from './address-book.ts';
import { isOf } from './page-parts.ts';
import type { PageParts } from './page-parts.ts';

type Merchant = Pick<Listing, 'sellerName' | 'sellerId' | 'sellerType'>;

const MESSAGE = new Set(['offer-display-feature-text-message', 'tabular-buybox-text']);
/** The seller id in a link to its profile or its offers. */
export const SELLER_ID = /[?&;]seller=([A-Z0-9]{8,21})(?![A-Z0-9])/;
/** "Ships from and sold by X.", "Sold by X and Fulfilled by Y." */
const SOLD_BY =
  /\bsold by:?\s+(.{1,100}?)(?:\s+and (?:fulfilled|ships|shipped)\b|\s+in \S+ packaging|\.(?:\s|$)|$)/i;

function merchantOf(name: string | null, id: string | null): Merchant | null {
  if (name === null && id === null) return null;
  const own = isOwnSeller(id, name);
  return { sellerName: name, sellerId: id, sellerType: own === true ? '1p' : '3p' };
}

/** The same sentence in the languages of the retailer's countries: text before the name, and text that may follow it. */
const SOLD_BY_ABROAD = new RegExp(
  `(?:${[
    // German, French, Spanish
    'verkauf und versand durch|verkauft (?:von|durch)',
    'expédié et vendu par|vendu (?:et expédié )?par',
    'vendido (?:y enviado )?por',
    // Portuguese, Italian, Dutch
    'vendido e enviado por|vendido por',
    'venduto (?:e spedito )?da',
    'verkocht (?:en verzonden )?door',
    // Swedish, Polish, Turkish
    'säljs (?:och skickas )?av',
    'sprzedawane (?:i wysyłane )?przez',
    'satıcı:?',
  ].join('|')})\\s*:?\\s+(.{1,100}?)` +
    '(?:\\s+(?:und versand|et expédié|y enviado|e spedito|en verzonden|i wysyłane)\\b|\\.(?:\\s|$)|$)',
  'iu',
);
/** Labels of the seller row in a table, in the same languages and in Japanese. */
const SOLD_BY_LABEL = new RegExp(
  `^\\s*(?:${[
    'sold by|sold',
    'verkauf durch|verkäufer|verkauft',
    'vendu par|vendeur',
    'vendido por|vendedor',
    'venditore|venduto da',
    'verkoper|verkocht door',
    'säljare|säljs av',
    'sprzedawca|sprzedawane',
    'satıcı|販売元',
  ].join('|')})(?![\\p{L}])`,
  'iu',
);

/** The part with the seller's name before a link whose text is not the name (2026). */
const NAME_CARD = 'merchant-trust-info-card';
/** The text of such a link in the languages of the US shop. It is not a name. */
const ABOUT_SELLER = /\b(?:about the seller|acerca del vendedor)\b/i;

function sellerPart(tag: MarkupScanner): string | null {
  if (tag.attribute('id') === NAME_CARD) return 'card';
  if (tag.name === 'a' && SELLER_ID.test(tag.attribute('href') ?? '')) return 'link';
  if (tag.name === 'tr') return 'row';
  const about = tag.attribute('tabular-attribute-name');
  if (about !== null && !SOLD_BY_LABEL.test(about)) return null;
  return hasClass(tag, MESSAGE) ? 'message' : null;
}

/** Returns the seller in a block: from a link to its profile, otherwise by name. */
function merchantIn(block: string, label: RegExp): Merchant | null {
  const html = block.slice(0, 60_000);
  const found = pageElements(html, sellerPart).slice(0, 40);
  const nameOf = (element: PageElement | undefined): string | null => {
    const name = element === undefined ? null : visibleText(html, element, 200);
    return name === null || ABOUT_SELLER.test(name) ? null : name;
  };
  const links = found.filter((each) => each.key === 'link');
  const card = nameOf(found.find((each) => each.key === 'card'));
  const link = links.find((each) => nameOf(each) !== null);
  const linked = link ?? links[0];
  const id =
    linked === undefined
      ? null
      : (SELLER_ID.exec(attributeOf(html, linked, 'href') ?? '')?.[1] ?? null);
  if (card !== null || link !== undefined) return merchantOf(card ?? nameOf(link), id);
  // In a table with "Ships from" and "Sold by" only the "Sold by" row counts.
  const row = found.find(
    (each) => each.key === 'row' && label.test(visibleText(html, each, 120) ?? ''),
  );
  const hasRows = found.some((each) => each.key === 'row');
  const message = found.find(
    (each) =>
      each.key === 'message' &&
      (!hasRows || (row !== undefined && each.start > row.start && each.start < row.to)),
  );
  return merchantOf(nameOf(message), id);
}

const SELLER_PLACES = [
  'merchantInfoFeature_feature_div',
  'tabular-buybox',
  'sold by',
  'merchant-info',
  'merchantInfo',
];

function sellerOf(parts: PageParts): Merchant | null {
  let unnamed: Merchant | null = null;
  for (const place of SELLER_PLACES) {
    for (const part of parts.all(place)) {
      if (!isOf(part, ['main', 'renewed'])) continue;
      const found = merchantIn(part.inner, SOLD_BY_LABEL);
      if (found !== null && found.sellerName !== null) return found;
      unnamed ??= found;
      const text = visibleText(parts.html, part.element, 300) ?? '';
      const name =
        place === 'sold by' ? text : (SOLD_BY.exec(text) ?? SOLD_BY_ABROAD.exec(text))?.[1]?.trim();
      const isName = name !== undefined && name !== '' && !ABOUT_SELLER.test(name);
      if (isName) return merchantOf(name, found?.sellerId ?? null);
    }
  }
  return unnamed ?? merchantIn(triggerOf(parts), /^$/);
}

/** Adds the seller id from the cart form, the only place that states an id of the retailer itself. */
function withCartId(parts: PageParts, seller: Merchant | null): Merchant | null {
  if (seller !== null && seller.sellerId !== null) return seller;
  const part = parts.all('merchantID').find((each) => isOf(each, ['main', 'renewed']));
  const id = part === undefined ? null : attributeOf(parts.html, part.element, 'value');
  const name = seller?.sellerName ?? null;
  return merchantOf(name, id !== null && /^[A-Z0-9]{8,21}$/.test(id) ? id : null);
}

/** Returns the link to the seller's profile, anywhere on the page. */
function triggerOf(parts: PageParts): string {
  const part = parts.all('sellerProfileTriggerId').find((each) => isOf(each, ['main', 'renewed']));
  return part === undefined ? '' : parts.html.slice(part.element.start, part.element.to);
}

/** Returns the seller of the buy box; null when the page does not state one. */
export function readMerchant(parts: PageParts): Merchant | null {
  return withCartId(parts, sellerOf(parts));
}
