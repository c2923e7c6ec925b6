import assert from 'node:assert/strict';

import { contractService, productPath, refused } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const CODE = '/v1/products/4006381333931';
const at = (address: string) => productPath(address);

type Case = readonly [rows: string, what: string, target: string, code: string, parameter?: string];

const CASES: readonly Case[] = [
  ['EE-01 D6h', 'text of no form', productPath('hello world!'), 'invalid_identifier'],
  ['EE-01 D6h LI-03', 'five digits', productPath('12345'), 'invalid_identifier'],
  ['EE-01 D6h LI-05', 'eleven characters', productPath('J7XSRH4KQSA'), 'invalid_identifier'],
  ['D6e', '13 digits with a wrong check digit', productPath('4006381333932'), 'invalid_identifier'],
  [
    'D6e',
    '14 digits with a wrong check digit',
    productPath('04006381333932'),
    'invalid_identifier',
  ],
  ['D7b', 'a UPC that is none', '/v1/products/4006381333931?format=UPC', 'invalid_identifier'],
  ['D7b', 'an ASIN that is none', '/v1/products/4006381333931?format=ASIN', 'invalid_identifier'],
  ['D7b', 'an item id of 13 digits', `${CODE}?format=item_id`, 'invalid_identifier'],
  ['D7c PA-01', 'an unknown format', `${CODE}?format=EAM`, 'invalid_parameter', 'format'],
  [
    'D22c',
    'an unknown parameter',
    `${CODE}?include_stat=true`,
    'unknown_parameter',
    'include_stat',
  ],
  ['D22b', 'a parameter twice', `${CODE}?format=EAN&format=EAN`, 'invalid_parameter', 'format'],
  [
    'D22a',
    'a flag that is none',
    `${CODE}?include_stats=yes`,
    'invalid_parameter',
    'include_stats',
  ],
  ['D22a', 'an empty flag', `${CODE}?include_offers=`, 'invalid_parameter', 'include_offers'],
  ['CV-05 D2b', 'a slug in capitals', `${CODE}?retailer=Shop`, 'invalid_parameter', 'retailer'],
  ['CV-05 D2b', 'a slug with a dot', `${CODE}?retailer=shop.com`, 'invalid_parameter', 'retailer'],
  [
    'CV-05 D2b',
    'a slug that looks known',
    `${CODE}?retailer=retailer_x`,
    'invalid_parameter',
    'retailer',
  ],
  ['LI-07 D2b', 'a slug of one letter', `${CODE}?retailer=a`, 'invalid_parameter', 'retailer'],
  [
    'LI-07 D2b',
    'a slug of 31',
    `${CODE}?retailer=${'a'.repeat(31)}`,
    'invalid_parameter',
    'retailer',
  ],
  [
    'EE-02 PA-22',
    'force_refresh alone',
    `${CODE}?force_refresh=true`,
    'force_refresh_requires_retailer',
  ],
  [
    'RR-04 D13a',
    'a product id beside retailer=',
    '/v1/products/J7XSRH4KQS?retailer=retailer_b',
    'bare_identifier_required',
  ],
  [
    'RR-04 D13c',
    'a short number beside retailer=retailer_b',
    '/v1/products/6000000?retailer=retailer_b',
    'bare_identifier_required',
  ],
  [
    'D46b',
    'an address of another shop',
    `${at('https://www.lanternworks.example/p/x')}?retailer=birchandbolt`,
    'retailer_mismatch',
    'retailer',
  ],
  ['D50a D5b', 'a private address', at('http://10.0.0.1/p'), 'url_not_allowed'],
  ['D50a D5b', 'a loopback address', at('http://127.0.0.1:8790/p'), 'url_not_allowed'],
  ['D50a', 'a strange port', at('https://shop.example.com:22/p'), 'url_not_allowed'],
  ['D50a', 'a name that does not resolve', at('https://no-such-host.invalid/p'), 'url_not_allowed'],
];

for (const [rows, what, target, code, parameter] of CASES) {
  proves(`${rows} D16b`, `${what} is 400 ${code}: unbilled, and no retailer is asked`, async () => {
    const left = await contract.left();
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    const answer = await contract.call(target);
    const body = refused(answer, 400, code);
    if (parameter !== undefined) assert.equal(body['parameter'], parameter);
    assert.equal(body['tokens_remaining'], left);
    assert.equal(contract.sandbox.requestCount(), asked);
  });
}

proves('D6h', 'the detail of a refused identifier lists the forms', async () => {
  const { body } = await contract.lookup('hello world!');
  for (const form of ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id', 'retailer_b', 'https://']) {
    assert.ok(String(body['detail']).includes(form), form);
  }
});

proves(
  'D22c D48c',
  'a bad parameter is named with what is allowed, the nearest name first',
  async () => {
    const near = await contract.call(`${CODE}?include_stat=1`);
    assert.match(String(near.body['detail']), /include_stats/);
    assert.ok((near.body['allowed'] as readonly string[]).includes('include_stats'));
  },
);

proves('D48c D22a', 'a refused value is answered with the accepted ones', async () => {
  const flag = await contract.call(`${CODE}?include_stats=perhaps`);
  assert.deepEqual(flag.body['allowed'], ['true', 'false', '1', '0']);
  const format = await contract.call(`${CODE}?format=QR`);
  assert.deepEqual(format.body['allowed'], ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id']);
});

proves('D50a', 'every refused address gets the very same body', async () => {
  const bodies = await Promise.all(
    [
      'http://10.0.0.1/',
      'http://[::1]/',
      'https://no-such-host.invalid/',
      'https://a.example:81/',
    ].map(async (address) => ({ ...(await contract.lookup(address)).body, request_id: '' })),
  );
  for (const body of bodies) assert.deepEqual(body, bodies[0]);
});

proves('D2a', 'the seven slugs are taken with their underscore', async () => {
  for (const letter of 'waeltbh') {
    const { body } = await contract.lookup(contract.world.gtin, `?retailer=retailer_${letter}`);
    assert.notEqual(body['code'], 'invalid_parameter', letter);
  }
});

proves('D22a', 'true, false, 1 and 0 in any case are flags', async () => {
  for (const [text, isThere] of [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ] as const) {
    const record = await contract.record(contract.world.item_id, `?include_stats=${text}`);
    assert.equal('stats' in record, isThere, text);
  }
});

proves('D67a', 'an identifier sent as a parameter is answered with the path to use', async () => {
  for (const path of [
    '/v1/products?upc=012345678905',
    '/v1/products/lookup?gtin=00012345678905',
    '/v1/products?ASIN=B010000001',
  ]) {
    const body = refused(await contract.call(path), 400, 'unknown_parameter');
    assert.match(
      String(body['detail']),
      /is part of the path\. Send GET \/v1\/products\/\{id\}/,
      path,
    );
  }
});
