// Every word that a known source uses for condition and stock, source by source: each is mapped to the source's meaning, or
// is known to mean nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAvailability } from '../../../src/base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../src/base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../src/base/listing/offer.ts';

type Words = readonly (readonly [Condition | null, string])[];

const CONDITIONS: Readonly<Record<string, Words>> = {
  'ids of retailer_e': [
    ['new', '1000'],
    ['open_box', '1500|1750'],
    ['refurbished', '2000|2010|2020|2030|2500'],
    ['used_like_new', '2750'],
    ['used_very_good', '2990|4000'],
    ['used_good', '3000|5000'],
    ['used_acceptable', '3010|6000'],
    ['for_parts', '7000'],
    [null, '0|999|10000|123456'],
  ],
  'families of ids that nobody lists': [
    ['new', '1200'],
    ['open_box', '1600'],
    ['refurbished', '2600'],
    ['used_good', '3500'],
    ['for_parts', '7500'],
  ],
  'names of retailer_e': [
    ['new', 'New|Brand new|New with tags|New with box'],
    ['open_box', 'New other|Open box|New without tags|New with defects'],
    [
      'refurbished',
      'Certified - Refurbished|Excellent - Refurbished|Very Good - Refurbished|' +
        'Good - Refurbished|Seller refurbished|Seller refurbished (re-manufactured)',
    ],
    ['used_like_new', 'Like New|Graded'],
    ['used_very_good', 'Pre-owned - Excellent|Very Good|Ungraded'],
    ['used_good', 'Used|Pre-owned - Good|Good'],
    ['used_acceptable', 'Pre-owned - Fair|Acceptable'],
    ['for_parts', 'For parts or not working'],
  ],
  'inventory words of retailer_e': [
    ['new', 'NEW'],
    ['open_box', 'NEW_OTHER|NEW_WITH_DEFECTS'],
    [
      'refurbished',
      'CERTIFIED_REFURBISHED|EXCELLENT_REFURBISHED|VERY_GOOD_REFURBISHED|GOOD_REFURBISHED|' +
        'SELLER_REFURBISHED',
    ],
    ['used_like_new', 'LIKE_NEW'],
    ['used_very_good', 'PRE_OWNED_EXCELLENT|USED_VERY_GOOD'],
    ['used_good', 'USED_EXCELLENT|USED_GOOD'],
    ['used_acceptable', 'PRE_OWNED_FAIR|USED_ACCEPTABLE'],
    ['for_parts', 'FOR_PARTS_OR_NOT_WORKING'],
  ],
  retailer_a: [
    ['new', 'New|new_new|new_oem|OEM'],
    ['open_box', 'new_open_box|OpenBox'],
    [
      'refurbished',
      'Refurbished|RefurbishedWarranty|refurbished_refurbished|Renewed|(Renewed)|' +
        '(Renewed Premium)|Amazon Renewed',
    ],
    ['used_like_new', 'Mint|LikeNew|used_like_new|Used - Like New'],
    ['used_very_good', 'VeryGood|used_very_good|Used - Very Good'],
    ['used_good', 'Used|Good|used_good|Used - Good'],
    ['used_acceptable', 'Acceptable|Poor|used_acceptable|Used - Acceptable'],
    [
      'collectible',
      'Collectible|collectible_like_new|collectible_very_good|collectible_good|' +
        'collectible_acceptable|Collectible - Like New|Collectible - Very Good|Collectible - Mint',
    ],
    [null, 'Club|CLUB|club_club|Any|Other|Warranty|Unknown'],
  ],
  retailer_w: [
    ['new', 'New'],
    ['open_box', 'Open Box'],
    [
      'refurbished',
      'Restored|Restored: Premium|Restored: Like New|Restored: Good|Restored: Fair|' +
        'Refurbished|Remanufactured',
    ],
    ['used_like_new', 'Pre-Owned: Like New'],
    ['used_good', 'Pre-Owned|Pre-Owned: Good|Used'],
    ['used_acceptable', 'Pre-Owned: Fair'],
  ],
  retailer_b: [
    ['new', 'new'],
    ['refurbished', 'refurbished|Geek Squad Certified Refurbished'],
    ['used_good', 'pre-owned|Pre-Owned'],
    [
      'open_box',
      'Open-Box|open_box|Open-Box Excellent|Open-Box Good|Open-Box Satisfactory|Open-Box Fair|' +
        'Open-Box Certified',
    ],
  ],
  'schema.org and feeds': [
    ['new', 'http://schema.org/NewCondition|NEWCONDITION|New'],
    ['new', 'NewCondition|https://schema.org/NewCondition|schema:NewCondition|new'],
    ['refurbished', 'RefurbishedCondition|http://schema.org/RefurbishedCondition|refurbished'],
    ['used_good', 'UsedCondition|https://schema.org/UsedCondition|used'],
    ['for_parts', 'DamagedCondition|https://schema.org/DamagedCondition'],
    [null, 'https://schema.org/OfferItemCondition|SomeCondition|condition|?'],
  ],
};

