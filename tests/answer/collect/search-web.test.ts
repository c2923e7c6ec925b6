import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { Signals } from '../../../src/base/listing/signals.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';

const ENGINE = 'https://search.example';

let sandbox: Sandbox;
let folder: TemporaryFolder;
let app: App;

before(async () => {
  sandbox = await startSandbox({
    seed: 13,
    products: 40,
    now: () => Date.now(),
    retailers: publicOrigins(),
    search: { searxng: ENGINE },
  });
  folder = temporaryFolder();
  const { [ENGINE]: engine = '', ...shops } = sandbox.origins;
  // No name is resolved outside this machine.
  const env = { OPENSHELF_SEARXNG_URL: engine, OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
  const config = readConfig(env, { dataDir: folder.path, port: 0 });
  // The map of shops does not include the search engine, as in a real installation.
  app = await openApp(withSandbox(config, { ...sandbox, origins: shops }));
});

after(async () => {
  await app[Symbol.asyncDispose]();
  await sandbox.close();
  folder[Symbol.dispose]();
});

async function lookup(text: string, retailer?: string) {
  const prepared = app.lookupProduct.parse({ text, retailer, forceRefresh: false });
  return app.lookupProduct.fromShops(prepared, app.lookupContext());
}

test('a retailer that cannot be searched by barcode is found through the search engine, and never confirmed', async () => {
  const { gtin } = sandbox.describe();
  const product = await lookup(gtin, 'retailer_t');
  assert.equal(product.sources.price, 'retailer_t');
  const code = toGtin14(gtin);
  assert.ok(code !== null);
  const cell = await app.store.barcodeAnswers.findAnswer(code, 'retailer_t');
  assert.equal(cell?.foundVia, 'search_provider');
  assert.equal(cell?.identity.state, 'unconfirmed');
  assert.equal(cell?.identity.method, null);
});

test('a barcode that the engine does not know is not found there', async () => {
  await assert.rejects(lookup('4006381333931', 'retailer_t'), (error: unknown) => {
    assert.ok(error instanceof FaultError);
    assert.equal(error.fault.code, 'not_found');
    return true;
  });
});

test('a search engine that is not there or refuses is the operator’s fault: 503 for an hour, with the setting and no address', async () => {
  const refusing = createServer((_request, response) => void response.writeHead(403).end('no'));
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo;
  try {
    // The first name does not resolve.
    for (const engine of ['https://search.example/', `http://127.0.0.1:${port}/`]) {
      using other = temporaryFolder();
      const env = { OPENSHELF_SEARXNG_URL: engine, OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
      const { [ENGINE]: _engine, ...shops } = sandbox.origins;
      const config = readConfig(env, { dataDir: other.path, port: 0 });
      await using second = await openApp(withSandbox(config, { ...sandbox, origins: shops }));
      const request = {
        text: sandbox.describe().gtin,
        retailer: 'retailer_t',
        forceRefresh: false,
      };
      const prepared = second.lookupProduct.parse(request);
      const failed = second.lookupProduct.fromShops(prepared, second.lookupContext());
      await assert.rejects(failed, (error: unknown) => {
        assert.ok(error instanceof FaultError);
        const { code, detail, retryAfterSeconds } = error.fault;
        assert.deepEqual([code, retryAfterSeconds], ['upstream_unavailable', 3_600], detail);
        assert.match(detail, /OPENSHELF_SEARXNG_URL/);
        assert.ok(!detail.includes('search.example') && !detail.includes('127.0.0.1'));
        return true;
      });
    }
  } finally {
    refusing.close();
  }
});

test('a shop with a stored listing is found by barcode; any other needs an address', async () => {
  const url = sandbox.describe().url.json_ld;
  const first = await lookup(url);
  assert.ok(first.gtin !== null);
  await assert.rejects(lookup(first.gtin, 'nevermet'), (error: unknown) => {
    assert.ok(error instanceof FaultError);
    assert.equal(error.fault.code, 'retailer_mismatch');
    return true;
  });
});

test('without an engine such a retailer cannot be searched by barcode', async () => {
  using other = temporaryFolder();
  const config = withSandbox(readConfig({}, { dataDir: other.path, port: 0 }), sandbox);
  await using second = await openApp(config);
  const { gtin } = sandbox.describe();
  const prepared = second.lookupProduct.parse({
    text: gtin,
    retailer: 'retailer_t',
    forceRefresh: false,
  });
  await assert.rejects(
    second.lookupProduct.fromShops(prepared, second.lookupContext()),
    (error: unknown) => {
      assert.ok(error instanceof FaultError);
      assert.equal(error.fault.code, 'upstream_unavailable');
      return true;
    },
  );
});

test('a caller’s address never reaches the operator’s engine', async () => {
  const asked = sandbox.requests().length;
  const own = 'https://searxng.operator.example/search?q=secret&format=json';
  await assert.rejects(lookup(own), (error: unknown) => error instanceof FaultError);
  const since = sandbox.requests().slice(asked);
  assert.deepEqual(
    since.filter((each) => each.origin === ENGINE),
    [],
  );
});

test('hits by words leave out a shop that wants no search, and the titles of one that wants no language model', async () => {
  const { title } = await lookup(sandbox.describe().gtin, 'retailer_t');
  const { findCandidates } = await app.outside();
  const found = async () => await findCandidates(String(title), app.lookupContext());
  const before = await found();
  const slugs = [...new Set(before.map(({ retailer }) => retailer))];
  const [hidden = '', silent = ''] = slugs;
  assert.ok(slugs.length >= 2, slugs.join());
  const says = async (retailer: string, signals: Signals) => {
    const place = {
      retailer,
      key: 'signals',
      url: `https://${retailer}.example/`,
      foundVia: 'submitted_url' as const,
    };
    const read = {
      ...place,
      fetchedAtMs: Date.now() + 60_000,
      listing: { ...EMPTY_LISTING, title: 'Held' },
    };
    const notes = { missing: [], remarks: [], signals };
    await app.store.sql.write(upsertListing({ ...read, notes }));
  };
  await says(hidden, { search: false });
  await says(silent, { aiInput: false });
  const expected = before
    .filter(({ retailer }) => retailer !== hidden)
    .map((each) => (each.retailer === silent ? { ...each, title: null } : each));
  assert.deepEqual(await found(), expected);
});
