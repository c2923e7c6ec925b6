// Keeps answers that may be given again: compressed, by the target of their request, with what they were made from.
// Beside them it keeps the texts of those that were lately sent uncompressed. When they take more than their share of
// memory, the least recently used go. This file sends and charges nothing.

import { createBoundedMap } from '../../base/bounded-map.ts';
import { onceEach } from '../../base/once.ts';
import {
  askedOf,
  basisBefore,
  basisOf,
  FIRST_ASKED,
  isOfNow,
  type Asked,
  type Basis,
  type BasisParts,
} from '../../answer/lookup/kept/basis.ts';
import type { Dependence } from '../../answer/lookup/kept/noted-reads.ts';
import type { Revision } from '../../data/metering/metering.ts';
import { createKeptTexts } from './kept-texts.ts';
import { splicedBody, type SplicedBody } from './spliced-body.ts';

/** An answer that is right while everything it was made from is unchanged. */
export type PreparedAnswer = Basis & {
  /** Path and query as they were sent. */
  readonly target: string;
  /** The route as the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /**
   * The route as log and metrics name it. In the ledger a call is the same whether its address stands in the path or in
   * the query.
   */
  readonly pattern: string;
  readonly body: SplicedBody;
  readonly tokens: number;
};

/** An answer that was just made, for `Preparing.keep`. */
export type MadeAnswer = {
  readonly route: string;
  /** The body without the token fields. */
  readonly body: object;
  readonly tokens: number;
  readonly dependence: Dependence | null;
};

/** An answer that is being made; its revisions were read before that began. */
export type Preparing = { readonly keep: (made: MadeAnswer) => void };

export type PreparedAnswers = {
  /**
   * The answer kept for this target, if it fits the present circumstances and time. The charge checks whether its
   * revisions are the same.
   */
  find(target: string): PreparedAnswer | null;
  /** The text of its body without the last brace, in UTF-8. */
  headOf(answer: PreparedAnswer): Buffer;
  /** Whether it still fits the present circumstances and time. */
  isOfNow(answer: PreparedAnswer): boolean;
  /** Forgets an answer that was found to be out of date. */
  drop(answer: PreparedAnswer): void;
  /**
   * To be called before the answer is made. Returns null for a target that is asked for the first time, because only
   * what is asked again is worth keeping. The second time finds out what the answer depends on; the third answer is
   * kept.
   */
  begin(target: string): Promise<Preparing | null>;
  /** Bytes that all kept answers take, about. */
  bytes(): number;
};

export type PreparedAnswersParts = BasisParts & { readonly maxBytes: number };

/**
 * Bytes that an entry takes beside its body and its target: objects, its place in the map, garbage beside them (100,000
 * measured).
 */
const ENTRY_BYTES = 1_300;
/**
 * The texts' share of all memory, and the most bytes of it. More is not needed: making a text from the kept bytes takes
 * a third of what a call costs.
 */
const TEXTS_SHARE = 1 / 4;
const MAX_TEXTS_BYTES = 16 * 1_024 * 1_024;
/** Characters of targets that were asked for lately and whose answers are not kept yet. */
const MAX_ASKED_CHARACTERS = 2 * 1_024 * 1_024;
/** A longer response is not kept. About that of one with 180 bars and all cells. */
const MAX_BODY_CHARACTERS = 1_024 * 1_024;

export function createPreparedAnswers(parts: PreparedAnswersParts): PreparedAnswers {
  const { maxBytes } = parts;
  const textsBytes = Math.min(MAX_TEXTS_BYTES, Math.floor(maxBytes * TEXTS_SHARE));
  const kept = createBoundedMap<string, PreparedAnswer>(maxBytes - textsBytes, sizeOf);
  const texts = createKeptTexts(textsBytes);
  const packed = createPacking();
  const asked = createBoundedMap<string, Asked>(MAX_ASKED_CHARACTERS, (_, { length }) => length);

  function forget({ target, body }: PreparedAnswer): void {
    kept.delete(target);
    texts.delete(body);
  }

  /**
   * Keeps the answer, unless it depends on a revision that was not read before it was made: then it is kept the next
   * time.
   */
  function keep(
    target: string,
    { route, body: made, tokens, dependence }: MadeAnswer,
    before: Omit<Basis, 'untilMs'>,
  ): void {
    asked.set(target, askedOf(dependence));
    const basis = basisOf(before, dependence);
    if (basis === null) return;
    const { revisions, circumstances, fromMs, untilMs } = basis;
    const text = JSON.stringify(made);
    if (text.length > MAX_BODY_CHARACTERS) return;
    const { body, head } = splicedBody(text);
    const old = kept.use(target);
    if (old !== undefined) texts.delete(old.body);
    kept.set(target, {
      target,
      route,
      pattern: patternOf(target, route),
      body,
      tokens,
      revisions: packed(revisions),
      circumstances,
      fromMs,
      untilMs,
    });
    texts.add(body, head);
  }

  return {
    find(target) {
      const answer = kept.use(target);
      if (answer === undefined || isOfNow(parts, answer)) return answer ?? null;
      forget(answer);
      return null;
    },
    headOf: ({ body }) => texts.of(body),
    isOfNow: (answer) => isOfNow(parts, answer),
    drop: (answer) => {
      if (kept.use(answer.target) === answer) forget(answer);
    },
    async begin(target) {
      const known = asked.use(target);
      if (known === undefined) asked.set(target, FIRST_ASKED);
      if (known === undefined || known.isUnfit) return null;
      // This call was not plain enough for the kept answer, which stays as it is.
      const there = kept.use(target);
      if (there !== undefined && isOfNow(parts, there)) return null;
      const before = await basisBefore(parts, known);
      return { keep: (made) => keep(target, made, before) };
    },
    bytes: () => kept.size() + texts.bytes(),
  };
}

const BY_URL = '/v1/products?';
const BY_URL_PATTERN = BY_URL.slice(0, -1);

/** One text for all calls of a route: the hash of a text made for one call would be computed for each call. */
const patternOfRoute = onceEach((route: string) => route.slice(route.indexOf(' ') + 1));

function patternOf(target: string, route: string): string {
  return target.startsWith(BY_URL) ? BY_URL_PATTERN : patternOfRoute(route);
}

/**
 * Makes lists of exact size (a list that grew has room for more, 100 bytes), and shares the objects that the list
 * before has too.
 */
function createPacking(): (revisions: readonly Revision[]) => readonly Revision[] {
  let last: readonly Revision[] = [];
  return (revisions) => {
    const before = last;
    last = revisions.map((each) => before.find((other) => isSame(each, other)) ?? each);
    return last;
  };
}

function isSame(a: Revision, b: Revision): boolean {
  return a.subject === b.subject && a.revision === b.revision;
}

function sizeOf({ target, body }: PreparedAnswer): number {
  return ENTRY_BYTES + 2 * target.length + body.deflated.length;
}
