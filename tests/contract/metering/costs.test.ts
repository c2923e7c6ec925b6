import assert from 'node:assert/strict';

import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

/** What the cost table adds to a call, once for both live-offer flags. */
const ADD_ONS = [
  'include_offers_reviews',
  'include_offers',
  'include_cross_retailer',
  'include_seller_context',
  'include_offers_history',
  'include_price_series',
  'include_force_refresh',
] as const;

function priceOf(asked: ReadonlySet<string>, hasBars: boolean): number {
  const adds = (name: (typeof ADD_ONS)[number], tokens: number): number =>
    asked.has(name) ? tokens : 0;
  const offers = asked.has('include_offers_reviews') || asked.has('include_offers') ? 5 : 0;
  return (
    1 +
    offers +
    adds('include_cross_retailer', 2) +
    adds('include_seller_context', 3) +
    adds('include_offers_history', 5) +
    (hasBars ? adds('include_price_series', 10) : 0) +
    adds('include_force_refresh', 3)
  );
}

const SUBSETS = Array.from(
  { length: 2 ** ADD_ONS.length },
  (_, bits) => new Set<string>(ADD_ONS.filter((__, at) => (bits >> at) % 2 === 1)),
);

/** Checks every subset of the add-ons: the balance falls by what each answer states. */
async function checkAll(id: string, query: string, hasBars: boolean): Promise<void> {
  let key = '';
  let left = 0;
  for (const [number, asked] of SUBSETS.entries()) {
    // Together they would exceed the limit of forced refreshes per minute.
    if (number % 32 === 0) {
      key = await contract.newKey({ organization: `costs-${id}-${query}-${number}`, note: null });
      left = 1_000_000;
    }
    const flags = [...asked].map((name) => `${name}=true`);
    const text = [query, ...flags].filter(Boolean).join('&');
    const record = await contract.record(id, text === '' ? '' : `?${text}`, { key });
    const cost = priceOf(asked, hasBars);
    left -= cost;
    assert.deepEqual(
      [record['tokens_consumed'], record['tokens_remaining']],
      [cost, left],
      `${id}?${text}`,
    );
  }
}

const ROWS =
  'CO-01 CO-02 CO-03 CO-04 CO-05 CO-06 CO-07 CO-08 D17b D17d D18c OV-03 OV-06 PA-02 PA-05 PA-06 PA-08 PA-10 PA-13';

proves(ROWS, 'all 128 combinations of the add-ons cost what the table adds up to, bars held', () =>
  checkAll(contract.world.item_id, '', true),
);

proves(ROWS, 'the same with retailer=', () =>
  checkAll(contract.world.gtin, 'retailer=retailer_w', true),
);

proves(ROWS, 'the same where no bar is held: the series is free', () =>
  checkAll(contract.world.retailers.retailer_w.trouble.sold_out?.id ?? '', '', false),
);

proves(ROWS, 'the same with retailer= of another retailer, whose bars are none of the series', () =>
  checkAll(contract.world.gtin, 'retailer=retailer_b', false),
);
