import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import {
  presentCellSellerContext,
  presentSellerContext,
} from '../../../src/answer/wire/record/present-facts.ts';
import { CellSellerContextBody } from '../../../src/answer/wire/record/seller-context.ts';

const NO_FEES = { referralFeeCents: null, fulfillmentFeeCents: null };
const LIVE = {
  restriction: { flag: true, reason: 'ask first' },
  fulfillmentEligibility: { enabled: false, reason: null },
};

test('a cell of a marketplace has fees in dollars, and live fields only when they were asked for', () => {
  const fees = { referralFeeCents: 367, fulfillmentFeeCents: null };
  assert.deepEqual(presentCellSellerContext('retailer_a', fees, null), {
    referral_fee_usd: 3.67,
    fulfillment_fee_usd: null,
    restricted: null,
    fulfillment_eligibility: null,
  });
  const cell = presentCellSellerContext('retailer_a', NO_FEES, LIVE);
  assert.deepEqual(CellSellerContextBody.parse(cell), {
    referral_fee_usd: null,
    fulfillment_fee_usd: null,
    restricted: { flag: true, reason: 'ask first' },
    fulfillment_eligibility: { enabled: false, reason: null },
  });
});

test('where there is no marketplace the whole is null, whatever is known', () => {
  const fees = { referralFeeCents: 1, fulfillmentFeeCents: 1 };
  const present = [...KNOWN_SLUGS, 'somewhere'].filter(
    (slug) => presentCellSellerContext(slug, fees, LIVE) !== null,
  );
  assert.deepEqual(present, ['retailer_w', 'retailer_a', 'retailer_e']);
});

test('in a record the summary is absent unless asked for, and its two facts are null then', () => {
  assert.deepEqual(presentSellerContext({}), { restriction: null, fulfillment_eligibility: null });
  assert.deepEqual(presentSellerContext({ sellerContext: null }), {
    restriction: null,
    fulfillment_eligibility: null,
    seller_context: null,
  });
});
