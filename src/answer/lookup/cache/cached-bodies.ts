// The bytes of cached answers: compressed, by the path and query that they answer, and by how what was found is presented. An
// answer of which nothing has changed is then sent without being presented, and without its request being parsed.

import { onceEach } from '../../../base/once.ts';
import type { Revision } from '../../../data/answers/revisions.ts';
import { createTexts, splicedBody, type PackedBody } from './spliced-body.ts';

/** What an answer was made from, and the time (ms) for which it was made: from, included, and until, not included. */
export type Basis = {
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** An answer that is right while everything it was made from is unchanged. */
export type CacheEntry = Basis & {
  readonly key: string;
  /** Whether it may be given to every caller. */
  readonly isCommon: boolean;
  /** What is sent, by how it is presented. */
  bodies: readonly CachedBody[];
};

export type CachedBody = {
  readonly entry: CacheEntry;
  readonly presentation: string;
  /** The route as the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /**
   * The route as log and metrics name it. In the ledger a call is the same whether its address stands in the path or in the
   * query.
   */
  readonly pattern: string;
  readonly body: PackedBody;
  readonly tokens: number;
  /** The paths with queries, as they were sent, that are answered with it. */
  targets: readonly string[];
};

/** An answer that is about to be sent. */
export type Presented = {
  /** Path and query as they were sent. */
  readonly target: string;
  readonly route: string;
  /** Everything that decides what becomes of the found: the caller's options, in one spelling. */
  readonly presentation: string;
  /** The body without the token fields. */
  readonly body: object;
  readonly tokens: number;
};

/** Bytes that a body takes besides its compressed text and its targets. */
const BODY_BYTES = 600;
/** Most presentations of an entry, and most targets of one of them; the oldest goes. */
const MAX_BODIES = 8;
const MAX_TARGETS = 8;

export type CachedBodies = {
  /** The body for a path and query as they were sent. */
  find(target: string): CachedBody | null;
  /** The body of an entry that is presented in this way. */
  presented(entry: CacheEntry, presented: Presented): CachedBody | null;
  /** Adds a body to an entry, and its target. */
  add(entry: CacheEntry, presented: Presented, text: string): void;
  addTarget(body: CachedBody, target: string): void;
  /** Forgets all bodies of an entry. */
  forget(entry: CacheEntry): void;
  /** The text of a body without the last brace, in UTF-8. */
  textOf(body: CachedBody): Buffer;
  /** Bytes that the texts take, which are in no entry. */
  textBytes(): number;
};

export function createCachedBodies(maxTextBytes: number): CachedBodies {
  const texts = createTexts(maxTextBytes);
  const byTarget = new Map<string, CachedBody>();

  function forgetBody({ targets, body }: CachedBody): void {
    for (const target of targets) byTarget.delete(target);
    texts.delete(body);
  }

  /** An answer that is one organization's is never found by a target, which says nothing of whose call it is. */
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

/** One text for all calls of a route: the hash of a text made for one call would be computed for each call. */
const patternOfRoute = onceEach((route: string) => route.slice(route.indexOf(' ') + 1));

function patternOf(target: string, route: string): string {
  return target.startsWith(BY_URL) ? BY_URL_PATTERN : patternOfRoute(route);
}

/** A list of exact size: one that grew has room for more, 130 bytes, and almost all of these have one member. */
function withNewest<T>(list: readonly T[], newest: T, most: number): readonly T[] {
  return list.length === 0 ? [newest] : list.slice(1 - most).concat([newest]);
}

/** Bytes that the bodies of an entry take, about. */
export function bytesOfBodies({ bodies }: CacheEntry): number {
  return bodies.reduce((sum, each) => sum + bytesOfBody(each), 0);
}

function bytesOfBody({ body, targets, presentation }: CachedBody): number {
  const texts = targets.reduce((sum, { length }) => sum + 2 * length, presentation.length);
  return BODY_BYTES + body.deflated.length + texts;
}
