import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { Product } from '../../../src/rules/product/product.ts';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { CREATORS_API } from '../../../src/read/retailers/retailer-a/address-book.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../../sandbox/tokens.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SECRET = privateKey.export({ type: 'pkcs8', format: 'pem' });
const WITH_API = ['retailer_w', 'retailer_a', 'retailer_e', 'retailer_b'] as const;

const clock = shiftedClock();
let sandbox: Sandbox;
let folder: TemporaryFolder;
let app: App;

before(async () => {
  sandbox = await startSandbox({
    seed: 11,
    products: 60,
    now: clock.now,
    retailers: publicOrigins(),
    signedCaller: {
      consumerId: SANDBOX_ACCESS.consumerId,
      keyVersion: SANDBOX_ACCESS.keyVersion,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    },
  });
  folder = temporaryFolder();
  const env = { ...SANDBOX_CREDENTIALS, OPENSHELF_RETAILER_W_PRIVATE_KEY: SECRET };
  const config = withSandbox(readConfig(env, { dataDir: folder.path, port: 0 }), sandbox);
  app = await openApp(config, { clock });
});

after(async () => {
  await app[Symbol.asyncDispose]();
  await sandbox.close();
  folder[Symbol.dispose]();
});

async function lookup(text: string, retailer: string): Promise<Product> {
  const prepared = app.lookupProduct.parse({ text, retailer, forceRefresh: true });
  return app.lookupProduct.fromShops(prepared, app.lookupContext());
}

/** Returns the origins requested since this point. */
function asked(from: number): ReadonlySet<string> {
  return new Set(
    sandbox
      .requests()
      .slice(from)
      .map((each) => each.origin),
  );
}

for (const slug of WITH_API) {
  test(`${slug} with credentials is asked by barcode through its API, as the primary source`, async () => {
    const { gtin } = sandbox.describe();
    const from = sandbox.requests().length;
    const product = await lookup(gtin, slug);
    assert.equal(product.sources.price, slug);
    const origins = asked(from);
    const { page, api } = publicOrigins()[slug];
    assert.ok(
      Object.values(api).some((origin) => origins.has(origin)),
      [...origins].join(', '),
    );
    if (slug !== 'retailer_a') assert.ok(!origins.has(page), 'the page is not asked');
    const code = toGtin14(gtin);
    const cell = code === null ? null : await app.store.barcodeAnswers.findAnswer(code, slug);
    assert.equal(cell?.source, 'primary');
    assert.equal(cell?.status, 'ok');
  });
}

test('a token that the API refuses as expired is renewed, and the caller notices nothing', async () => {
  const { retailers } = sandbox.describe();
  const { url } = retailers.retailer_e;
  await lookup(url, 'retailer_e');
  const before = sandbox.tokenCount();
  await lookup(url, 'retailer_e');
  assert.equal(sandbox.tokenCount(), before, 'a valid token is kept');
  sandbox.expireTokens();
  const product = await lookup(url, 'retailer_e');
  assert.equal(product.sources.price, 'retailer_e');
  assert.equal(sandbox.tokenCount(), before + 1);
});

test('a token is renewed before it expires', async () => {
  const { url } = sandbox.describe().retailers.retailer_e;
  await lookup(url, 'retailer_e');
  const before = sandbox.tokenCount();
  clock.advance(3 * 3_600_000);
  await lookup(url, 'retailer_e');
  assert.ok(sandbox.tokenCount() > before);
});

test('an API that answers 429 gets no request until Retry-After, and the page answers meanwhile', async () => {
  const slug: KnownSlug = 'retailer_b';
  const pointer = sandbox.describe().retailers[slug].trouble.throttled;
  assert.ok(pointer);
  const apiOrigin = publicOrigins()[slug].api['products'] ?? '';
  const ask = () => lookup(pointer.url, slug).then(() => 'ok', codeOf);
  await ask();
  const from = sandbox.requests().length;
  await ask();
  const again = sandbox.requests().slice(from);
  assert.deepEqual(
    again.filter((each) => each.origin === apiOrigin),
    [],
    'it is not asked during its pause',
  );
  clock.advance(3_600_000);
  const later = sandbox.requests().length;
  await lookup(sandbox.describe().retailers[slug].url, slug);
  assert.ok(asked(later).has(apiOrigin), 'it is asked again afterwards');
});

function codeOf(error: unknown): string {
  if (error instanceof FaultError) return error.fault.code;
  throw error;
}

test('a SKU is retailer_b’s where the API of retailer_w has no such item and its pages are forbidden', async () => {
  const { retailer_b_sku: sku } = sandbox.describe();
  const find = async (secret: string | Buffer) => {
    using other = temporaryFolder();
    const env = {
      OPENSHELF_RETAILER_W_CONSUMER_ID: SANDBOX_ACCESS.consumerId,
      OPENSHELF_RETAILER_W_KEY_VERSION: SANDBOX_ACCESS.keyVersion,
      OPENSHELF_RETAILER_W_PRIVATE_KEY: String(secret),
      OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey,
    };
    const config = withSandbox(readConfig(env, { dataDir: other.path, port: 0 }), sandbox);
    await using second = await openApp(config, { clock });
    const prepared = second.lookupProduct.parse({ text: sku, forceRefresh: false });
    return await second.lookupProduct
      .fromShops(prepared, second.lookupContext())
      .then(({ sources, cannotAsk }) => [sources.price, cannotAsk], codeOf);
  };
  sandbox.disturb('retailer_w', 'disallowed');
  try {
    // The API was asked and has no such item: what its pages refuse to say leaves nothing open (D78).
    assert.deepEqual(await find(SECRET), ['retailer_b', []]);
    // An API that refuses the signature has not answered: the number may be retailer_w's.
    const { privateKey: wrong } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const refusedKey = wrong.export({ type: 'pkcs8', format: 'pem' });
    assert.match(String(await find(refusedKey)), /^(?:source_unusable|upstream_unavailable)$/);
  } finally {
    sandbox.disturb('retailer_w', null);
  }
});

