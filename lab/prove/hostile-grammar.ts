// A seeded grammar of hostile shops' answers: informational answers, header fields, framing, codings, redirects, chunks and
// pages. Each comes with its acceptable outcomes.

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { hostilePages } from './hostile-pages.ts';
import { PRODUCT_PAGE } from '../../tests/support/hostile-bodies.ts';
import { pick, randomFrom } from '../../tests/support/random.ts';

export type HostileAnswer = {
  readonly what: string;
  /** Written to the socket, chunk by chunk. */
  readonly pieces: readonly Buffer[];
  /** Written after the chunks for as long as the other side reads. */
  readonly pour: Buffer | null;
  /** `reset`: the connection is cut after the chunks. `open`: it stays open. */
  readonly end: 'close' | 'reset' | 'open';
  /** Outcomes as in tests/support/hostile-shop.ts. */
  readonly must: readonly string[];
};

type Random = () => number;

const READ = ['parsed', 'not_a_product', 'not_found', 'upstream_bad_response', 'upstream_blocked'];
const BAD = ['upstream_bad_response'];
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n';

/** Returns the answer with this number; equal seeds and numbers give equal answers. */
export function hostileAnswer(seed: number, number: number): HostileAnswer {
  const random = randomFrom(seed * 1_000_003 + number);
  return pick(random, FAMILIES)(random);
}

function answer(what: string, text: string | Buffer, must: readonly string[]): HostileAnswer {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  return { what, pieces: [bytes], pour: null, end: 'close', must };
}

const below = (random: Random, max: number): number => Math.floor(random() * max);

/** Returns a page that the readers have to bound, or a normal one. */
function pageOf(random: Random): {
  readonly name: string;
  readonly html: Buffer;
  readonly must: readonly string[];
} {
  if (random() < 0.5)
    return { name: 'a product', html: Buffer.from(PRODUCT_PAGE), must: ['parsed'] };
  const [name, make] = pick(random, Object.entries(hostilePages));
  return { name, html: Buffer.from(make(10_000 + below(random, 2_000_000))), must: READ };
}

