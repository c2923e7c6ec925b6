// The stage of the console checks: the service on the simulated market, a product with a known history, a shop with hostile
// titles, and keys of every kind.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openConsole } from '../../../src/edge/cli/service/console.ts';
import { DAY_MS } from '../../../src/base/clock.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { barcodeKey, insertImported } from '../../../src/data/history/imported-history.ts';
import { startService, type Service } from '../../../tests/support/service.ts';

export const HOSTILE = 'https://www.hostiletitles.example';

/** Titles that must be shown as text, or not at all. */
export const TITLES: Readonly<Record<string, string>> = {
  '/script': '<script>document.title="owned"</script><img src=x onerror=alert(1)>',
  '/address': 'javascript:alert(1)',
  '/bidi': 'safe \u202egpj.exe\u202c \u2066back\u2069 title',
  '/long': `Long ${'wordwithoutaspace'.repeat(600)}`,
};

/** The price a day ago, and so on; null: out of stock. */
type KnownDay = { readonly daysAgo: number; readonly prices: readonly (number | null)[] };

/** Ninety days, each with a price range, a gap of ten days, and four days without stock. */
export const KNOWN_DAYS: readonly KnownDay[] = Array.from({ length: 90 }, (_, at) => 90 - at)
  .filter((daysAgo) => daysAgo > 50 || daysAgo < 40)
  .map((daysAgo) => {
    if (daysAgo >= 20 && daysAgo < 24) return { daysAgo, prices: [null] };
    const price = 20 + Math.round(300 * Math.sin(daysAgo / 9)) / 100;
    return { daysAgo, prices: daysAgo % 7 === 0 ? [price, price - 1.25] : [price] };
  });

/** A local receiver of notices: what it was sent, and what it answers. */
type Receiver = {
  readonly url: string;
  readonly got: { readonly id: string; readonly body: string }[];
  answer: { status: number; text: string };
};

export type Stage = AsyncDisposable & {
  readonly receiver: Receiver;
  readonly service: Service;
  /** The sign-in address, with and without the operator's page. */
  readonly address: (isAdmin?: boolean) => Promise<string>;
  /** The barcode of the product with the known history. */
  readonly known: string;
  /** Barcodes of the market. */
  readonly codes: readonly string[];
};

export async function openStage(): Promise<Stage> {
  const shop = createServer((request, response) => {
    const title = TITLES[new URL(request.url ?? '/', HOSTILE).pathname];
    response.writeHead(title === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(title === undefined ? '' : productPage(title));
  });
  const url = await listening(shop);
  const receiver: Receiver = { url: '', got: [], answer: { status: 200, text: 'thank you' } };
  const hook = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      const id = String(request.headers['webhook-id'] ?? '');
      receiver.got.push({ id, body: Buffer.concat(pieces as Buffer[]).toString() });
      response.writeHead(receiver.answer.status, { 'content-type': 'text/plain' });
      response.end(receiver.answer.text);
    });
  });
  Object.assign(receiver, { url: await listening(hook) });
  const service = await startService({
    withRetailers: true,
    env: {
      OPENSHELF_ORIGINS: `${HOSTILE}=${url}`,
      OPENSHELF_NOTIFY_ALLOW: new URL(receiver.url).host,
    },
  });
  const market = service.sandbox.market();
  const known = service.sandbox.describe().upc;
  // Organizations in an evaluation have no practical request limit.
  await service.app.store.accounts.upsertOrganization(
    { name: 'test', throttlePerMinute: 60_000 },
    Date.now(),
  );
  await importKnown(service, known);
  const codes = market.catalog
    .filter(({ trouble }) => trouble === null)
    .map(({ gtin14 }) => gtin14.slice(2));
  return {
    service,
    receiver,
    known,
    codes: [known, ...codes.filter((code) => code !== known)],
    address: async (isAdmin = false) => {
      const opened = await openConsole(
        service.app.store,
        service.url,
        { org: 'test', isAdmin },
        Date.now(),
      );
      return opened.address;
    },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      for (const server of [shop, hook]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function importKnown({ app }: Service, upc: string): Promise<void> {
  const gtin = toGtin14(upc);
  if (gtin === null) throw new Error(`${upc} is not a barcode`);
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  await insertImported(
    app.store.sql,
    KNOWN_DAYS.flatMap(({ daysAgo, prices }) =>
      prices.map((price, at) => ({
        retailer: 'retailer_w',
        key: barcodeKey(gtin),
        url: '',
        gtin,
        observedAtMs: midnight - daysAgo * DAY_MS + (at + 1) * 3_600_000,
        price: price === null ? null : { cents: Math.round(price * 100), currency: 'USD' },
        inStock: price !== null,
      })),
    ),
  );
}

function productPage(title: string): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: title,
    brand: title,
    description: title,
    offers: {
      '@type': 'Offer',
      price: '12.50',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
    },
  };
  const shown = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><html lang="en"><head><title>${shown}</title>
<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script></head>
<body><h1>${shown}</h1></body></html>`;
}
