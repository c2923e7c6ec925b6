// retailer_e's API as the service calls it, against a double that checks the requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import { API_ORIGIN } from '../../../../src/read/retailers/retailer-e/address-book.ts';
import { openApiDouble } from '../api-double.ts';
import type { Call, Reply } from '../api-double.ts';
import * as e from './fixtures.ts';

const CREDENTIALS = { CLIENT_ID: 'me', CLIENT_SECRET: 's€cret' };
const PRODUCT = {
  kind: 'product',
  identifier: { kind: 'retailer_item', value: e.ITEM, retailer: 'retailer_e' },
} as const;

/** Returns a new token each time and answers calls that carry the last one. */
function shop(answer: (call: Call) => Reply) {
  let given = 0;
  return (call: Call): Reply => {
    if (call.url.pathname === '/identity/v1/oauth2/token') {
      const basic = Buffer.from('me:s€cret').toString('base64');
      const form = new URLSearchParams(call.body);
      const isRight =
        call.method === 'POST' &&
        call.headers.authorization === `Basic ${basic}` &&
        form.get('grant_type') === 'client_credentials' &&
        form.get('scope') === `${API_ORIGIN}/oauth/api_scope`;
      if (!isRight) return { status: 401, body: { error: 'invalid_client' } };
      given += 1;
      return { body: { access_token: `T${given}`, expires_in: 7200, token_type: 'Application' } };
    }
    const isKnown = call.headers.authorization === `Bearer T${given}`;
    return isKnown ? answer(call) : { status: 401, body: e.error(1001) };
  };
}

const open = (answer: (call: Call) => Reply) =>
  openApiDouble({
    slug: 'retailer_e',
    origin: API_ORIGIN,
    credentials: CREDENTIALS,
    reply: shop(answer),
  });

const paths = (calls: readonly Call[]): readonly string[] =>
  calls.map(({ url }) => url.pathname.split('/').at(-1) ?? '');

test('one token serves until shortly before it ends', async () => {
  const api = await open(() => ({ body: e.item() }));
  try {
    for (let round = 0; round < 2; round += 1) {
      const asked = await api.ask(PRODUCT);
      assert.equal(asked.kind, 'read');
      if (asked.kind === 'read') assert.equal(asked.source, 'primary');
    }
    api.clock.advance(7_150_000);
    assert.equal((await api.ask(PRODUCT)).kind, 'read');
    const item = 'get_item_by_legacy_id';
    assert.deepEqual(paths(api.calls), ['token', item, item, 'token', item]);
  } finally {
    api.close();
  }
});

test('a token that is refused before its time is renewed once', async () => {
  let refusals = 1;
  const api = await open(() => {
    refusals -= 1;
    return refusals >= 0 ? { status: 401, body: e.error(1001) } : { body: e.item() };
  });
  try {
    assert.equal((await api.ask(PRODUCT)).kind, 'read');
    assert.deepEqual(paths(api.calls).filter((path) => path === 'token').length, 2);
  } finally {
    api.close();
  }
});

test('a barcode is searched for and its hits are named', async () => {
  const api = await open(() => ({ body: { total: 1, itemSummaries: [e.item()] } }));
  const gtin = toGtin14(e.UPC);
  assert.ok(gtin !== null);
  try {
    const asked = await api.ask({ kind: 'barcode', gtin });
    assert.ok(asked.kind === 'read' && asked.answer.kind === 'search');
    assert.equal(asked.answer.hits[0]?.itemId, e.ITEM);
    assert.equal(api.calls.at(-1)?.url.searchParams.get('gtin'), e.UPC);
    assert.equal(api.calls.at(-1)?.headers['x-ebay-c-marketplace-id'], 'EBAY_US');
  } finally {
    api.close();
  }
});

test('an unknown item is not there; the pages are not asked again', async () => {
  const api = await open(() => ({ status: 404, body: e.error(11_001) }));
  try {
    assert.equal((await api.ask(PRODUCT)).kind, 'miss');
  } finally {
    api.close();
  }
});

test('too many calls and faults are failures, with the wait that was named', async () => {
  for (const status of [429, 500]) {
    const api = await open(() => ({
      status,
      headers: { 'retry-after': '17' },
      body: e.error(2001),
    }));
    try {
      const asked = await api.ask({ kind: 'offers', identifier: PRODUCT.identifier });
      assert.equal(asked.kind, 'failed');
      if (asked.kind !== 'failed') continue;
      assert.equal(asked.official, status === 429 ? 'quota_spent' : 'unreachable');
      assert.ok('retryAfterSeconds' in asked.fault);
      assert.equal(asked.fault.retryAfterSeconds, 17);
    } finally {
      api.close();
    }
  }
});
