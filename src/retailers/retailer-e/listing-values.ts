// Values as sellers of retailer_e write them, on pages and in the API alike: conditions by number and name,
// quantities, sales, feedback, and what sellers put where they have nothing to say.

import { readAvailability } from '../../listing/availability.ts';
import type { Availability } from '../../listing/availability.ts';
import { readCondition } from '../../listing/condition.ts';
import { readGtin } from '../../identifiers/gtin.ts';
import type { BarcodeField, Gtin14 } from '../../identifiers/gtin.ts';
import type { Condition, Listing, Spec } from '../../listing/listing.ts';
import { readSoldTag } from '../../listing/sold-tag.ts';
import { firstUnderstood, understood } from '../../listing/unknown-words.ts';
import type { Understood } from '../../listing/unknown-words.ts';
import { specNamed } from '../../page-data/specifications.ts';

/** What stands in a field that the site demands and the seller does not fill. */
const NOTHING =
  /^(?:does ?n[o']t apply|not applicable|n\/?a|none|unbranded(?:\s*\/\s*generic)?|unknown|not (?:available|specified|stated)|see (?:description|details)|[-.\s]*)$/i;

/** The text, unless it is a way of saying nothing. */
export function stated(text: string | null): string | null {
  return text === null || NOTHING.test(text.trim()) ? null : text;
}

/** Names that the site gave to a condition of its list and no other retailer uses. */
const OWN_NAMES: readonly (readonly [RegExp, Condition])[] = [
  [/^new (?:\(?other\)?|with(?:out)? (?:imperfections|defects|tags|box))/i, 'open_box'],
  [/^(?:excellent|very good|good|certified|seller|manufacturer)\W+refurbished/i, 'refurbished'],
];

/** The canonical condition of a condition id (vocabularies 1.2), else of its name; null: not known. */
export function conditionOf(id: string | null, name: string | null): Understood<Condition> {
  const byId = id === null ? understood<Condition>(null) : readCondition(id);
  if (byId.meaning !== null || name === null) return byId;
  const byName = conditionNamed(name);
  return { ...byName, unknown: [...byId.unknown, ...byName.unknown] };
}

function conditionNamed(name: string): Understood<Condition> {
  // "New with tags" is new; every other "New with ..." is not.
  if (!/^new with tags|^new with box/i.test(name)) {
    const own = OWN_NAMES.find(([pattern]) => pattern.test(name));
    if (own !== undefined) return understood(own[1]);
  }
  // Cards write "Pre-Owned · Acme"; pages say it twice, once for screen readers.
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

/** The first right barcode of a listing's item specifics. */
export function barcodeIn(specs: readonly Spec[]): Gtin14 | null {
  for (const [name, field] of BARCODES) {
    const text = specNamed(specs, [name]);
    const code = text === null ? null : readGtin(text, field);
    if (code !== null) return code;
  }
  return null;
}

/** Who made it, as item specifics say. */
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

/** Items sold as one lot; 0 is what the API writes where there is none. */
export function lotCount(size: number | null): number | null {
  return size !== null && Number.isInteger(size) && size >= 1 && size <= 100_000 ? size : null;
}

/** "2 lots available (5 items per lot)". */
export function lotSizeIn(text: string): number | null {
  const digits = /\b(\d{1,5}) items? per lot\b/i.exec(text.slice(0, 300))?.[1];
  return digits === undefined ? null : lotCount(Number(digits));
}

/** "More than 10 available", "Last one", "Out of stock": what is left of it; sales are another matter. */
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

/** "1,234 sold", word for word (D24). */
export function soldTagIn(text: string | null): string | null {
  const tag = text === null ? undefined : SOLD.exec(text.slice(0, 300))?.[0];
  return tag === undefined ? null : readSoldTag(tag);
}

/**
 * Stars for a seller: the share of positive feedback on the record's scale of 5. Zero is what the API
 * writes for a seller without feedback.
 */
export function starsOfShare(percent: number | null): number | null {
  if (percent === null || !(percent > 0 && percent <= 100)) return null;
  return Math.round(percent * 5) / 100;
}

/** Sentences over listings that nobody can buy any more. */
const ENDED =
  /\b(?:(?:bidding|listing|auction|sale|item)\s(?:on this item\s)?(?:has |was |is )?(?:been )?(?:ended|removed|closed)|ended (?:by the seller|on|early)|(?:listing|item) (?:has )?(?:been )?sold\b|sold on \w+|no longer available)/i;

/** Whether a message over the listing says that it is over. Out of stock is not (D24). */
export function saysEnded(text: string): boolean {
  return ENDED.test(text.slice(0, 500));
}
