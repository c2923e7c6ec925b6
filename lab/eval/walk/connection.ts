// A connection that stays open and on which a walk writes bytes: the same head again with another path, several requests in one
// chunk, one request in several chunks. Answers arrive in request order.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

type RawAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

export type Connection = Disposable & {
  readonly write: (piece: string) => Promise<void>;
  /**
   * Reads the next answer; `hasBody` is false for the answer to HEAD. Rejects if the connection is closed before its end.
   */
  readonly read: (hasBody: boolean) => Promise<RawAnswer>;
};

const HEAD_END = '\r\n\r\n';

export async function openConnection(base: string): Promise<Connection> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const arrived = createArrived(socket);
  return {
    write: async (piece) => {
      await new Promise<void>((resolve, reject) => {
        socket.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    },
    read: async (hasBody) => {
      const [line = '', ...fields] = (await arrived.until(HEAD_END))
        .toString('latin1')
        .split('\r\n');
      const headers = new Headers();
      for (const field of fields.filter((each) => each !== '')) {
        const colon = field.indexOf(':');
        headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
      }
      const body = hasBody ? await readBody(arrived, headers) : Buffer.alloc(0);
      const isGzip = headers.get('content-encoding') === 'gzip' && body.length > 0;
      const text = (isGzip ? gunzipSync(body) : body).toString();
      return { status: Number(line.split(' ')[1]), headers, text };
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

type Arrived = {
  /** Consumes the received bytes up to and including this mark; returns them without it. */
  readonly until: (mark: string) => Promise<Buffer>;
  readonly take: (length: number) => Promise<Buffer>;
};

function createArrived(socket: Socket): Arrived {
  let held: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('data', (piece: Buffer) => {
    held = Buffer.concat([held, piece]);
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  async function more(): Promise<void> {
    if (isOver)
      throw new Error(`the connection was closed behind ${held.toString('latin1', 0, 200)}`);
    await new Promise<void>((resolve) => (wake = resolve));
  }
  async function take(length: number): Promise<Buffer> {
    while (held.length < length) await more();
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }
  return {
    take,
    until: async (mark) => {
      let at = held.indexOf(mark);
      while (at < 0) {
        await more();
        at = held.indexOf(mark);
      }
      const taken = await take(at + mark.length);
      return taken.subarray(0, at);
    },
  };
}

async function readBody({ take, until }: Arrived, headers: Headers): Promise<Buffer> {
  if (headers.get('transfer-encoding') !== 'chunked')
    return await take(Number(headers.get('content-length') ?? 0));
  const pieces: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt((await until('\r\n')).toString('latin1'), 16);
    if (size === 0) break;
    pieces.push(await take(size));
    await until('\r\n');
  }
  await until('\r\n');
  return Buffer.concat(pieces);
}
