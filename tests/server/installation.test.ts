// The free routes beyond what tests/contract proves: they write no ledger row, accept any key, and report which settings a
// retailer lacks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { generateKey } from '../../src/data/metering/api-key.ts';
import { upsertListing } from '../../src/data/answers/listing-writes.ts';
import { RetailerList } from '../../src/answer/wire/installation/installation.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const FREE = ['/v1', '/v1/usage', '/v1/retailers', '/v1/rate-cards'];

async function ledgerRows(): Promise<number> {
  const [row] = await service.app.store.sql.all('select count(*) as n from ledger');
  return Number(row?.['n']);
}

test('the free routes write no ledger row, and state the tokens and limits that are left', async () => {
  const before = await ledgerRows();
  for (const path of FREE) {
    const { status, body, headers } = await service.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['tokens_consumed'], 0);
    assert.equal(typeof body['tokens_remaining'], 'number');
    assert.match(headers.get('ratelimit') ?? '', /r=\d+/);
    assert.equal(headers.get('cache-control'), 'private, no-store');
  }
  assert.equal(await ledgerRows(), before);
});

test('they take a key of any scope, and no parameter', async () => {
  const { store } = service.app;
  const organization = await store.accounts.upsertOrganization({ name: 'watchers' }, Date.now());
  const { id, text, secretSha256 } = generateKey();
  const key = { id, organizationId: organization.id, secretSha256, scopes: ['admin'], note: null };
  await store.accounts.insertKey({ ...key, createdAtMs: Date.now(), expiresAtMs: null });
  for (const path of FREE) {
    assert.equal((await service.get(path, { authorization: `Bearer ${text}` })).status, 200, path);
    const asked = await service.get(`${path}?month=2026-01`);
    assert.equal(asked.status, 400);
    assert.equal(asked.body['code'], 'unknown_parameter');
  }
});

test('GET /v1/retailers names the settings that each official API lacks', async () => {
  const before = RetailerList.parse((await service.get('/v1/retailers')).body);
  assert.deepEqual(
    before.retailers.map((each) => each.retailer),
    [...KNOWN_SLUGS],
  );
  const page = before.retailers.flatMap((each) =>
    each.sources.filter((source) => source.name === 'page'),
  );
  assert.ok(page.length > 0 && page.every((source) => source.configured));
  const apis = before.retailers.flatMap((each) =>
    each.sources.filter((source) => source.official_api),
  );
  assert.ok(apis.length > 0);
  for (const api of apis) {
    assert.equal(api.configured, false);
    assert.ok(api.missing_settings.every((name) => /^OPENSHELF_RETAILER_\w_/.test(name)));
  }
  assert.equal(before.search_provider, null);
  const retailer = before.retailers.find((each) => each.retailer === 'retailer_w');
  assert.equal(retailer?.last_success_at, null);
});

test('the last success of a retailer is its newest listing', async () => {
  const atMs = Date.parse('2026-03-14T12:00:00Z');
  const listing = { retailer: 'retailer_t', key: '12345678', foundVia: 'native_catalog' } as const;
  const url = 'https://shop.example.com/12345678';
  const read = (fetchedAtMs: number, key: string) =>
    upsertListing({
      ...listing,
      key,
      url,
      fetchedAtMs,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    });
  await service.app.store.sql.write([...read(atMs - 1_000, '1'), ...read(atMs, '12345678')]);
  const { retailers } = RetailerList.parse((await service.get('/v1/retailers')).body);
  const found = retailers.find((each) => each.retailer === 'retailer_t');
  assert.equal(found?.last_success_at, '2026-03-14T12:00:00.000Z');
});
