// Publishes messages to an MQTT broker (OASIS MQTT 3.1.1) over a connection that was opened to a checked address: CONNECT, one
// PUBLISH with QoS 1 after the other, DISCONNECT. The whole takes seconds, within which the broker expects no ping.

import type { Socket } from 'node:net';

import type { BrokerRequest } from '../rules/channels/receiver.ts';
import { FetchError } from './fetch-error.ts';
import { unlessAborted } from './socket-wait.ts';

const CONNECT = 0x10;
const CONNACK = 0x20;
const PUBLISH = 0x30;
const PUBACK = 0x40;
const DISCONNECT = Buffer.from([0xe0, 0]);
const QOS_1 = 0x02;
const RETAIN = 0x01;
const CLEAN_SESSION = 0x02;
const WITH_LOGIN = 0xc0;
/** Seconds without a packet after which a broker may close. */
const KEEP_ALIVE = 60;
/** Length of both answers, CONNACK and PUBACK. */
const ANSWER_BYTES = 2;
const MOST_BYTES = 4_096;

/**
 * Returns the broker's return code: 0 once it has confirmed each message. Throws FetchError `bad_response` for what is not
 * MQTT, `reset` if the connection ends, and the signal's reason once it aborts.
 */
export async function publishMqtt(
  socket: Socket,
  { login, messages }: Pick<BrokerRequest, 'login' | 'messages'>,
  signal: AbortSignal,
): Promise<number> {
  const packets = packetsOf(socket);
  const next = async (type: number): Promise<Buffer> => {
    const { value } = await unlessAborted(signal, packets.next());
    if (value === undefined) throw new FetchError('reset', 'the broker closed the connection');
    if (value.type !== type) throw new FetchError('bad_response', 'unexpected packet');
    return value.body;
  };
  // At most 23 letters and digits, which every broker accepts.
  const client = `openshelf${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const flags = CLEAN_SESSION | (login === null ? 0 : WITH_LOGIN);
  socket.write(
    packet(CONNECT, [
      text('MQTT'),
      Buffer.from([4, flags, 0, KEEP_ALIVE]),
      text(client),
      ...(login === null ? [] : [text(login.user), text(login.password)]),
    ]),
  );
  const [, code = 0] = await next(CONNACK);
  if (code !== 0) return code;
  for (const [at, { topic, payload, isRetained }] of messages.entries()) {
    const id = Buffer.from([0, at + 1]);
    const type = PUBLISH | QOS_1 | (isRetained ? RETAIN : 0);
    socket.write(packet(type, [text(topic), id, Buffer.from(payload)]));
    if (!(await next(PUBACK)).equals(id)) {
      throw new FetchError('bad_response', 'the broker acknowledged another message');
    }
  }
  socket.end(DISCONNECT);
  return 0;
}

function text(written: string): Buffer {
  const bytes = Buffer.from(written);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function packet(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = body.length; length.length === 0 || rest > 0; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
  }
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}

type Packet = { readonly type: number; readonly body: Buffer };

/** Reads the broker's answers. */
async function* packetsOf(socket: Socket): AsyncGenerator<Packet, undefined> {
  let bytes = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    read += chunk.length;
    bytes = Buffer.concat([bytes, chunk]);
    if (read > MOST_BYTES) throw new FetchError('bad_response', 'too much for answers');
    while (bytes.length >= 2) {
      const [type = 0, length] = bytes;
      if (length !== ANSWER_BYTES) throw new FetchError('bad_response', 'no length of an answer');
      const end = 2 + ANSWER_BYTES;
      if (bytes.length < end) break;
      yield { type: type & 0xf0, body: bytes.subarray(2, end) };
      bytes = bytes.subarray(end);
    }
  }
  return undefined;
}
