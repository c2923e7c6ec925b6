// Limits what an answer does on the wire before the HTTP parser sees it. The parser accepts unlimited informational answers,
// tiny chunks and chunk extensions, and each costs the serving thread a callback.

import type { Socket } from 'node:net';

import { FetchError } from './fetch-error.ts';
import type { FetchLimits } from './limits.ts';

type WatchLimits = Pick<FetchLimits, 'headerBytes' | 'headerFields'>;

/** Maximum informational answers before the final one: servers send one or two. */
const MAX_INFORMATIONAL = 8;
/** Characters of a line that may be the start of a status line: a few CR, `HTTP/1.1 100`. */
const STATUS_LINE_START = 32;
/** The longest line between two chunks. It has the size and extensions, which are unused in practice. */
const MAX_CHUNK_LINE = 256;
/** Chunks, and received pieces, that may be small. Beyond this number each needs `SMALL_BYTES` on average. */
const SMALL_ALLOWED = 2_000;
const SMALL_BYTES = 64;

const LINE_FEED = 10;

type State = 'head' | 'chunk-size' | 'chunk' | 'trailers' | 'unwatched';

/**
 * Inspects everything read from the socket from now on. `failed` is called once, with a `bad_response`, for the first bytes
 * over a limit; those are not passed on.
 */
export function watchWire(
  socket: Socket,
  limits: WatchLimits,
  failed: (error: FetchError) => void,
): void {
  const watch = new WireWatch(limits);
  const read = socket.read.bind(socket);
  const unshift = socket.unshift.bind(socket);
  let problem: string | null = null;
  /** Bytes that the parser gave back and will read again. */
  let seen = 0;
  socket.read = (size?: number): unknown => {
    const bytes = problem === null ? (read(size) as Buffer | null) : null;
    if (bytes === null) return null;
    const known = Math.min(seen, bytes.length);
    seen -= known;
    problem = watch.feed(bytes.subarray(known));
    if (problem === null) return bytes;
    failed(new FetchError('bad_response', problem));
    socket.destroy();
    return null;
  };
  socket.unshift = (bytes: Buffer, encoding?: BufferEncoding): void => {
    seen += bytes.length;
    unshift(bytes, encoding);
  };
}

const TWO = 0x32;
const STATUS_100 = /^\r*HTTP\/\d\.\d 100/;

/**
 * Makes 102 of 100, in bytes that continue `line`. A client must pass over every informational answer, also one that it did not
 * ask for (RFC 9110 15.2); undici 8.13.1 fails on 100 and passes over all others.
 */
function passOver100(bytes: Buffer, from: number, line: string): void {
  const start = line + bytes.toString('latin1', from, from + STATUS_LINE_START);
  const last = (STATUS_100.exec(start)?.[0].length ?? 0) - 1 - line.length;
  if (last >= 0) bytes[from + last] = TWO;
}

/** Tracks the framing of one answer, as much of HTTP/1.1 as counting needs. The parser decides what is valid. */
class WireWatch {
  readonly #limits: WatchLimits;
  #state: State = 'head';
  /** The current line. Only its first bytes are stored. */
  #line = '';
  #lineBytes = 0;
  /** Bytes of all heads and trailers together. */
  #headBytes = 0;
  #fields = 0;
  #informational = 0;
  #status = 0;
  #isChunked = false;
  #left = 0;
  #chunks = 0;
  #emptyLines = 0;
  #chunkBytes = 0;
  #extensionBytes = 0;
  #pieces = 0;
  #bytes = 0;

  constructor(limits: WatchLimits) {
    this.#limits = limits;
  }

