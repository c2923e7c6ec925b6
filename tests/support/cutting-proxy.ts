// A proxy that cuts the connection at a chosen moment: it forwards bytes until it sees a given text on its way to the server.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type CuttingProxy = AsyncDisposable & {
  readonly port: number;
  /**
   * Cuts the connection the next time this text is sent to the server: `before` the server receives it, or `after`, when it has
   * answered and the answer is not forwarded. Resolves when it was cut. `lastWords`: what the client receives before.
   */
  cutAt(text: string, when: 'before' | 'after', lastWords?: Uint8Array): Promise<void>;
  /** Forwards nothing from now on, but keeps all connections open. */
  fallSilent(): void;
};

type Cut = {
  readonly text: string;
  readonly when: 'before' | 'after';
  readonly lastWords: Uint8Array;
  readonly done: () => void;
};

/** Starts it on a free port, or on that of an earlier proxy. */
export async function startCuttingProxy(targetPort: number, ownPort = 0): Promise<CuttingProxy> {
  let cut: Cut | null = null;
  let isSilent = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let isMute = false;
    const end = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      if (isSilent) return;
      const found = cut !== null && bytes.includes(cut.text) ? cut : null;
      if (found !== null) cut = null;
      if (found?.when === 'before') {
        target.removeAllListeners('data');
        client.write(found.lastWords, end);
        found.done();
        return;
      }
      target.write(bytes);
      if (found === null) return;
      isMute = true;
      target.once('data', () => {
        end();
        found.done();
      });
    });
    target.on('data', (bytes) => {
      if (!isMute && !isSilent) client.write(bytes);
    });
  }).listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cutAt: (text, when, lastWords = new Uint8Array()) =>
      new Promise((resolve) => {
        cut = { text, when, lastWords, done: resolve };
      }),
    fallSilent: () => {
      isSilent = true;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
