// A host that fails for one organization stays open for another: with the fetcher as it runs, in one process and in two
// over one database.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSecureContext } from 'node:tls';

import {
  createSharedPacing,
  type SharedPacing,
} from '../../src/answer/collect/coordination/shared-pacing.ts';
import { createAccess } from '../../src/answer/collect/asking/source-access.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import type { Fetcher } from '../../src/base/listing/page.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { openStore } from '../../src/data/store.ts';
import { untrustedChain } from '../support/certificates.ts';
import { contextOf } from '../support/contexts.ts';
import { newDatabase } from '../support/databases.ts';
import { openPublicWorld, type PublicWorld } from '../support/public-world.ts';
import { clock, PUBLIC_ADDRESS } from '../support/vector-cases.ts';

let world: PublicWorld;

/** One shop refuses everything under /private, another redirects there, and one is in maintenance under an old name. */
before(async () => {
  world = await openPublicWorld();
  world.answer = ({ url = '', headers }, response) => {
    const { host = '' } = headers;
    if (url === '/robots.txt' && host.startsWith('slow.')) {
      response.end('User-agent: *\nCrawl-delay: 3600');
    } else if (url === '/robots.txt') response.writeHead(404).end();
    else if (url.endsWith('/token')) response.end('{"access_token":"T","expires_in":7200}');
    else if (host.startsWith('lure.')) {
      response.writeHead(302, { location: `https://www.${host.slice(5)}${url}` }).end();
    } else if (url.startsWith('/private')) response.writeHead(403).end();
    else if (host.startsWith('old.')) response.writeHead(503, { 'retry-after': '86400' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page</p>');
  };
});
after(() => world.close());

function fetcher(shared: Partial<SharedPacing> | null): Fetcher {
  return createFetcher({
    clock,
    version: '1',
    hostIntervalMs: 0,
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    ...shared,
  });
}

function asking(fetch: Fetcher) {
  return async (organization: string, url: string) => {
    const context = contextOf(undefined, { kind: 'caller', organization }, Date.now() + 15_000);
    const outcome = await fetch({ url, accept: 'html' }, context);
    return outcome.ok ? outcome.page.status : outcome.failure.kind;
  };
}

type Ask = ReturnType<typeof asking>;

async function holds(shop: string, { mine, others }: { mine: Ask; others: Ask }) {
  const private5 = [1, 2, 3, 4, 5].map(
    (n) => `https://${n < 3 ? 'lure' : 'www'}.${shop}/private${n}`,
  );
  for (const url of private5) assert.equal(await mine('org-a', url), 403, url);
  const page = `https://www.${shop}/p/1`;
  assert.equal(await mine('org-a', page), 'busy', 'who met the refusals waits');
  assert.equal(await others('org-b', page), 200);
  // Its page has not been read yet, so it does not count as an answer.
  assert.equal(await others('org-b', `https://www.${shop}/private6`), 403);
  assert.equal(await mine('org-c', page), 'busy', 'two organizations were refused');
}

test('five refusals that one organization met do not close a shop for another, a sixth met by that one does', async () => {
  const ask = asking(fetcher(null));
  await holds('one.example', { mine: ask, others: ask });
});

test('the same where two processes share a database', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const pacing = createSharedPacing(store, clock, clock);
  assert.ok(pacing !== null);
  const { sharedPauses } = pacing;
  const [mine, others] = [asking(fetcher({ sharedPauses })), asking(fetcher({ sharedPauses }))];
  await holds('two.example', { mine, others });
  assert.equal(await others('org-a', 'https://www.two.example/p/2'), 'busy');
});

/** `mine` and `others` may be two processes. */
async function pausesAlone(shop: string, { mine, others }: { mine: Ask; others: Ask }) {
  assert.equal(await mine('org-a', `https://old.${shop}/1`), 503);
  assert.equal(await others('org-b', `https://old.${shop}/1`), 'busy');
  assert.equal(await mine('org-a', `https://www.${shop}/p`), 200);
  assert.equal(await others('org-b', `https://www.${shop}/p`), 200);
  assert.equal(await others('org-b', `https://old.${shop}/2`), 'busy');
}

test('a subdomain in maintenance is left alone for as long as it asks, and not the shop next to it', async () => {
  const ask = asking(fetcher(null));
  await pausesAlone('five.example', { mine: ask, others: ask });
});

test('a subdomain in maintenance is so where two processes share a database', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const pacing = createSharedPacing(store, clock, clock);
  const [mine, others] = [asking(fetcher(pacing)), asking(fetcher(pacing))];
  await pausesAlone('six.example', { mine, others });
});