  /** Describes the problem with the bytes so far; null if there is none. */
  feed(bytes: Buffer): string | null {
    this.#pieces += 1;
    this.#bytes += bytes.length;
    if (isTooSmall(this.#pieces, this.#bytes)) return 'the answer trickles';
    let at = 0;
    while (at < bytes.length && this.#state !== 'unwatched') {
      if (this.#state === 'chunk') {
        const taken = Math.min(this.#left, bytes.length - at);
        at += taken;
        this.#left -= taken;
        if (this.#left === 0) this.#state = 'chunk-size';
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, at);
      const to = end < 0 ? bytes.length : end + 1;
      const problem = this.#addToLine(bytes, at, to) ?? (end < 0 ? null : this.#endLine());
      if (problem !== null) return problem;
      at = to;
    }
    return null;
  }

  #addToLine(bytes: Buffer, from: number, to: number): string | null {
    if (this.#state === 'head' && this.#status === 0) passOver100(bytes, from, this.#line);
    this.#lineBytes += to - from;
    // Header lines are stored whole; their bytes are limited. A field padded with blanks means the same as without them.
    const limit = this.#state === 'chunk-size' ? MAX_CHUNK_LINE : this.#limits.headerBytes;
    const room = limit - this.#line.length;
    if (room > 0) this.#line += bytes.toString('latin1', from, Math.min(to, from + room));
    if (this.#state === 'chunk-size') {
      return this.#lineBytes > MAX_CHUNK_LINE ? 'a chunk size line that does not end' : null;
    }
    this.#headBytes += to - from;
    return this.#headBytes > this.#limits.headerBytes
      ? `more than ${this.#limits.headerBytes} bytes of headers`
      : null;
  }

  #endLine(): string | null {
    // The parser skips a lone CR before a status line.
    const line = this.#line.trim();
    this.#line = '';
    this.#lineBytes = 0;
    if (this.#state === 'chunk-size') return this.#chunkSize(line);
    if (this.#status === 0) return this.#statusLine(line);
    if (line === '') return this.#endHead();
    this.#fields += 1;
    if (/^transfer-encoding:.*chunked$/i.test(line)) this.#isChunked = true;
    return this.#fields > this.#limits.headerFields
      ? `more than ${this.#limits.headerFields} header fields`
      : null;
  }

  #statusLine(line: string): string | null {
    // Empty lines before the status line are skipped; the limit for bytes of the head also limits them.
    if (line === '') return null;
    const status = /^HTTP\/\d\.\d (\d{3})/.exec(line)?.[1];
    // The parser also accepts RTSP and ICE, and would read their informational answers without an end.
    if (status === undefined) return 'a first line that is not HTTP';
    this.#status = Number(status);
    if (this.#status >= 200 || this.#status < 100 || this.#status === 101) return null;
    this.#informational += 1;
    return this.#informational > MAX_INFORMATIONAL
      ? `more than ${MAX_INFORMATIONAL} informational answers`
      : null;
  }

  #endHead(): null {
    const isFinal = this.#status >= 200 || this.#status === 101 || this.#state === 'trailers';
    if (!isFinal) {
      this.#status = 0;
      return null;
    }
    const hasChunks = this.#isChunked && this.#state !== 'trailers';
    this.#state = hasChunks ? 'chunk-size' : 'unwatched';
    return null;
  }

  #chunkSize(line: string): string | null {
    if (line === '') {
      // The end of the previous chunk; at most one per chunk.
      this.#emptyLines += 1;
      return this.#emptyLines > this.#chunks ? 'empty lines between chunks' : null;
    }
    const size = Number.parseInt(line, 16);
    if (!(size > 0)) {
      this.#state = 'trailers';
      return null;
    }
    this.#chunks += 1;
    this.#chunkBytes += size;
    this.#left = size;
    this.#state = 'chunk';
    if (isTooSmall(this.#chunks, this.#chunkBytes)) return 'chunks of a few bytes';
    const extension = line.indexOf(';');
    if (extension >= 0) this.#extensionBytes += line.length - extension;
    return this.#extensionBytes > this.#limits.headerBytes
      ? `more than ${this.#limits.headerBytes} bytes of chunk extensions`
      : null;
  }
}

function isTooSmall(count: number, bytes: number): boolean {
  return count > SMALL_ALLOWED && bytes / SMALL_BYTES < count - SMALL_ALLOWED;
}