const FAMILIES: readonly ((random: Random) => HostileAnswer)[] = [
  (random) => {
    const count = below(random, 17);
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(count);
    const text = `${hints}${HEAD}Content-Length: ${PRODUCT_PAGE.length}\r\n\r\n${PRODUCT_PAGE}`;
    return answer(`${count} informational answers`, text, count > 8 ? BAD : ['parsed']);
  },
  (random) => {
    const status = pick(random, ['100 Continue', '102 Processing', '103 Early Hints', '199 Odd']);
    const pour = Buffer.from(`HTTP/1.1 ${status}\r\n\r\n`.repeat(1_000));
    return { ...answer(`a flood of ${status}`, '', BAD), pour, end: 'open' };
  },
  (random) => {
    const count = 1 + below(random, 600);
    const fields = Array.from({ length: count }, (_, index) => `x${index}: 1\r\n`).join('');
    const length = `Content-Length: ${PRODUCT_PAGE.length}\r\n\r\n`;
    const must = count + 2 > 256 ? BAD : ['parsed'];
    return answer(`${count} header fields`, `${HEAD}${fields}${length}${PRODUCT_PAGE}`, must);
  },
  (random) => {
    const count = 16_500 + below(random, 100_000);
    const text = pick(random, [
      `HTTP/1.1 200 ${'O'.repeat(count)}`,
      `${HEAD}a: ${'x'.repeat(count)}`,
    ]);
    return { ...answer(`${count} bytes of one header line`, text, BAD), end: 'open' };
  },
  (random) => {
    const page = pageOf(random);
    const codings = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: (html: Buffer) => brotliCompressSync(html, { params: { 1: 1 } }),
      zstd: zstdCompressSync,
    };
    const [coding, encode] = pick(random, Object.entries(codings));
    const body = encode(page.html);
    const head = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    return answer(`${page.name}, ${coding}`, Buffer.concat([Buffer.from(head), body]), page.must);
  },
  (random) => {
    const coding = pick(random, ['gzip', 'br', 'zstd', 'snappy', 'gzip, br', 'gzip, gzip, gzip']);
    const noise = Buffer.from(
      Array.from({ length: 40 + below(random, 400) }, () => 255 - below(random, 9)),
    );
    const head = `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${noise.length}\r\n\r\n`;
    const must = ['upstream_bad_encoding'];
    return answer(`noise as ${coding}`, Buffer.concat([Buffer.from(head), noise]), must);
  },
  (random) => {
    const size = 1 + below(random, 60);
    const html = PRODUCT_PAGE + ' '.repeat(below(random, 200_000));
    const chunks = html.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    const extension = ';x=y'.repeat(below(random, 90));
    const text = chunks
      .map((each) => `${each.length.toString(16)}${extension}\r\n${each}\r\n`)
      .join('');
    const whole = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${text}0\r\n\r\n`;
    const must = extension.length > 256 ? BAD : ['parsed', ...BAD];
    return answer(`chunks of ${size} bytes, extensions of ${extension.length}`, whole, must);
  },
  (random) => {
    const pour = pick(random, [
      '1\r\na\r\n',
      '1;a=b\r\na\r\n',
      '0\r\nx: y\r\n',
      '5;x',
      '\r\n',
      'a',
    ]);
    const head = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
    const flood = answer(`a flood of ${JSON.stringify(pour)} as chunks`, head, READ);
    return { ...flood, pour: Buffer.from(pour.repeat(5_000)), end: 'open' };
  },
  (random) => {
    const framing = pick(random, [
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Content-Length: -1',
      'Content-Length: 1e9',
      'Bad Field: x',
    ]);
    return answer(framing, `${HEAD}${framing}\r\n\r\nhello`, BAD);
  },
  (random) => {
    const [to, must] = pick(random, [
      ['/again', 'upstream_redirect_loop'],
      ['http://127.0.0.1/', 'url_not_allowed'],
      ['http://[::ffff:10.0.0.1]/', 'url_not_allowed'],
      ['https://user:pass@shop.example.com/', 'url_not_allowed'],
      ['http://shop.example.com/p', 'url_not_allowed'],
      ['gopher://shop.example.com/', 'url_not_allowed'],
      ['', 'upstream_bad_response'],
    ] as const);
    const status = pick(random, [301, 302, 303, 307, 308]);
    const text = `HTTP/1.1 ${status} Moved\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
    return answer(`${status} to ${to}`, text, [must]);
  },
  (random) => {
    const page = pageOf(random);
    const length = `Content-Length: ${page.html.length + 1 + below(random, 1_000)}\r\n\r\n`;
    const whole = Buffer.concat([Buffer.from(HEAD + length), page.html]);
    const cut = whole.subarray(0, below(random, whole.length));
    return { ...answer('a page that is cut', cut, ['upstream_reset', ...BAD]), end: 'reset' };
  },
  (random) => {
    const count = 1 + below(random, 400);
    const noise = Buffer.from(Array.from({ length: count }, () => below(random, 256)));
    return answer(`${count} bytes of noise`, noise, ['upstream_reset', ...READ]);
  },
  (random) => {
    const bytes = 2_100 + below(random, 3_000);
    const html = Buffer.from(PRODUCT_PAGE.padEnd(bytes));
    const head = Buffer.from(`${HEAD}Content-Length: ${html.length}\r\n\r\n`);
    const size = 1 + below(random, 64);
    const pieces = Array.from({ length: Math.ceil(html.length / size) }, (_, index) =>
      html.subarray(index * size, (index + 1) * size),
    );
    const must = ['parsed', ...BAD];
    return {
      what: `pieces of ${size} bytes`,
      pieces: [head, ...pieces],
      pour: null,
      end: 'close',
      must,
    };
  },
];
