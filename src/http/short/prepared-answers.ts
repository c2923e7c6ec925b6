// Answers that may be given again: kept by the target of their request, compressed, with what they were made from, and beside
// them the texts of those that were sent as they are lately. The least recently used go when they take more than their share
// of memory. Sends and charges nothing.

import { createBoundedMap } from '../../core/bounded-map.ts';
import { onceEach } from '../../core/once.ts';
import {
  askedOf,
  basisBefore,
  basisOf,
  FIRST_ASKED,
  isOfNow,
  type Asked,
  type Basis,
  type BasisParts,
} from '../../lookup/kept/basis.ts';
import type { Dependence } from '../../lookup/kept/noted-reads.ts';
import type { Revision } from '../../metering/metering.ts';
import { createKeptTexts } from './kept-texts.ts';
import { splicedBody, type SplicedBody } from './spliced-body.ts';

/** It is right while all that it stands on is as it was. */
export type PreparedAnswer = Basis & {
  /** Path and query as they were sent. */
  readonly target: string;
  /** As the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /** As log and metrics name it. In the ledger a call is the same whether its address stands in the path or in the query. */
  readonly pattern: string;
  readonly body: SplicedBody;
  readonly tokens: number;
};

/** What the other way of answering has made, for `Preparing.keep`. */
export type MadeAnswer = {
  readonly route: string;
  /** Without the token fields. */
  readonly body: object;
  readonly tokens: number;
  readonly dependence: Dependence | null;
};

/** An answer that is being made, of which its revisions were read before. */
export type Preparing = { readonly keep: (made: MadeAnswer) => void };

export type PreparedAnswers = {
  /** Of the circumstances and the time of now; whether its revisions are the same is for the charge to say. */
  find(target: string): PreparedAnswer | null;
  /** The text of its body without the last brace, in UTF-8. */
  headOf(answer: PreparedAnswer): Buffer;
  /** Whether it is of now still. */
  isOfNow(answer: PreparedAnswer): boolean;
  /** It was found to be of the past. */
  drop(answer: PreparedAnswer): void;
  /**
   * To be called before the answer is made. Null for what is asked for the first time, which is made as ever: only what is
   * asked again is worth keeping. The second time says what the answer depends on, the third one is kept.
   */
  begin(target: string): Promise<Preparing | null>;
  /** Bytes that everything kept takes, about. */
  bytes(): number;
};

export type PreparedAnswersParts = BasisParts & { readonly maxBytes: number };

/** What an entry takes beside its bytes and its target: objects, its place in the map, garbage beside them (100,000 measured). */
const ENTRY_BYTES = 1_300;
/** Of all memory; and no more than this many bytes: a text is made of what is kept in a third of what a call costs. */
const TEXTS_SHARE = 1 / 4;
const MAX_TEXTS_BYTES = 32 * 1_024 * 1_024;
/** Targets that were asked for lately, in characters; their answers are not kept yet. */
const MAX_ASKED_CHARACTERS = 2 * 1_024 * 1_024;
/** About, of a response with 180 bars and all cells; a longer one is not kept. */
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

  /** Of what it depends on now some revision may not have been read before it was made: then it is made once more. */
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
      // A call that is not plain enough for what is kept: that stays as it is.
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

/** One text for all calls of a route: of a text of its own the hash would be counted for each call. */
const patternOfRoute = onceEach((route: string) => route.slice(route.indexOf(' ') + 1));

function patternOf(target: string, route: string): string {
  return target.startsWith(BY_URL) ? BY_URL_PATTERN : patternOfRoute(route);
}

/** Lists that have no room for more (a list that grew has, 100 bytes), with the objects that the list before has, too. */
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
