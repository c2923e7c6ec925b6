// A small MQTT 3.1.1 broker on loopback: it stores what is published, retained or not, and answers as told. Written from the
// standard, apart from the client that it tests.

import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

type Published = {
  readonly topic: string;
  readonly payload: string;
  readonly qos: number;
  readonly isRetained: boolean;
};

export type Broker = AsyncDisposable & {
  readonly place: string;
  readonly published: readonly Published[];
  /** User names and passwords of the connections; null without. */
  readonly logins: readonly (readonly [string, string] | null)[];
  /** Refuses connections from now on with this return code; 0 accepts them. */
  answers(code: number): void;
};

export async function startBroker(): Promise<Broker> {
  const published: Published[] = [];
  const logins: (readonly [string, string] | null)[] = [];
  const sockets = new Set<Socket>();
  let code = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let one = packetIn(bytes); one !== null; one = packetIn(bytes)) {
        bytes = bytes.subarray(one.length);
        answer(socket, one.head, one.body);
      }
    });
  });
  const answer = (socket: Socket, head: number, body: Buffer) => {
    const texts = textsIn(body);
    if (head === 0x10) {
      const hasLogin = ((body[7] ?? 0) & 0xc0) === 0xc0;
      const [, user = '', password = ''] = textsIn(body.subarray(10));
      logins.push(hasLogin ? [user, password] : null);
      // Sent byte by byte, as a network may.
      for (const byte of [0x20, 2, 0, code]) socket.write(Buffer.from([byte]));
    } else if ((head & 0xf0) === 0x30) {
      const [topic = ''] = texts;
      const at = 2 + Buffer.byteLength(topic);
      const qos = (head >> 1) & 3;
      const payload = body.subarray(at + (qos > 0 ? 2 : 0)).toString();
      published.push({ topic, payload, qos, isRetained: (head & 1) === 1 });
      socket.write(Buffer.from([0x40, 2, body[at] ?? 0, body[at + 1] ?? 0]));
    } else if (head === 0xe0) socket.end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    published,
    logins,
    answers: (next) => {
      code = next;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the first whole packet; null if it has not arrived. */
function packetIn(bytes: Buffer) {
  let length = 0;
  for (let at = 1, factor = 1; at < bytes.length && at < 5; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * factor;
    if (byte >= 0x80) continue;
    const whole = at + 1 + length;
    return bytes.length < whole
      ? null
      : { head: bytes[0] ?? 0, body: bytes.subarray(at + 1, whole), length: whole };
  }
  return null;
}

/** Returns the texts at the beginning, each with its length before it. */
function textsIn(body: Buffer): readonly string[] {
  const texts: string[] = [];
  let rest = body;
  while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
    const length = rest.readUInt16BE(0);
    texts.push(rest.subarray(2, 2 + length).toString());
    rest = rest.subarray(2 + length);
  }
  return texts;
}
