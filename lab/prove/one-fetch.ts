// Promise 9: one fetch per product. A thousand callers who simultaneously request a page that nobody has stored cause one
// request to its shop, in one process and over three; if the shop is down, all of them get the stored data.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openApp, type App } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { DAY_MS, type Clock } from '../../src/base/clock.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SHOP = 'https://www.counted-shop.example';

export const oneFetch: Proof = {
  name: 'one-fetch',
  promise: 9,
  says: 'A product that many request at once is fetched once; for a dead shop, stored data is returned.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const asked = isLong ? { callers: 1_000, rounds: 20 } : { callers: 250, rounds: 1 };
    const figures: string[] = [];
    for (const processes of [1, 3]) {
      const seen = await measure(processes, asked, problems);
      figures.push(
        `${processes === 1 ? '1 process' : `${processes} processes`}: ${asked.rounds} x ${asked.callers} callers, ` +
          `${seen.requests} requests to the shop; shop dead: ${seen.stale} answers from stored data, ${seen.errors} errors`,
      );
      say(figures.at(-1) ?? '');
    }
    return problems.result(figures);
  },
};

type Seen = { readonly requests: number; readonly stale: number; readonly errors: number };

/** Returns a clock like the system's, moved forward manually. */
function movedClock(): Clock & { move: (ms: number) => void } {
  let moved = 0;
  return { ...systemClock, now: () => Date.now() + moved, move: (ms) => (moved += ms) };
}

type Asked = { readonly callers: number; readonly rounds: number };

async function measure(
  processes: number,
  { callers, rounds }: Asked,
  problems: Problems,
): Promise<Seen> {
  await using shop = await startShop();
  using folder = temporaryFolder();
  await using database = processes === 1 ? null : await newDatabase('migrated');
  const clock = movedClock();
  const env = {
    OPENSHELF_DATA: folder.path,
    OPENSHELF_ORIGINS: `${SHOP}=${shop.origin}`,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  };
  await using apps = new AsyncDisposableStack();
  const urls: string[] = [];
  let first: App | null = null;
  for (let at = 0; at < processes; at += 1) {
    const app = apps.use(await openApp(readConfig(env, { port: 0 }), { clock }));
    urls.push((await app.listen()).url);
    first ??= app;
  }
  if (first === null) throw new Error('no process');
  // A thousand concurrent calls on a busy machine may be seconds apart: the budget must cover more than that.
  const wide = { throttlePerMinute: 600_000, throttleBurst: 1_000_000 };
  const request = { organization: 'many', note: null, monthlyQuota: 1_000_000_000, ...wide };
  const { text: key } = await issueKey(first.store.accounts, request, clock.now());
  const ask = (page: string) => askAll(urls, key, page, callers);
  for (let round = 0; round < rounds; round += 1) {
    const answers = await ask(`${SHOP}/p/${round}`);
    const wrong = answers.filter(({ status }) => status !== 200);
    const kinds = [...new Set(wrong.map(({ status, code }) => `${status} ${code}`))].join(', ');
    problems.check(
      wrong.length === 0,
      `${processes} processes: ${wrong.length} answers are not 200: ${kinds}`,
    );
    const requests = shop.requests(`/p/${round}`);
    problems.check(requests === 1, `${processes} processes: ${requests} requests for one page`);
  }
  const requests = shop.total();
  await shop.die();
  clock.move(2 * DAY_MS);
  const late = await ask(`${SHOP}/p/0`);
  const stale = late.filter(({ status }) => status === 200).length;
  problems.check(
    stale === callers,
    `${processes} processes: ${callers - stale} errors behind a dead shop`,
  );
  return { requests, stale, errors: callers - stale };
}

type Answer = { readonly status: number; readonly code: string };

async function askAll(
  urls: readonly string[],
  key: string,
  page: string,
  callers: number,
): Promise<readonly Answer[]> {
  const headers = { authorization: `Bearer ${key}` };
  return await Promise.all(
    Array.from({ length: callers }, async (_, at): Promise<Answer> => {
      const url = urls[at % urls.length] ?? '';
      try {
        const answer = await fetch(`${url}/v1/products/${encodeURIComponent(page)}`, { headers });
        const body = (await answer.json()) as {
          readonly upstream?: string;
          readonly code?: string;
        };
        return { status: answer.status, code: body.upstream ?? body.code ?? '' };
      } catch (error) {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        return { status: 0, code: String(cause) };
      }
    }),
  );
}

/** Starts a shop that counts its requests, and answers slowly so that everybody asks meanwhile. */
async function startShop() {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    seen.set(path, (seen.get(path) ?? 0) + 1);
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(pageOf(path));
    }, 1_000);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const die = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: (path: string) => seen.get(path) ?? 0,
    total: () => [...seen.values()].reduce((sum, count) => sum + count, 0),
    die,
    [Symbol.asyncDispose]: die,
  };
}

function pageOf(path: string): string {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `Counted lamp ${path.slice(3)}`,
    sku: `lamp-${path.slice(3)}`,
    brand: { '@type': 'Brand', name: 'Counted' },
    url: `${SHOP}${path}`,
    offers: {
      '@type': 'Offer',
      price: '19.99',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
    },
  };
  return `<!doctype html><html><head><title>Counted lamp</title><script type="application/ld+json">${JSON.stringify(product)}</script></head><body><h1>Counted lamp</h1></body></html>`;
}