for (const [source, words] of Object.entries(CONDITIONS)) {
  test(`condition: ${source}`, () => {
    for (const [condition, texts] of words) {
      for (const text of texts.split('|'))
        assert.equal(readCondition(text).meaning, condition, text);
    }
  });
}

/** In stock; out, but it may come back; gone for good; not sold and unclear; no information. */
type Stock = 'in' | 'out' | 'gone' | 'unsure' | 'nothing';

const STOCK: Readonly<Record<string, readonly (readonly [Stock, string])[]>> = {
  'schema.org': [
    ['in', 'InStock|LimitedAvailability|OnlineOnly|MadeToOrder'],
    ['out', 'InStoreOnly|PreOrder|PreSale|BackOrder|Reserved|OutOfStock|SoldOut'],
    ['gone', 'Discontinued'],
    ['nothing', 'ItemAvailability|SomethingElse'],
  ],
  retailer_w: [
    ['in', 'IN_STOCK|Available|Limited Supply|Last few items'],
    ['out', 'OUT_OF_STOCK|PREORDER'],
    ['gone', 'RETIRED'],
    ['unsure', 'NOT_AVAILABLE|Not available'],
  ],
  retailer_a: [
    ['in', 'IN_STOCK|IN_STOCK_SCARCE|LEADTIME|In Stock|Only 3 left in stock - order soon'],
    ['in', 'Usually ships within 3 days|Available to ship in 1-2 days'],
    ['out', 'AVAILABLE_DATE|OUT_OF_STOCK|PREORDER|Temporarily out of stock|Currently unavailable'],
    ['out', 'This item will be released on May 3, 2027'],
    ['unsure', 'UNAVAILABLE'],
    ['nothing', 'UNKNOWN'],
  ],
  retailer_e: [
    ['in', 'IN_STOCK|LIMITED_STOCK|More than 10 available|3 available|Last one'],
    ['out', 'OUT_OF_STOCK|Out of stock'],
    ['gone', 'This listing ended'],
  ],
  retailer_b: [
    ['in', 'Available|ADD_TO_CART'],
    ['out', 'SoldOut|ComingSoon|PreOrder|BackOrder|SpecialOrder|CheckStores'],
    ['out', 'TemporarilyUnavailable|SOLD_OUT|CHECK_STORES|PRE_ORDER|COMING_SOON'],
    ['gone', 'Discontinued'],
    ['unsure', 'NOT_AVAILABLE'],
  ],
  retailer_t: [
    ['in', 'IN_STOCK|LIMITED_STOCK'],
    ['out', 'PRE_ORDER_SELLABLE|BACKORDER_SELLABLE|OUT_OF_STOCK|PRE_ORDER_UNSELLABLE'],
    ['gone', 'DISCONTINUED'],
    ['unsure', 'UNAVAILABLE|NOT_AVAILABLE'],
  ],
  'OpenGraph and merchant feeds': [
    ['in', 'instock|in stock|in_stock|available for order'],
    ['out', 'oos|out of stock|out_of_stock|preorder|backorder'],
    ['gone', 'discontinued'],
    ['nothing', 'pending|soonish|1'],
  ],
};

function stockOf(text: string): Stock {
  const meaning = readAvailability(text).meaning;
  if (meaning === null) return 'nothing';
  if (meaning.inStock === true) return 'in';
  if (meaning.unavailable === null) return 'unsure';
  return meaning.unavailable ? 'gone' : 'out';
}

for (const [source, words] of Object.entries(STOCK)) {
  test(`stock: ${source}`, () => {
    for (const [stock, texts] of words) {
      for (const text of texts.split('|')) assert.equal(stockOf(text), stock, text);
    }
  });
}
