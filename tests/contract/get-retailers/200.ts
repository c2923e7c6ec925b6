import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../src/core/retailer.ts';
import { SANDBOX_ACCESS } from '../../../src/sandbox/tokens.ts';
import { contractService } from '../support/contract-service.ts';
import { readAt } from '../support/market.ts';
import { proves } from '../support/proves.ts';

const SECRET = SANDBOX_ACCESS.apiKey;
const contract = contractService({ env: { OPENSHELF_RETAILER_B_API_KEY: SECRET } });

type Source = Readonly<Record<string, unknown>>;
type Standing = Readonly<Record<string, unknown>> & { readonly sources: readonly Source[] };

proves(
  'D14c D3a CF-01 CF-02 CF-03 CF-04 CF-05 CF-06 CF-07',
  'retailers is free and tells of each what works, how it can confirm, and when it was last read',
  async () => {
    const before = await contract.ok('/v1/retailers');
    assert.equal(before['tokens_consumed'], 0);
    const list = before['retailers'] as readonly Standing[];
    assert.deepEqual(
      list.map((each) => [each['retailer'], each['identity_method']]),
      KNOWN_SLUGS.map((slug) => [
        slug,
        {
          retailer_w: 'catalog_key',
          retailer_a: null,
          retailer_e: 'catalog_key',
          retailer_l: 'page_barcode',
          retailer_t: null,
          retailer_b: 'page_barcode',
          retailer_h: 'page_barcode',
        }[slug],
      ]),
    );
    assert.deepEqual(
      list.filter((each) => each['marketplace'] === true).map((each) => each['retailer']),
      ['retailer_w', 'retailer_a', 'retailer_e'],
    );
    assert.ok(!JSON.stringify(before).includes(SECRET), 'no value of a setting is shown');
    const lastSuccess = async () => {
      const { retailers } = await contract.ok('/v1/retailers');
      return (retailers as readonly Standing[]).find((each) => each['retailer'] === 'retailer_h')?.[
        'last_success_at'
      ];
    };
    assert.equal(await lastSuccess(), null);
    const record = await contract.record(contract.world.retailers.retailer_h.url);
    assert.equal(Date.parse(String(await lastSuccess())), readAt(record));
  },
);

proves('D54d', 'an official API with a key stands before the page', async () => {
  const { retailers } = await contract.ok('/v1/retailers');
  const ofB = (retailers as readonly Standing[]).find((each) => each['retailer'] === 'retailer_b');
  assert.ok(ofB !== undefined);
  const [first, ...rest] = ofB.sources;
  assert.deepEqual([first?.['official_api'], first?.['configured']], [true, true]);
  assert.ok(rest.some((each) => each['name'] === 'page' && each['configured'] === true));
});

proves('D54b', 'an API that asked to be left alone is told with the seconds', async () => {
  const { throttled } = contract.world.retailers.retailer_b.trouble;
  await contract.lookup(throttled?.gtin ?? '', '?retailer=retailer_b');
  const { retailers } = await contract.ok('/v1/retailers');
  const ofB = (retailers as readonly Standing[]).find((each) => each['retailer'] === 'retailer_b');
  const api = ofB?.sources.find((each) => each['official_api'] === true);
  const seconds = Number(api?.['paused_seconds']);
  assert.ok(seconds >= 1 && seconds <= 2, `${seconds} s`);
});
