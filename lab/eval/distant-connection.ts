// A connection with the latency between two cities: data is forwarded after a delay, and data in transit when it is cut is
// lost.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type DistantConnection = AsyncDisposable & {
  readonly port: number;
  /** Nothing is forwarded any more. */
  cut(): void;
};

/** Forwards a port of its own to another one, with `delayMs` in each direction. */
export async function startDistantConnection(
  targetPort: number,
  delayMs: number,
): Promise<DistantConnection> {
  const open = new Set<Socket>();
  let isCut = false;
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      setTimeout(() => {
        if (!isCut && !to.destroyed) to.write(bytes);
      }, delayMs);
    });
  };
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) {
      open.add(socket);
      const end = () => {
        open.delete(socket);
        client.destroy();
        target.destroy();
      };
      socket.on('error', end);
      socket.on('close', end);
    }
    pass(client, target);
    pass(target, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
