// The status of a seller (D92): what a source states, else whether it sells anything now.

import assert from 'node:assert/strict';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { EMPTY_SELLER, type SellerProfile } from '../../../src/base/listing/seller.ts';
import { writeChanges, type AnswerChange } from '../../../src/data/answers/answer-writes.ts';
import { contractService, type Contract } from '../support/contract-service.ts';
import { one } from '../support/market.ts';
import { proves } from '../support/proves.ts';

const contract = contractService({ isStill: true });

/** The affiliate API's offers count for six hours here, and no history may be made of them. */
const withTerms = contractService({
  isStill: true,
  hasTerms: true,
  env: { OPENSHELF_TERMS: 'retailer_w.affiliate:price_hours=6' },
});

const hexOf = (number: number): string => `5E11E2${String(number).padStart(26, '0')}`;

/** Stores the profile of a seller as read now, and the other changes before it. */
async function store(
  { app, clock }: Contract,
  number: number,
  profile: Partial<SellerProfile>,
  before: readonly AnswerChange[] = [],
): Promise<void> {
  const seller = {
    hexId: hexOf(number),
    catalogId: String(102_000_000 + number),
    type: '3p',
  } as const;
  const ids = { sellerId: seller.hexId, catalogSellerId: seller.catalogId };
  const read = {
    kind: 'seller-profile' as const,
    seller,
    profile: { ...EMPTY_SELLER, ...ids, ...profile },
    fetchedAtMs: clock.now(),
  };
  assert.ok((await writeChanges(app.store.sql, [...before, read])).done);
}

/** An offer of the seller that was read `agoMs` ago. */
function offer(
  { clock }: Contract,
  number: number,
  { agoMs = 0, source = null }: { readonly agoMs?: number; readonly source?: string | null } = {},
): AnswerChange {
  const seller = { hexId: hexOf(number), catalogId: null, type: '3p' } as const;
  return { kind: 'seller', seller, seenAtMs: clock.now() - agoMs, offer: { source } };
}

async function statusOf(on: Contract, number: number): Promise<unknown> {
  return (await on.ok(`/v1/sellers/${hexOf(number)}`))['status'];
}

proves(
  'D92a SE-07 ST-04',
  'a seller with listings is active, and so is one of whom an offer was read today',
  async () => {
    await store(contract, 1, { activeListings: 12 });
    assert.equal(await statusOf(contract, 1), 'ACTIVE');
    await store(contract, 2, {}, [offer(contract, 2)]);
    assert.equal(await statusOf(contract, 2), 'ACTIVE');
    await store(contract, 3, { activeListings: 0 }, [offer(contract, 3)]);
    assert.equal(await statusOf(contract, 3), 'ACTIVE', 'the offer is newer than the count');
    const { world } = contract;
    await contract.record(world.seller_item_id ?? '', '?include_offers=true');
    const profile = await contract.ok(`/v1/sellers/${world.seller_id}`);
    assert.ok(Number(profile['active_listings']) > 0);
    assert.equal(profile['status'], 'ACTIVE');
  },
);

proves(
  'D92a',
  'a product page that names the seller at a price is an offer, and so is every row of a list',
  async () => {
    const listing = one(
      contract,
      'retailer_w',
      ({ buyBox, offers }) =>
        buyBox !== null && !buyBox.isFirstParty && buyBox.inStock && offers.length > 1,
    );
    const offeredAtMs = async (id: unknown) =>
      (await contract.app.store.sellers.findSeller({ kind: 'hex', value: String(id) }))
        ?.offeredAtMs;
    const record = await contract.record(listing.id);
    assert.equal(await offeredAtMs(record['seller_id']), contract.clock.now());
    const { offers } = await contract.record(listing.id, '?include_offers=true');
    for (const { seller_id_hex: id, seller_type: type } of offers as readonly Record<
      string,
      unknown
    >[]) {
      if (type === '3p') assert.equal(await offeredAtMs(id), contract.clock.now());
    }
  },
);

proves(
  'D92b SE-07',
  'a seller whose page says that there are no listings is inactive',
  async () => {
    await store(contract, 4, { activeListings: 0 });
    assert.equal(await statusOf(contract, 4), 'INACTIVE');
    await store(contract, 5, { activeListings: 0 }, [offer(contract, 5, { agoMs: DAY_MS })]);
    assert.equal(await statusOf(contract, 5), 'INACTIVE', 'an offer of yesterday says nothing');
  },
);

proves(
  'D92c SE-07',
  'what a source states of the account comes before what is counted',
  async () => {
    await store(contract, 6, { status: 'SUSPENDED', activeListings: 3 }, [offer(contract, 6)]);
    assert.equal(await statusOf(contract, 6), 'SUSPENDED');
    await store(contract, 7, { status: 'ONBOARDING_INACTIVE' });
    assert.equal(await statusOf(contract, 7), 'ONBOARDING_INACTIVE');
  },
);

proves(
  'D92d SE-07',
  'without a count the status is null, until an offer is read and again from the next UTC day',
  async () => {
    await store(contract, 8, {});
    assert.equal(await statusOf(contract, 8), null, 'reading the profile is not an offer');
    await store(contract, 9, {}, [offer(contract, 9)]);
    assert.equal(await statusOf(contract, 9), 'ACTIVE');
    const untilMidnightMs = DAY_MS - (contract.clock.now() % DAY_MS);
    contract.clock.advance(untilMidnightMs - 1);
    assert.equal(await statusOf(contract, 9), 'ACTIVE');
    contract.clock.advance(1);
    assert.equal(await statusOf(contract, 9), null);
  },
);

proves(
  'D92e',
  'an offer of a source that forbids its history counts no longer than its hours',
  async () => {
    const source = 'retailer_w.affiliate';
    await store(withTerms, 10, {}, [offer(withTerms, 10, { source, agoMs: 5 * HOUR_MS })]);
    assert.equal(await statusOf(withTerms, 10), 'ACTIVE');
    const page = offer(withTerms, 11, { agoMs: 8 * HOUR_MS });
    await store(withTerms, 11, {}, [page, offer(withTerms, 11, { source, agoMs: 5 * HOUR_MS })]);
    withTerms.clock.advance(HOUR_MS);
    assert.equal(await statusOf(withTerms, 10), null);
    assert.equal(await statusOf(withTerms, 11), 'ACTIVE', 'the page of this morning still counts');
  },
);
