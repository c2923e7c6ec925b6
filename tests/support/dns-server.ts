// A tiny DNS server on loopback UDP: each lookup of a name gets the next answer of its sequence. A and AAAA queries are
// counted separately, since one lookup sends both.

import { createSocket } from 'node:dgram';

import { parseAddress } from '../../src/egress/guard/address-guard.ts';

export type DnsServer = {
  /** `127.0.0.1:port`, as OPENSHELF_DNS_SERVERS takes it. */
  readonly address: string;
  /** Names and the answers to their first, second, ... lookup; the last one repeats. */
  readonly answers: Map<string, readonly (readonly string[])[]>;
  /** Domains for which nothing is answered. */
  readonly silent: Set<string>;
  /** Query counts by type and name, e.g. `A shop.example.com`. */
  readonly asked: Map<string, number>;
  close(): Promise<void>;
};

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;

function readName(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function addressBytes(text: string): Buffer {
  const address = parseAddress(text);
  const length = address?.family === 4 ? 4 : 16;
  return Buffer.from((address?.value ?? 0n).toString(16).padStart(length * 2, '0'), 'hex');
}

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const answers = new Map<string, readonly (readonly string[])[]>();
  const silent = new Set<string>();
  const asked = new Map<string, number>();
  socket.on('message', (message, peer) => {
    const { name, end } = readName(message);
    const type = message.readUInt16BE(end);
    const key = `${type === TYPE_A ? 'A' : 'AAAA'} ${name}`;
    const count = asked.get(key) ?? 0;
    asked.set(key, count + 1);
    if (silent.has(name.slice(name.indexOf('.') + 1))) return;
    const sequence = answers.get(name);
    const all = sequence?.[Math.min(count, sequence.length - 1)] ?? [];
    const wanted = all.filter((text) => text.includes(':') === (type === TYPE_AAAA));
    const head = Buffer.from(message.subarray(0, end + 4));
    head.writeUInt16BE(0x8180 | (sequence === undefined ? NXDOMAIN : 0), 2);
    head.writeUInt16BE(wanted.length, 6);
    head.writeUInt32BE(0, 8);
    const records = wanted.map((text) => {
      const bytes = addressBytes(text);
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    socket.send(Buffer.concat([head, ...records]), peer.port, peer.address);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.bind(0, '127.0.0.1', resolve);
  await promise;
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answers,
    silent,
    asked,
    close: async () => {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      socket.close(() => done());
      await closed;
    },
  };
}
