import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { slugNamed } from '../../../src/read/retailers/addresses/aliases.ts';
import { SANDBOX_ACCESS } from '../../../sandbox/tokens.ts';
import { contractService } from '../support/contract-service.ts';
import { readAt } from '../support/market.ts';
import { proves } from '../support/proves.ts';

const SECRET = SANDBOX_ACCESS.apiKey;
const contract = contractService({
  env: { OPENSHELF_RETAILER_B_API_KEY: SECRET },
  isAlone: true,
});

type Source = Readonly<Record<string, unknown>>;
type Standing = Readonly<Record<string, unknown>> & { readonly sources: readonly Source[] };

proves(
  'D14c D3a CF-01 CF-02 CF-03 CF-04 CF-05 CF-06 CF-07',
  'retailers is free, and states of each what works, how it can confirm, and when it was last read',
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

proves('D54b', 'an API that asked for a pause is shown with the remaining seconds', async () => {
  const { throttled } = contract.world.retailers.retailer_b.trouble;
  await contract.lookup(throttled?.gtin ?? '', '?retailer=retailer_b');
  const { retailers } = await contract.ok('/v1/retailers');
  const ofB = (retailers as readonly Standing[]).find((each) => each['retailer'] === 'retailer_b');
  const api = ofB?.sources.find((each) => each['official_api'] === true);
  const seconds = Number(api?.['paused_seconds']);
  assert.ok(seconds >= 1 && seconds <= 2, `${seconds} s`);
});

type Answerable = Readonly<Record<'sources' | 'missing_settings', readonly string[]>> & {
  readonly reason: string | null;
};

const answersOf = async (slug: string) => {
  const { retailers } = await contract.ok('/v1/retailers');
  const of = (retailers as readonly Standing[]).find((each) => each['retailer'] === slug);
  return of?.['answers'] as Readonly<Record<string, Answerable>>;
};

proves('D63c', 'each retailer has its hosts, and the name that means it as retailer=', async () => {
  const { retailers } = await contract.ok('/v1/retailers');
  for (const each of retailers as readonly Standing[]) {
    const hosts = each['hosts'] as readonly string[];
    assert.ok(
      hosts.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)),
      String(hosts),
    );
    assert.equal(hosts[0]?.split('.')[0], each['alias']);
    assert.equal(slugNamed(String(each['alias'])), each['retailer']);
  }
});

proves(
  'D33e',
  'for each question the answer states which source answers it here, or why none does',
  async () => {
    const ofW = await answersOf('retailer_w');
    assert.deepEqual(ofW['product'], { sources: ['page'], reason: null, missing_settings: [] });
    assert.deepEqual(ofW['restriction'], {
      sources: [],
      reason: 'no_source',
      missing_settings: [],
    });
    const ofA = await answersOf('retailer_a');
    assert.equal(ofA['restriction']?.reason, 'settings_missing');
    assert.ok(
      (ofA['restriction']?.missing_settings ?? []).includes('OPENSHELF_RETAILER_A_SP_CLIENT_ID'),
    );
    const ofB = await answersOf('retailer_b');
    assert.deepEqual(ofB['barcode']?.sources, ['products', 'search']);
    assert.equal(ofB['restriction']?.reason, 'first_party_retailer');
    const ofT = await answersOf('retailer_t');
    assert.deepEqual(ofT['barcode'], { sources: [], reason: 'no_source', missing_settings: [] });
  },
);
