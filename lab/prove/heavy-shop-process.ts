// A shop in a separate process whose pages cost a reader as much as they can, or send informational answers without end,
// besides small pages that cost nothing. Selected by path: /heavy/, /hints/, and anything else is a small page.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { hostilePages } from './hostile-pages.ts';

/** Decoded; about a tenth of it is transferred. */
const HEAVY_BYTES = 7_000_000;
const heavy = gzipSync(hostilePages['chains of @id']?.(HEAVY_BYTES) ?? '');
const HINTS = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(1_000));

function small(path: string): string {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `Lamp ${path}`,
    sku: path.slice(1),
    offers: { '@type': 'Offer', price: '19.99', priceCurrency: 'USD' },
  };
  return `<!doctype html><title>Lamp</title><script type="application/ld+json">${JSON.stringify(product)}</script>`;
}

function pour(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(HINTS));
  };
  socket.on('drain', more);
  more();
}

function send(socket: Socket, path: string): void {
  if (path.startsWith('/hints/')) {
    pour(socket);
    return;
  }
  if (path === '/robots.txt') {
    socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  const isHeavy = path.startsWith('/heavy/');
  const body = isHeavy ? heavy : Buffer.from(small(path));
  const coding = isHeavy ? 'Content-Encoding: gzip\r\n' : '';
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${coding}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(body);
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    send(socket, /^GET (\S+)/.exec(request.toString('latin1'))?.[1] ?? '/');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
