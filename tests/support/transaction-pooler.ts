// A pooler in transaction mode, like PgBouncer: all clients share one session of the server, each for one transaction at a
// time. It greets its clients itself, and forwards whole messages.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type TransactionPooler = AsyncDisposable & { readonly port: number };

type Client = { readonly socket: Socket; waiting: Buffer[] };

const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
const READY = 0x5a;
const IDLE = 0x49;

/** A message: its type, length and content. A client's first one has no type. */
const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** Assembles messages from pieces; `hasType` false: the first one begins with its length. */
function inMessages(each: (message: Buffer) => void, hasType = true): (piece: Buffer) => void {
  let stored = Buffer.alloc(0);
  let at = hasType ? 1 : 0;
  return (piece) => {
    stored = Buffer.concat([stored, piece]);
    while (stored.length >= at + 4) {
      const end = at + stored.readInt32BE(at);
      if (stored.length < end) return;
      const whole = stored.subarray(0, end);
      stored = stored.subarray(end);
      at = 1;
      each(whole);
    }
  };
}

/** `startup`: the first message of a client, with user and database. */
async function connectAs(startup: Buffer, port: number): Promise<Socket> {
  const server = connect(port, '127.0.0.1');
  server.write(startup);
  const ready = Promise.withResolvers<void>();
  const read = inMessages((each) => (each[0] === READY ? ready.resolve() : undefined));
  server.on('data', read);
  await ready.promise;
  server.off('data', read);
  return server;
}

export async function startTransactionPooler(targetPort: number): Promise<TransactionPooler> {
  const open = new Set<Socket>();
  const queue: Client[] = [];
  let server: Promise<Socket> | null = null;
  let current: Client | null = null;
  let unanswered = 0;
  const next = (to: Socket): void => {
    current = queue.shift() ?? null;
    for (const each of current?.waiting.splice(0) ?? []) pass(to, each);
  };
  const pass = (to: Socket, each: Buffer): void => {
    if (each[0] === QUERY || each[0] === SYNC) unanswered += 1;
    to.write(each);
  };
  const serverFor = async (startup: Buffer): Promise<Socket> => {
    const to = await connectAs(startup, targetPort);
    open.add(to);
    to.on('error', () => {});
    const read = inMessages((each) => {
      current?.socket.write(each);
      if (each[0] !== READY) return;
      unanswered -= 1;
      if (unanswered === 0 && each.at(-1) === IDLE) next(to);
    });
    return to.on('data', read);
  };
  const listener = createServer((socket) => {
    open.add(socket);
    const client: Client = { socket, waiting: [] };
    let startup: Buffer | null = null;
    const read = inMessages((each) => {
      if (startup === null) {
        startup = each;
        socket.write(
          Buffer.concat([
            message('R', number(0)),
            message('K', number(1), number(1)),
            message('Z', Buffer.from('I')),
          ]),
        );
        return;
      }
      if (each[0] === TERMINATE) return void socket.end();
      void (server ??= serverFor(startup)).then((to) => {
        if (current === client) return pass(to, each);
        client.waiting.push(each);
        if (!queue.includes(client)) queue.push(client);
        if (current === null) next(to);
      });
    }, false);
    socket.on('data', read).on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const socket of open) socket.destroy();
      await once(listener, 'close');
    },
  };
}