test('reviews come from the API of retailer_w, each once, where its pages refuse', async () => {
  const { page: pages } = publicOrigins().retailer_w;
  const { item_id: itemId } = sandbox.describe();
  const read = async () => {
    const { lookupReviews } = await app.outside();
    const parsed = lookupReviews.parse({ text: itemId });
    return await lookupReviews.fromShops(parsed, app.lookupContext());
  };
  sandbox.disturb('retailer_w', 'disallowed');
  try {
    const from = sandbox.requests().length;
    const { summary } = await read();
    assert.ok((summary.total ?? 0) > 0, JSON.stringify(summary));
    const sent = sandbox.requests().slice(from);
    assert.ok(sent.some(({ path }) => path.includes(`/reviews/${itemId}`)));
    assert.ok(sent.every(({ origin, path }) => origin !== pages || path === '/robots.txt'));
    assert.equal(await app.store.reviews.countAll(itemId), summary.total);
  } finally {
    sandbox.disturb('retailer_w', null);
  }
});

test('partner credentials of every version get a token and a record, and none of a page', async () => {
  const { page } = publicOrigins().retailer_a;
  for (const [version, { url: tokenUrl }] of Object.entries(CREATORS_API.tokens)) {
    using other = temporaryFolder();
    const env = {
      OPENSHELF_RETAILER_A_CREATORS_ID: SANDBOX_ACCESS.clientId,
      OPENSHELF_RETAILER_A_CREATORS_SECRET: SANDBOX_ACCESS.clientSecret,
      OPENSHELF_RETAILER_A_CREATORS_VERSION: version,
      OPENSHELF_RETAILER_A_PARTNER_TAG: 'sandbox-20',
    };
    const config = withSandbox(readConfig(env, { dataDir: other.path, port: 0 }), sandbox);
    await using second = await openApp(config, { clock });
    const from = sandbox.requests().length;
    const { url } = sandbox.describe().retailers.retailer_a;
    const prepared = second.lookupProduct.parse({ text: url, forceRefresh: false });
    const product = await second.lookupProduct.fromShops(prepared, second.lookupContext());
    assert.equal(product.sources.price, 'retailer_a', version);
    const origins = asked(from);
    assert.ok(origins.has(new URL(tokenUrl).origin), [...origins].join(', '));
    assert.ok(!origins.has(page), version);
  }
});

test('with wrong credentials the pages answer, and the call is not an error', async () => {
  using other = temporaryFolder();
  const env = {
    OPENSHELF_RETAILER_E_CLIENT_ID: 'somebody',
    OPENSHELF_RETAILER_E_CLIENT_SECRET: 'else',
  };
  const config = withSandbox(readConfig(env, { dataDir: other.path, port: 0 }), sandbox);
  await using second = await openApp(config, { clock });
  const { url } = sandbox.describe().retailers.retailer_e;
  const prepared = second.lookupProduct.parse({ text: url, forceRefresh: false });
  const product = await second.lookupProduct.fromShops(prepared, second.lookupContext());
  assert.equal(product.sources.price, 'retailer_e');
});

test('credentials that are only half there are said at start, with the name that is missing', () => {
  assert.throws(
    () => readConfig({ OPENSHELF_RETAILER_E_CLIENT_ID: 'x' }),
    /OPENSHELF_RETAILER_E_CLIENT_SECRET/,
  );
  assert.throws(() => readConfig({ OPENSHELF_RETAILER_E_CLIENT: 'x' }), /Unknown setting/);
});

test('a setting that a source may use is said at start where it is wrong or stands alone', () => {
  const zip = { OPENSHELF_RETAILER_E_ZIP_CODE: '19406' };
  const key = {
    OPENSHELF_RETAILER_E_CLIENT_ID: 'x',
    OPENSHELF_RETAILER_E_CLIENT_SECRET: 'y',
  };
  assert.throws(() => readConfig(zip), /OPENSHELF_RETAILER_E_CLIENT_ID/);
  assert.throws(
    () => readConfig({ ...key, OPENSHELF_RETAILER_E_ZIP_CODE: '1940' }),
    /ZIP_CODE must be a zip code/,
  );
  assert.equal(readConfig({ ...key, ...zip }).credentials.retailer_e?.['ZIP_CODE'], '19406');
  assert.equal(readConfig(key).credentials.retailer_e?.['ZIP_CODE'], undefined);
});

test('credentials that can be seen to be wrong are said at start, without their value', () => {
  const wrong = {
    OPENSHELF_RETAILER_W_CONSUMER_ID: 'a',
    OPENSHELF_RETAILER_W_KEY_VERSION: '1',
    OPENSHELF_RETAILER_W_PRIVATE_KEY: 'not-a-key-at-all',
    OPENSHELF_RETAILER_A_CREATORS_ID: 'a',
    OPENSHELF_RETAILER_A_CREATORS_SECRET: 'b',
    OPENSHELF_RETAILER_A_CREATORS_VERSION: '9.9',
    OPENSHELF_RETAILER_A_PARTNER_TAG: 'c',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => {
      assert.match(error.message, /private key is not an RSA key/);
      assert.match(error.message, /version of the credentials/);
      assert.doesNotMatch(error.message, /not-a-key-at-all/);
      return true;
    },
  );
});
