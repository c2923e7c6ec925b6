// Interprets values as written by sellers of retailer_e, on pages and in the API: conditions by number and name,
// quantities, sales, feedback, and texts that mean "not stated".

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { Availability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import type { BarcodeField, Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { readSoldTag } from '../../../base/listing/vocabularies/sold-tag.ts';
import { firstUnderstood, understood } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { Understood } from '../../../base/listing/vocabularies/unknown-words.ts';
import { specNamed } from '../../page-data/specifications.ts';

/** Texts that sellers enter in a required field to leave it empty. */
const NOTHING =
  /^(?:does ?n[o']t apply|not applicable|n\/?a|none|unbranded(?:\s*\/\s*generic)?|unknown|not (?:available|specified|stated)|see (?:description|details)|[-.\s]*)$/i;

/** Returns the text; null when it means "not stated". */
export function stated(text: string | null): string | null {
  return text === null || NOTHING.test(text.trim()) ? null : text;
}

/** Condition names used only by this site. */
const OWN_NAMES: readonly (readonly [RegExp, Condition])[] = [
  [/^new (?:\(?other\)?|with(?:out)? (?:imperfections|defects|tags|box))/i, 'open_box'],
  [/^(?:excellent|very good|good|certified|seller|manufacturer)\W+refurbished/i, 'refurbished'],
];

/** Returns the condition for a condition id, otherwise for its name. */
export function conditionOf(id: string | null, name: string | null): Understood<Condition> {
  const byId = id === null ? understood<Condition>(null) : readCondition(id);
  if (byId.meaning !== null || name === null) return byId;
  const byName = conditionNamed(name);
  return { ...byName, unknown: [...byId.unknown, ...byName.unknown] };
}

function conditionNamed(name: string): Understood<Condition> {
  // "New with tags" and "New with box" are new; other "New with ..." are not.
  if (!/^new with tags|^new with box/i.test(name)) {
    const own = OWN_NAMES.find(([pattern]) => pattern.test(name));
    if (own !== undefined) return understood(own[1]);
  }
  // Cards have "Pre-Owned · Acme", and pages repeat the text for screen readers.
  const first = name.split(/\s[·|•]\s/, 1)[0] ?? name;
  return firstUnderstood([first, halfOf(first)], readCondition);
}

function halfOf(text: string): string {
  const middle = Math.floor(text.length / 2);
  const half = text.slice(0, middle).trim();
  return half === text.slice(middle).trim() ? half : text;
}

const BARCODES: readonly (readonly [string, BarcodeField])[] = [
  ['UPC', 'upc'],
  ['EAN', 'gtin'],
  ['GTIN', 'gtin'],
  ['ISBN', 'isbn'],
  ['ISBN-13', 'isbn'],
  ['ISBN-10', 'isbn'],
];

/** Returns the first valid barcode in the item specifics. */
function barcodeIn(specs: readonly Spec[]): Gtin14 | null {
  for (const [name, field] of BARCODES) {
    const text = specNamed(specs, [name]);
    const code = text === null ? null : readGtin(text, field);
    if (code !== null) return code;
  }
  return null;
}

/** Returns the maker and its numbers from the item specifics. */
export function specificFacts(
  specs: readonly Spec[],
): Pick<Listing, 'gtin' | 'brand' | 'mpn' | 'model' | 'packCount'> {
  const lot = specNamed(specs, ['Lot Size']);
  return {
    gtin: barcodeIn(specs),
    brand: stated(specNamed(specs, ['Brand', 'Publisher Brand'])),
    mpn: stated(specNamed(specs, ['MPN', 'Manufacturer Part Number'])),
    model: stated(specNamed(specs, ['Model'])),
    packCount: lot !== null && /^\d{1,5}$/.test(lot.trim()) ? lotCount(Number(lot)) : null,
  };
}

/** Returns the number of items sold as one lot; the API writes 0 when there is no lot. */
export function lotCount(size: number | null): number | null {
  return size !== null && Number.isInteger(size) && size >= 1 && size <= 100_000 ? size : null;
}

/** Returns the lot size in "2 lots available (5 items per lot)". */
export function lotSizeIn(text: string): number | null {
  const digits = /\b(\d{1,5}) items? per lot\b/i.exec(text.slice(0, 300))?.[1];
  return digits === undefined ? null : lotCount(Number(digits));
}

/** Returns the stock in "More than 10 available", "Last one", "Out of stock"; ignores the number sold. */
export function quantityMeaning(text: string | null): Understood<Availability> {
  if (text === null) return understood<Availability>(null);
  const line = text
    .replace(SOLD, ' ')
    .replaceAll(/[/·|]/g, ' ')
    .trim();
  if (/^limited quantity available$/i.test(line)) {
    return understood({ inStock: true, unavailable: false });
  }
  return readAvailability(line);
}

const SOLD =
  /(?:(?:over|more than) )?\d[\d.,]*[KkMm]?\+? sold(?: in (?:the )?last \d{1,3} hours?)?/i;

/** "1,234 sold" as written (D24). */
export function soldTagIn(text: string | null): string | null {
  const tag = text === null ? undefined : SOLD.exec(text.slice(0, 300))?.[0];
  return tag === undefined ? null : readSoldTag(tag);
}

/** Converts a seller's share of positive feedback to a scale of 5. The API writes zero for a seller without feedback. */
export function starsOfShare(percent: number | null): number | null {
  if (percent === null || !(percent > 0 && percent <= 100)) return null;
  return Math.round(percent * 5) / 100;
}

/** Messages above ended listings. */
const ENDED =
  /\b(?:(?:bidding|listing|auction|sale|item)\s(?:on this item\s)?(?:has |was |is )?(?:been )?(?:ended|removed|closed)|ended (?:by the seller|on|early)|(?:listing|item) (?:has )?(?:been )?sold\b|sold on \w+|no longer available)/i;

/**
 * The same in the languages of hosts in other countries: a word for the listing and a word for its end, in either order.
 */
const ENDED_ABROAD = new RegExp(
  [
    // German
    '(?:angebot|auktion|bieten|gebotsfrist)\\b.{0,80}\\b(?:beendet|verkauft|abgelaufen)',
    'artikel (?:wurde|ist)\\b.{0,60}\\b(?:beendet|verkauft|nicht mehr verfügbar)',
    // French
    '(?:annonce|vente|enchères?)\\b.{0,60}(?:vendue|terminée?s?|clôturée?s?|pris fin)',
    '(?:terminé|clôturé) (?:cette|la) (?:vente|annonce)',
    // Italian
    '(?:inserzione|asta|vendita)\\b.{0,60}\\b(?:vendut|chius|conclus|terminat|scadut)[ao]',
    // Spanish
    '(?:anuncio|subasta|venta|puja)\\b.{0,60}(?:vendió|vendido|finalizó|finalizad[ao]|terminó|terminad[ao]|cerrad[ao])',
    '(?:terminado|finalizado|cerrado) (?:esta|este|la|el) (?:lista|anuncio|subasta|venta)',
    // Dutch, Polish
    '(?:aanbieding|veiling|bieden)\\b.{0,60}(?:verkocht|beëindigd|afgelopen|gesloten)',
    '(?:oferta|aukcja|licytacja)\\b.{0,60}(?:sprzedana|zakończona|zakończyła)',
  ].join('|'),
  'iu',
);

/** Whether a message says that the listing has ended; out of stock does not mean ended (D24). */
export function saysEnded(text: string): boolean {
  const message = text.slice(0, 500);
  return ENDED.test(message) || ENDED_ABROAD.test(message);
}
