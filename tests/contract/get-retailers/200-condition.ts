import assert from 'node:assert/strict';

import { SANDBOX_ACCESS } from '../../../sandbox/tokens.ts';
import { contractService, type Contract } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const API_KEY = 'OPENSHELF_RETAILER_B_API_KEY';
const WRONG = 'not-the-key-of-this-api';

const refused = contractService({ env: { [API_KEY]: WRONG }, isStill: true, isAlone: true });
const limited = contractService({
  env: {
    [API_KEY]: SANDBOX_ACCESS.apiKey,
    OPENSHELF_SOURCE_LIMITS: 'retailer_b.products=2',
  },
  isStill: true,
  isAlone: true,
});

type Source = Readonly<Record<string, unknown>> & {
  readonly condition: Readonly<Record<string, unknown>> | null;
};

async function productsApi(contract: Contract): Promise<Source> {
  const { retailers } = await contract.ok('/v1/retailers');
  const all = retailers as readonly { retailer: string; sources: readonly Source[] }[];
  const found = all
    .find(({ retailer }) => retailer === 'retailer_b')
    ?.sources.find(({ name }) => name === 'products');
  return found ?? assert.fail('retailer_b has the source products');
}

const metricsOf = async ({ service }: Contract): Promise<string> =>
  (await fetch(`${service.url}/metrics`)).text();

proves(
  'D79a D79b D79e',
  'a refused key is what the caller, GET /v1/retailers and the metrics say, not the wall of the page',
  async () => {
    const unknown = await productsApi(refused);
    assert.deepEqual(
      [unknown['paused_seconds'], unknown.condition],
      [
        null,
        {
          state: 'unknown',
          since: null,
          question: null,
          detail: null,
          last_outcome: null,
          last_outcome_at: null,
          calls_today: 0,
          daily_limit: 50_000,
        },
      ],
    );
    const since = new Date(refused.clock.now()).toISOString();
    const { blocked } = refused.world.retailers.retailer_b.trouble;
    const { status, body } = await refused.lookup(blocked?.gtin ?? '', '?retailer=retailer_b');
    assert.deepEqual(
      [status, body['code'], body['upstream'], body['tokens_consumed']],
      [503, 'upstream_unavailable', 'upstream_error', 0],
    );
    assert.match(
      String(body['detail']),
      new RegExp(`retailer_b\\.products.*since ${since}.*${API_KEY}`),
    );
    const { condition, ...source } = await productsApi(refused);
    assert.deepEqual(
      [
        condition?.['state'],
        condition?.['since'],
        condition?.['last_outcome'],
        condition?.['calls_today'],
      ],
      ['credentials_refused', since, 'credentials_refused', 1],
    );
    assert.deepEqual(
      [condition?.['detail'], condition?.['last_outcome_at'], source['paused_seconds']],
      [body['detail'], since, 3_600],
    );
    const metrics = await metricsOf(refused);
    assert.match(metrics, /^openshelf_source_calls_total\{source="retailer_b\.products"\} 1$/m);
    const failures =
      'openshelf_source_failures_total{source="retailer_b.products",kind="credentials_refused"} 1';
    assert.ok(metrics.split('\n').includes(failures), metrics);
    assert.ok(!JSON.stringify([body, condition, metrics]).includes(WRONG));
  },
);

proves(
  'D79c',
  'a source with a spent limit rests until a call is free, and its pages answer meanwhile',
  async () => {
    const { gtin, retailers } = limited.world;
    const { sold_out: soldOut, foreign_currency: foreign } = retailers.retailer_b.trouble;
    const ask = async (code: string) => {
      await limited.record(code, '?retailer=retailer_b');
      await limited.untilQueueIdle();
    };
    for (const code of [soldOut?.gtin ?? '', foreign?.gtin ?? '', gtin]) await ask(code);
    const { condition, ...source } = await productsApi(limited);
    assert.deepEqual(
      [condition?.['state'], condition?.['calls_today'], condition?.['daily_limit']],
      ['quota_spent', 2, 2],
    );
    assert.match(String(condition?.['detail']), /OPENSHELF_SOURCE_LIMITS/);
    const seconds = Number(source['paused_seconds']);
    assert.ok(seconds > 86_400 && seconds <= 87_000, `${seconds} s`);
    limited.clock.advance(seconds * 1_000);
    await ask(retailers.retailer_b.trouble.ended?.gtin ?? '');
    const again = await productsApi(limited);
    assert.deepEqual([again['paused_seconds'], again.condition?.['state']], [null, 'ok']);
    assert.equal(again.condition?.['calls_today'], 1);
  },
);
