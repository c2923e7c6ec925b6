// The first answer about a product comes when one retailer was asked: it names the others, which are asked in the background.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { agentOverHttp, type Agent } from '../../support/agent.ts';
import { startService, type Service } from '../../support/service.ts';

const OTHERS = ['retailer_a', 'retailer_e', 'retailer_l', 'retailer_b', 'retailer_h'];

let service: Service;
let agent: Agent;
let codes: readonly string[];
before(async () => {
  service = await startService({ withRetailers: true });
  agent = await agentOverHttp(service.url, { authorization: `Bearer ${service.key}` });
  codes = service.sandbox
    .market()
    .catalog.filter(({ trouble }) => trouble === null)
    .map(({ gtin14 }) => gtin14);
});
after(async () => {
  await agent[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

for (const [at, [name, input]] of (
  [
    ['lookup', {}],
    ['lookup', { detail: true }],
    ['compare', {}],
    ['compare', { cost: 3 }],
  ] as const
).entries()) {
  test(`the first ${name} ${JSON.stringify(input)} names who was not asked yet and when to ask again, a later one nobody`, async () => {
    const identifier = codes[at];
    const first = await agent.call(name, { identifier, ...input });
    assert.deepEqual(first.body['not_asked_yet'], OTHERS, first.text);
    assert.equal(first.body['ask_again_after_seconds'], 10);
    assert.doesNotMatch(first.text, /: indexing/, 'each is named once');
    await service.untilQueueIdle();
    const later = await agent.call(name, { identifier, ...input });
    assert.equal(later.body['not_asked_yet'], undefined, later.text);
    assert.equal(later.body['ask_again_after_seconds'], undefined);
  });
}

test('the first record of a barcode names who was not asked yet, until they are', async () => {
  const named = async () => {
    const { body } = await service.lookup(
      codes[5] ?? '',
      '?include_cross_retailer=true&identifier_match=any',
    );
    const cells = body['cross_retailer'] as Readonly<Record<string, { readonly status: string }>>;
    const waiting = Object.entries(cells).filter(([, { status }]) => status === 'indexing');
    const meta = body['_meta'] as { readonly indexing?: readonly string[] };
    assert.deepEqual(
      meta.indexing ?? [],
      waiting.map(([slug]) => slug),
      'as the cells say',
    );
    return meta.indexing;
  };
  assert.deepEqual(await named(), OTHERS);
  await service.untilQueueIdle();
  assert.equal(await named(), undefined);
});

test('a lookup that can or shall ask one retailer only has nobody else to name', async () => {
  const { asin } = service.sandbox.describe();
  for (const input of [
    { identifier: codes[6], retailer: 'retailer_w' },
    { identifier: asin, retailer: 'retailer_a' },
  ]) {
    const { body, text } = await agent.call('lookup', input);
    assert.equal(body['not_asked_yet'], undefined, text);
  }
});
