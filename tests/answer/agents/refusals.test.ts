// What an agent reads when a tool cannot answer, and which parts of an answer it should doubt.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { createBudget } from '../../../src/answer/agents/budget.ts';
import { TOOLS } from '../../../src/answer/agents/tools.ts';
import { shelfHere } from '../../../src/edge/cli/products/shelf-here.ts';
import { startService, type Service } from '../../support/service.ts';

let service: Service;
before(async () => {
  service = await startService({ withRetailers: true });
});
after(() => service[Symbol.asyncDispose]());

const parts = () => ({
  shelf: shelfHere({
    app: service.app,
    stop: new AbortController().signal,
    owner: () => Promise.resolve(null),
  }),
  budget: createBudget(null),
});

type Told = Readonly<Record<string, unknown>> & {
  readonly error?: string;
  readonly next?: string;
  readonly parameter?: string;
};

async function told(name: 'lookup' | 'history', args: { identifier: string; retailer?: string }) {
  return (await TOOLS[name].run(parts(), args)).structuredContent as Told;
}

const REFUSED = {
  url_not_allowed: () => ({ identifier: 'http://10.0.0.1/p' }),
  invalid_identifier: () => ({ identifier: 'lamp' }),
  invalid_parameter: () => ({ identifier: '614141000005', retailer: 'wallmart' }),
  retailer_mismatch: () => ({
    identifier: service.sandbox.describe().retailers.retailer_h.url,
    retailer: 'retailer_e',
  }),
  source_unusable: () => ({ identifier: troubled('disallowed') }),
  upstream_unavailable: () => ({ identifier: troubled('blocked') }),
};

/** Returns a page of a simulated shop that fails in this way. */
function troubled(kind: string): string {
  const { trouble } = service.sandbox.describe();
  const [, address] = Object.entries(trouble).find(([name]) => name === kind) ?? [];
  return address ?? assert.fail(`no page is ${kind}`);
}

for (const [code, argumentsOf] of Object.entries(REFUSED)) {
  test(`${code} says what to call instead, in the arguments of the tool`, async () => {
    const args = argumentsOf();
    // In a lookup, an unknown name may be any shop's.
    const body = await told(code === 'invalid_parameter' ? 'history' : 'lookup', args);
    assert.equal(body.error, code, JSON.stringify(body));
    assert.match(body.next ?? '', /[a-z]\.$/, JSON.stringify(body));
    const { parameter } = body;
    const isTaken = parameter === undefined || Object.keys(args).includes(parameter);
    assert.ok(isTaken, `${parameter} is not an argument that was sent`);
  });
}

test('only whose price is shown is doubted: a barcode that another retailer never confirms is not a doubt of it', async () => {
  const { upc, asin } = service.sandbox.describe();
  await told('lookup', { identifier: upc });
  await service.untilQueueIdle();
  const byBarcode = await told('lookup', { identifier: upc });
  assert.equal((byBarcode['identity'] as Told)['retailer_a'], 'unconfirmed');
  assert.deepEqual([byBarcode['price_at'], byBarcode['unsure']], ['retailer_w', undefined]);
  const byAsin = await told('lookup', { identifier: asin });
  assert.deepEqual(
    [byAsin['price_at'], byAsin['unsure']],
    ['retailer_a', ['barcode not confirmed: retailer_a']],
  );
});
