// The bytes of cached answers: compressed, keyed by the path and query that they answer, and by presentation. An unchanged
// answer is then sent without presenting it again, and without parsing its request: its last fields are added when it is sent, after
// the text, or to a client that accepts gzip as a stored block after the compressed ones.

import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

import { onceEach } from '../../../base/once.ts';
import type { Revision } from '../../../data/answers/revisions.ts';
import { createBoundedMap } from '../../../base/bounded-map.ts';

/**
 * The data that an answer was made from, and the time (ms) in which it is valid: `from` is inclusive, `until` exclusive.
 */
export type Basis = {
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** An answer that is valid while everything it was made from is unchanged. */
export type CacheEntry = Basis & {
  readonly key: string;
  /** Whether it may be given to every caller. */
  readonly isCommon: boolean;
  /** The bodies, one for each presentation. */
  bodies: readonly CachedBody[];
};

export type CachedBody = {
  readonly entry: CacheEntry;
  readonly presentation: string;
  /** The route as shown in the ledger: `GET /v1/products/{id}`. */
  readonly route: string;
  /**
   * The route as shown in logs and metrics. In the ledger a call is the same whether its address is in the path or in the
   * query.
   */
  readonly pattern: string;
  readonly body: PackedBody;
  readonly tokens: number;
  /** The paths with queries, as sent, that it answers. */
  targets: readonly string[];
};

/** An answer about to be sent. */
export type Presented = {
  /** Path and query as sent. */
  readonly target: string;
  readonly route: string;
  /** Everything that determines how the found is presented: the caller's options, in one normal form. */
  readonly presentation: string;
  /** The body without the token fields. */
  readonly body: object;
  readonly tokens: number;
};

/** Bytes of a body without its compressed text and its targets. */
const BODY_BYTES = 600;
/** Maximum presentations of an entry, and targets of one presentation; the oldest is dropped. */
const MAX_BODIES = 8;
const MAX_TARGETS = 8;

export type CachedBodies = {
  /** Returns the body for a path and query as sent. */
  find(target: string): CachedBody | null;
  /** Returns the entry's body with this presentation. */
  presented(entry: CacheEntry, presented: Presented): CachedBody | null;
  /** Adds a body to an entry, and its target. */
  add(entry: CacheEntry, presented: Presented, text: string): void;
  addTarget(body: CachedBody, target: string): void;
  /** Removes all bodies of an entry. */
  forget(entry: CacheEntry): void;
  /** Returns a body's text without the last brace, in UTF-8. */
  textOf(body: CachedBody): Buffer;
  /** Returns the bytes used by the texts, which belong to no entry. */
  textBytes(): number;
};

export function createCachedBodies(maxTextBytes: number): CachedBodies {
  const texts = createTexts(maxTextBytes);
  const byTarget = new Map<string, CachedBody>();

  function forgetBody({ targets, body }: CachedBody): void {
    for (const target of targets) byTarget.delete(target);
    texts.delete(body);
  }

  /** An answer that belongs to one organization is never found by a target, which does not identify the caller. */
  function addTarget(body: CachedBody, target: string): void {
    const { entry, targets } = body;
    if (!entry.isCommon || targets.includes(target)) return;
    const [oldest] = targets;
    if (targets.length === MAX_TARGETS && oldest !== undefined) byTarget.delete(oldest);
    body.targets = withNewest(targets, target, MAX_TARGETS);
    byTarget.set(target, body);
  }

  return {
    find: (target) => byTarget.get(target) ?? null,
    presented: ({ bodies }, { target, route, presentation }) => {
      const pattern = patternOf(target, route);
      return (
        bodies.find((each) => each.presentation === presentation && each.pattern === pattern) ??
        null
      );
    },
    add(entry, { target, route, presentation, tokens }, text) {
      const { body, head } = splicedBody(text);
      const pattern = patternOf(target, route);
      const added = { entry, presentation, route, pattern, body, tokens, targets: [] };
      const [oldest] = entry.bodies;
      if (entry.bodies.length === MAX_BODIES && oldest !== undefined) forgetBody(oldest);
      entry.bodies = withNewest(entry.bodies, added, MAX_BODIES);
      texts.add(body, head);
      addTarget(added, target);
    },
    addTarget,
    forget: ({ bodies }) => bodies.forEach(forgetBody),
    textOf: ({ body }) => texts.of(body),
    textBytes: texts.bytes,
  };
}

const BY_URL = '/v1/products?';
const BY_URL_PATTERN = BY_URL.slice(0, -1);

/** One string for all calls of a route: the hash of a string made for one call would be computed for each call. */
const patternOfRoute = onceEach((route: string) => route.slice(route.indexOf(' ') + 1));

function patternOf(target: string, route: string): string {
  return target.startsWith(BY_URL) ? BY_URL_PATTERN : patternOfRoute(route);
}

/** Returns a list of exact size: one that grew has spare capacity, 130 bytes, and almost all of these have one member. */
function withNewest<T>(list: readonly T[], newest: T, most: number): readonly T[] {
  return list.length === 0 ? [newest] : list.slice(1 - most).concat([newest]);
}

/** Returns the approximate size in bytes of an entry's bodies. */
export function bytesOfBodies({ bodies }: CacheEntry): number {
  return bodies.reduce((sum, each) => sum + bytesOfBody(each), 0);
}

function bytesOfBody({ body, targets, presentation }: CachedBody): number {
  const texts = targets.reduce((sum, { length }) => sum + 2 * length, presentation.length);
  return BODY_BYTES + body.deflated.length + texts;
}

type PackedBody = {
  /**
   * The object's text without its last brace, in UTF-8, as DEFLATE blocks that end on a byte boundary, without the final
   * block.
   */
  readonly deflated: Buffer;
  /** Length in bytes and checksum of that text. The checksum is a signed 32-bit number, so that it needs no heap memory. */
  readonly headBytes: number;
  readonly headCrc: number;
};

/** `text` is a JSON object with at least one field, `head` the part before its last brace, in UTF-8. */
function splicedBody(text: string): { readonly body: PackedBody; readonly head: Buffer } {
  const head = exactly(Buffer.from(text.slice(0, -1)));
  // The same level as for streams, so that the bytes equal a computed answer's.
  const deflated = exactly(deflateRawSync(head, { finishFlush: constants.Z_SYNC_FLUSH }));
  return { body: { deflated, headBytes: head.length, headCrc: crc32(head) | 0 }, head };
}

/** Decompresses the text without its last brace: 16 us for 2.9 KB, where compressing took 63. */
function inflatedHead({ deflated, headBytes }: PackedBody): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(64, headBytes + 1) };
  return inflateRawSync(deflated, options);
}

