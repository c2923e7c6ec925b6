// What an answer does on the wire: floods end before the HTTP parser sees them, ordinary answers pass however they are
// split.

import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';

import { watchWire } from '../../src/egress/wire-watch.ts';
import { DEFAULT_LIMITS } from '../../src/egress/limits.ts';
import { randomFrom } from '../support/random.ts';

/** Returns what the watch reports for a text that arrives in pieces of this many bytes. */
function said(text: string, pieceBytes = 65_536): string | null {
  const socket = new Socket();
  const problems: string[] = [];
  watchWire(socket, DEFAULT_LIMITS, ({ message }) => problems.push(message));
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length && problems.length === 0; at += pieceBytes) {
    socket.push(bytes.subarray(at, at + pieceBytes));
    socket.read();
  }
  socket.destroy();
  return problems[0] ?? null;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

test('ordinary answers pass, however they are cut into pieces', () => {
  const random = randomFrom(11);
  const body = 'one line\r\nanother: line\r\n\r\nHTTP/1.1 103 no head\r\n'.repeat(40);
  const answers = [
    `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${HEAD}\r\n${body}`,
    `${HINT}${HINT}${HEAD}\r\n${body}`,
    `${CHUNKED}${body.length.toString(16)}\r\n${body}\r\n5;name=value\r\nhello\r\n0\r\n\r\n`,
    `${CHUNKED}5\r\nhello\r\n0\r\nTrailer: yes\r\n\r\n`,
  ];
  for (const answer of answers) {
    assert.equal(said(answer), null);
    for (let round = 0; round < 20; round += 1) {
      assert.equal(said(answer, 3 + Math.floor(random() * 60)), null, answer.slice(0, 80));
    }
  }
});

test('a flood of informational answers ends after eight', () => {
  assert.equal(said(`${HINT.repeat(8)}${HEAD}\r\n`), null);
  assert.match(said(HINT.repeat(9)) ?? '', /informational/);
  assert.match(said(HINT.repeat(9), 1) ?? '', /informational/);
});

test('floods are counted after a padded Transfer-Encoding and after a lone CR before the status line', () => {
  const padded = `${HEAD}Transfer-Encoding:${' '.repeat(300)}chunked\r\n\r\n`;
  assert.match(said(`${padded}${'1\r\nx\r\n'.repeat(5_000)}`) ?? '', /few bytes/);
  assert.match(said(`\r${HINT}`.repeat(9)) ?? '', /informational/);
});

test('informational answers are counted whatever protocol a shop calls itself', () => {
  for (const name of ['RTSP', 'ICE']) {
    assert.match(said(HINT.replace('HTTP', name)) ?? '', /is not HTTP/);
  }
});

test('fields and bytes of heads are counted over informational answers, the final one and trailers', () => {
  const field = 'a: 1\r\n';
  assert.equal(said(`${HEAD}${field.repeat(250)}\r\n`), null);
  assert.match(said(`${HEAD}${field.repeat(10_000)}\r\n`) ?? '', /header fields/);
  assert.match(said(`${HINT}${HEAD}${field.repeat(255)}\r\n`) ?? '', /header fields/);
  assert.match(said(`HTTP/1.1 200 ${'O'.repeat(20_000)}`) ?? '', /bytes of headers/);
  assert.match(said(`\r\n`.repeat(10_000)) ?? '', /bytes of headers/);
  assert.match(said(`${CHUNKED}0\r\n${field.repeat(300)}`) ?? '', /header fields/);
  assert.match(said(`${CHUNKED}0\r\na: ${'x'.repeat(17_000)}`) ?? '', /bytes of headers/);
});

test('tiny chunks, endless chunk extensions and trickles end; large chunks and short answers pass', () => {
  assert.match(said(`${CHUNKED}${'1\r\na\r\n'.repeat(20_000)}`) ?? '', /few bytes/);
  assert.match(said(`${CHUNKED}5;${'x'.repeat(300)}`) ?? '', /does not end/);
  const extended = `3;${'x'.repeat(200)}\r\nabc\r\n`;
  assert.match(said(`${CHUNKED}${extended.repeat(100)}`) ?? '', /chunk extensions/);
  assert.match(said(`${HEAD}\r\n${'x'.repeat(5_000)}`, 1) ?? '', /trickles/);
  assert.equal(said(`${CHUNKED}${'1\r\na\r\n'.repeat(1_500)}0\r\n\r\n`), null);
  assert.equal(said(`${CHUNKED}${`400\r\n${'x'.repeat(1_024)}\r\n`.repeat(8_000)}`), null);
});
