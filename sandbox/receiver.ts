// A simulated receiver of notices on loopback, in place of a user's own webhook.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fields of a notice that the demo prints. */
type ReceivedNotice = { readonly title: string; readonly text: string };

export type SimulatedReceiver = AsyncDisposable & {
  /** `127.0.0.1:PORT`. */
  readonly place: string;
};

/** A notice is some KB; a larger body is truncated. */
const MOST_BYTES = 100_000;

/** Accepts signed webhooks, whoever signed them, and passes each notice on. */
export async function startReceiver(
  onNotice: (notice: ReceivedNotice) => void,
): Promise<SimulatedReceiver> {
  const server = createServer((request, response) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    request.on('data', (piece: Uint8Array) => {
      bytes += piece.byteLength;
      if (bytes > MOST_BYTES) request.destroy();
      else pieces.push(piece);
    });
    request.on('end', () => {
      const notice = noticeIn(Buffer.concat(pieces).toString());
      response.writeHead(notice === null ? 400 : 204).end();
      if (notice !== null) onNotice(notice);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function noticeIn(body: string): ReceivedNotice | null {
  try {
    const { data } = JSON.parse(body) as { data?: Partial<ReceivedNotice> };
    const { title, text } = data ?? {};
    return typeof title === 'string' && typeof text === 'string' ? { title, text } : null;
  } catch {
    return null;
  }
}
