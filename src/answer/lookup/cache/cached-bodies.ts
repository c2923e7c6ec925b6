// The bytes of cached answers: compressed, keyed by the path and query that they answer, and by presentation. An unchanged
// answer is then sent without presenting it again, and without parsing its request.

import { onceEach } from '../../../base/once.ts';
import type { Revision } from '../../../data/answers/revisions.ts';
import { createTexts, splicedBody, type PackedBody } from './spliced-body.ts';

/** What an answer was made from, and the time (ms) for which it is valid: from, inclusive, until, exclusive. */
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
