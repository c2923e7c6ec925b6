// A shop on loopback whose one product page is not answered until the test says so: a request for it is certainly still
// pending.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reserved name never belongs to a real shop. */
const ORIGIN = 'https://www.waitingshop.example';

const PAGE = `<!doctype html><title>Desk lamp</title><script type="application/ld+json">${JSON.stringify(
  {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Desk lamp',
    offers: { '@type': 'Offer', price: '24.90', priceCurrency: 'USD' },
  },
)}</script>`;

type WaitingShop = AsyncDisposable & {
  /** The public address of its product. */
  readonly product: string;
  /** Its entry in OPENSHELF_ORIGINS. */
  readonly origin: string;
  /** Answers the page from now on, including requests already waiting. */
  readonly answer: () => void;
};

export async function openWaitingShop(): Promise<WaitingShop> {
  const waiting = new Set<ServerResponse>();
  let answers = false;
  const send = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  const server = createServer(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (answers) send(response);
    else waiting.add(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    product: `${ORIGIN}/p/lamp`,
    origin: `${ORIGIN}=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: () => {
      answers = true;
      for (const response of waiting) send(response);
      waiting.clear();
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