/**
 * Returns a copy in its own memory. zlib returns a slice of 16 KB, and a short buffer is a slice of a pool (measured: 2.4
 * GB for 0.4).
 */
function exactly(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** A gzip member's header: Deflate, no flags, no time, any system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/**
 * A final stored block has a first byte and its length twice. The trailer after it is the checksum and the length of
 * everything.
 */
const STORED_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;

/**
 * Returns the whole object as one gzip member. `fields` are the last fields with the comma before them and the brace after
 * them, ASCII, less than 64 KiB.
 */
export function gzipBytes({ deflated, headBytes, headCrc }: PackedBody, fields: string): Buffer {
  const tail = Buffer.from(fields, 'latin1');
  const bytes = Buffer.allocUnsafe(
    GZIP_HEADER.length + deflated.length + STORED_HEADER_BYTES + tail.length + TRAILER_BYTES,
  );
  let at = GZIP_HEADER.copy(bytes);
  at += deflated.copy(bytes, at);
  at = bytes.writeUInt8(1, at);
  at = bytes.writeUInt16LE(tail.length, at);
  at = bytes.writeUInt16LE(tail.length ^ 0xffff, at);
  at += tail.copy(bytes, at);
  at = bytes.writeUInt32LE(crc32(tail, headCrc >>> 0), at);
  bytes.writeUInt32LE((headBytes + tail.length) >>> 0, at);
  return bytes;
}

/** Bytes of a cached text besides the text itself. */
const TEXT_BYTES = 300;
/** One in this many texts that must be recreated is stored, so that they do not evict each other needlessly. */
const MISSES_A_TEXT = 8;

/** Caches the plain texts of recently requested compressed bodies, within `maxBytes`. */
function createTexts(maxBytes: number) {
  const texts = createBoundedMap<PackedBody, Buffer>(maxBytes, ({ length }) => TEXT_BYTES + length);
  let missed = 0;
  return {
    /** Returns a body's text without its last brace, in UTF-8. Decompressed if not cached. */
    of(body: PackedBody): Buffer {
      const known = texts.use(body);
      if (known !== undefined) return known;
      const head = inflatedHead(body);
      missed += 1;
      if (missed % MISSES_A_TEXT === 0) texts.set(body, exactly(head));
      return head;
    },
    add: (body: PackedBody, head: Buffer): void => texts.set(body, head),
    delete: (body: PackedBody): void => texts.delete(body),
    bytes: (): number => texts.size(),
  };
}
