// A receiver that can be stopped in the middle of an answer and restarted at the same address.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type NoticeToDeliver = {
  readonly id: string;
  readonly url: string | null;
  readonly kind: string;
  readonly old_price: number | null;
  readonly new_price: number | null;
};

type ShakyReceiver = {
  readonly place: string;
  /** Every request whose body arrived, answered or not. */
  readonly received: readonly NoticeToDeliver[];
  /** Connections are cut, and new ones refused. */
  down(): Promise<void>;
  up(): Promise<void>;
};

export async function openReceiver(): Promise<ShakyReceiver> {
  const received: NoticeToDeliver[] = [];
  const make = (): Server =>
    createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { data: NoticeToDeliver };
        if (request.headers['webhook-id'] !== data.id)
          throw new Error('the id is not the notice’s');
        received.push(data);
        response.writeHead(204).end();
      });
    });
  let server = make();
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    place: `127.0.0.1:${port}`,
    received,
    async down() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    async up() {
      server = make();
      await listen(port);
    },
  };
}