/** `mine` and `others` may be two processes. */
async function holdsForItsOrigin(shop: string, { mine, others }: { mine: Ask; others: Ask }) {
  assert.equal(await mine('org-a', `https://slow.${shop}/1`), 200);
  assert.equal(await others('org-b', `https://slow.${shop}/2`), 'busy');
  assert.equal(await others('org-b', `https://www.${shop}/p`), 200);
  assert.equal(await mine('org-a', `https://www.${shop}/p`), 200);
}

test('a Crawl-delay holds for the origin that states it and not for the shop next to it', async () => {
  const ask = asking(fetcher(null));
  await holdsForItsOrigin('three.example', { mine: ask, others: ask });
});

test('a Crawl-delay does so where two processes share a database', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const pacing = createSharedPacing(store, clock, clock);
  const [mine, others] = [asking(fetcher(pacing)), asking(fetcher(pacing))];
  await holdsForItsOrigin('four.example', { mine, others });
});

test('a token that the pause of one organization kept from being asked for is asked for by the next caller', async () => {
  const fetch = fetcher(null);
  const access = createAccess({
    fetch,
    clock,
    credentials: { retailer_e: { CLIENT_ID: 'me', CLIENT_SECRET: 'hush' } },
    newId: () => 'id',
  });
  const source = access.sourcesOf('retailer_e').find(({ token }) => token !== undefined);
  assert.ok(source !== undefined);
  const { page } = publicOrigins().retailer_e;
  const ask = asking(fetch);
  for (let n = 0; n < 5; n += 1) assert.equal(await ask('org-a', `${page}/private${n}`), 403);
  const accessOf = (organization: string) =>
    access.accessOf('retailer_e', source, contextOf(undefined, { kind: 'caller', organization }));
  assert.ok('failed' in (await accessOf('org-a')));
  assert.ok('access' in (await accessOf('org-b')));
});

/** `mine` and `others` may be two processes. */
async function closesForAll(shop: string, { mine, others }: { mine: Ask; others: Ask }) {
  const name = `chain.${shop}`;
  world.shown.set(name, createSecureContext(untrustedChain(name, 6)));
  world.shown.set(`short.${shop}`, createSecureContext(untrustedChain(`short.${shop}`, 1)));
  assert.equal(await mine('org-a', `https://short.${shop}/1`), 'untrusted');
  assert.equal(await others('org-b', `https://www.${shop}/p`), 200);
  assert.equal(await mine('org-a', `https://${name}/1`), 'untrusted');
  for (const host of [name, `other.${shop}`]) {
    assert.equal(await others('org-b', `https://${host}/2`), 'busy', host);
  }
}

test('a domain whose certificates take long to check for nothing is asked once an hour, whoever asks', async () => {
  const ask = asking(fetcher(null));
  await closesForAll('seven.example', { mine: ask, others: ask });
});

test('such a domain is asked by one of two processes that share a database', async () => {
  await using database = await newDatabase('migrated');
  await using store = await openStore({ kind: 'postgres', url: database.url });
  const pacing = createSharedPacing(store, clock, clock);
  const [mine, others] = [asking(fetcher(pacing)), asking(fetcher(pacing))];
  await closesForAll('eight.example', { mine, others });
});
