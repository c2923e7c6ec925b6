import assert from 'node:assert/strict';

import { DAY_MS } from '../../../../src/base/clock.ts';
import { SANDBOX_ACCESS } from '../../../../sandbox/tokens.ts';
import { at, contractService, refused, type Contract } from '../../support/contract-service.ts';
import { askedSince } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const key = { OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey };
const pagesOff = { OPENSHELF_RETAILER_W_PAGES: 'off' };
/** retailer_w has no source, and retailer_b an official one. */
const pageless = contractService({ env: { ...key, ...pagesOff }, isAlone: true });
/** retailer_w has no source, and retailer_b only its pages. */
const keyless = contractService({ env: pagesOff, isAlone: true });
/** Both can be asked. */
const open = contractService({ env: key, isAlone: true });

const moment = ({ sandbox }: Contract) => sandbox.requests().length;

function isSkuOfRetailerB(record: Record<string, unknown>): void {
  assert.equal(at(record, '_meta.source'), 'retailer_b');
  assert.deepEqual(at(record, '_meta.not_asked'), ['retailer_w']);
}

proves(
  'D78a',
  'where retailer_w has no source, a SKU is retailer_b’s, and the record says who was not asked',
  async () => {
    const { retailer_b_sku: sku } = pageless.world;
    const from = moment(pageless);
    isSkuOfRetailerB(await pageless.record(sku));
    await pageless.untilQueueIdle();
    isSkuOfRetailerB(await pageless.record(sku));
    assert.ok(!askedSince(pageless, from).includes('retailer_w'));
  },
);

proves(
  'D78b',
  'a number that retailer_b does not have is not found, and the detail says who was not asked',
  async () => {
    const answer = await pageless.lookup('10000019');
    refused(answer, 404, 'not_found');
    assert.match(
      String(answer.body['detail']),
      /^This installation cannot search the catalog of retailer_w: .* retailer_b, /,
    );
  },
);

proves('D78c', 'a longer number is only an item id, so nobody else can have it', async () => {
  refused(await pageless.lookup('100000199'), 503, 'upstream_unavailable');
});

proves('D78c', 'without an official source of retailer_b a number stays open', async () => {
  const { retailer_b_sku: sku } = keyless.world;
  const from = moment(keyless);
  refused(await keyless.lookup(sku), 503, 'upstream_unavailable');
  assert.deepEqual(askedSince(keyless, from), []);
});

proves('D78d', 'a retailer_w that does not answer now leaves a number open', async () => {
  const { retailer_b_sku: sku } = open.world;
  for (const trouble of ['blocked', 'broken', 'down'] as const) {
    open.sandbox.disturb('retailer_w', trouble);
    try {
      const { status, body } = await open.lookup(sku);
      assert.deepEqual([status, body['code']], [503, 'upstream_unavailable'], trouble);
    } finally {
      open.sandbox.disturb('retailer_w', null);
      // The pause of a host that failed, and a robots.txt that could not be read, are over by then.
      open.clock.advance(2 * DAY_MS);
    }
  }
});

proves(
  'D78a D78e',
  'a robots.txt of retailer_w that forbids its pages does the same, and is not remembered as an answer',
  async () => {
    const { retailer_b_sku: sku } = open.world;
    open.sandbox.disturb('retailer_w', 'disallowed');
    try {
      open.clock.advance(2 * DAY_MS);
      isSkuOfRetailerB(await open.record(sku));
      await open.untilQueueIdle();
      const stored = await open.record(sku);
      isSkuOfRetailerB(stored);
    } finally {
      open.sandbox.disturb('retailer_w', null);
      open.clock.advance(2 * DAY_MS);
    }
    await open.untilQueueIdle();
    const from = moment(open);
    const record = await open.record(sku);
    assert.equal(at(record, '_meta.source'), 'retailer_b');
    assert.equal(at(record, '_meta.not_asked'), undefined);
    assert.equal(askedSince(open, from)[0], 'retailer_w');
  },
);
