import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { EMPTY_OFFER } from '../../../src/base/listing/offer.ts';
import { EMPTY_SELLER } from '../../../src/base/listing/seller.ts';
import { storeOffers } from '../../../src/answer/collect/storing/store-offers.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { upsertReviews, upsertReviewTotals } from '../../../src/data/answers/reviews.ts';
import { upsertSellerProfile } from '../../../src/data/answers/sellers.ts';
import { openStore } from '../../../src/data/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');
const HEX = 'A'.repeat(32);

/** A store with a seller, a review with its totals and two offers, closed again; returns the path. */
async function makeStore(folder: string): Promise<string> {
  const path = join(folder, 'openshelf.sqlite');
  await using store = await openStore({ kind: 'sqlite', path });
  const reviews = {
    averageRating: 4,
    totalReviews: 1,
    ratingDistribution: { 5: 0, 4: 1, 3: 0, 2: 0, 1: 0 },
    reviews: [],
  };
  const review = {
    id: 'r1',
    day: '2026-03-01',
    rating: 4,
    title: null,
    text: 'Good.',
    isVerifiedPurchase: true,
    author: null,
  };
  const met = { hexId: HEX, catalogId: '101', type: '3p' } as const;
  await store.sql.write([
    ...upsertSellerProfile(met, { ...EMPTY_SELLER, sellerId: HEX }, NOON),
    ...upsertReviews('1234567', [review], NOON),
    upsertReviewTotals('1234567', reviews, NOON),
    ...upsertListing({
      retailer: 'retailer_w',
      key: '1234567',
      url: 'https://shop.example/1234567',
      foundVia: 'native_catalog',
      fetchedAtMs: NOON,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    }),
  ]);
  const offer = {
    ...EMPTY_OFFER,
    offerId: 'o1',
    sellerIdHex: HEX,
    price: { cents: 500, currency: 'USD' },
  };
  await storeOffers(store, {
    listingId: listingIdOf('retailer_w', '1234567'),
    retailer: 'retailer_w',
    offers: [offer, { ...offer, offerId: 'o2' }],
    fetchedAtMs: NOON,
    isPartial: false,
  });
  assert.deepEqual(await checkStore(store.sql), []);
  return path;
}

let kept: TemporaryFolder;
let sound = '';

before(async () => {
  kept = temporaryFolder();
  sound = await makeStore(kept.path);
});

after(() => kept[Symbol.dispose]());

/** Copies the store into its own folder; returns its path. */
function copyInto(folder: string): string {
  const path = join(folder, 'openshelf.sqlite');
  copyFileSync(sound, path);
  return path;
}

async function problemsAfter(damage: string): Promise<string> {
  using folder = temporaryFolder();
  const path = copyInto(folder.path);
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(damage);
  db.close();
  await using store = await openStore({ kind: 'sqlite', path });
  return (await checkStore(store.sql)).join('\n');
}

const DAMAGES: readonly (readonly [damage: string, expected: RegExp])[] = [
  ["update sellers set seller_key = 'x'", /^seller x: it is not stored under any of its ids$/],
  ["update sellers set seller_key = 'a', seller_hex = 'a'", /^seller a: a is not 32 digits/],
  ["update sellers set catalog_id = '1x1'", /^seller A{32}: 1x1 is not a number$/],
  ["update sellers set profile = '['", /^seller A{32}: the profile is not readable$/],
  ["update sellers set profile = '[]'", /^seller A{32}: the profile is not readable$/],
  [`update sellers set profile = '{"sellerId":"B"}'`, /^seller A{32}: the profile is that of "B"$/],
  ["update reviews set day = '2026-02-30'", /^review 1234567 r1: 2026-02-30 is not a day$/],
  ["update reviews set day = 'March'", /^review 1234567 r1: March is not a day$/],
  ['update review_totals set average = 5.1', /^reviews of 1234567: an average of 5.1$/],
  ['update review_totals set total = -1', /^reviews of 1234567: -1 reviews$/],
  ["update review_totals set distribution = '7'", /^reviews of 1234567: the numbers by stars are/],
  [
    `update review_totals set distribution = '{"6":1}'`,
    /^reviews of 1234567: 1 reviews of 6 stars$/,
  ],
  [`update review_totals set distribution = '{"5":-2}'`, /^reviews of 1234567: -2 reviews of 5 /],
  ['delete from review_totals', /^reviews of 1234567: there are some, but no totals$/],
  ["update archived_offers set record = '{'", /^offer \S+ \d+ 0: the record is not readable$/m],
  ["update archived_offers set offer_id = 'o3'", /0: the record has id o1, the column o3$/m],
  [
    'update archived_offers set seller_key = null',
    /0: the record has seller A{32}, the column null$/m,
  ],
  ['update archived_offers set price_cents = 499', /0: the record has price 500, the column 499$/m],
  [
    "update listings set retailer = 'retailer_a'",
    /^offers of \S+: archived, but .* of retailer_a$/m,
  ],
  ['delete from listings', /^offers of \S+: the listing does not exist$/m],
  ['update offer_lists set offers_count = 1', /^offers of \S+: 2 are stored, of a list of 1$/],
  [
    'delete from offer_lists',
    /^offers of \S+: they are of a list read at \d+, but no list is recorded$/,
  ],
];

for (const [damage, expected] of DAMAGES) {
  test(`one sentence is told after: ${damage}`, async () => {
    assert.match(await problemsAfter(damage), expected);
  });
}

// By a day, so that the machine's time comes close to the stored one, and by smaller amounts.
for (const past of [86_400_000, 240_000, 1].flatMap((ms) => [
  `update sellers set fetched_at_ms = met_at_ms + ${ms}`,
  `update offer_lists set fetched_at_ms = fetched_at_ms - ${ms}`,
])) {
  test(`what a clock told that was set back since is not a problem: ${past}`, async () => {
    assert.equal(await problemsAfter(past), '');
  });
}

test('all rows are looked at, however many there are, and the rest is counted', async () => {
  const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1700)
    insert into reviews (item_id, review_id, day, stars, seen_at_ms)
      select '1234567', 'x' || i, case when i % 17 = 0 then 'never' else '2026-01-01' end, 5, 0 from n`;
  const problems = (await problemsAfter(many)).split('\n');
  assert.equal(problems.length, 21);
  assert.equal(problems.at(-1), '... and 80 more of this kind');
});
