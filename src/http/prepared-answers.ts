// Answers that may be given again: kept by the target of their request, as the bytes to send, with what they were made from.
// The least recently used go when they take more than their share of memory. Sends and charges nothing.

import { createBoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import type { Dependence } from '../lookup/noted-reads.ts';
import type { NotedLookups } from '../lookup/noted-lookups.ts';
import type { Revision } from '../metering/metering.ts';
import { splicedBody, type SplicedBody } from './spliced-body.ts';

export type PreparedAnswer = {
  /** Path and query as they were sent. */
  readonly target: string;
  /** As metrics, log and ledger name it: `GET /v1/products/{id}`. */
  readonly route: string;
  readonly body: SplicedBody;
  readonly tokens: number;
  /** The answer is right while all of them are the same. */
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  /** The time (ms) for which it was made: from, included, and until, not included. */
  readonly fromMs: number;
  readonly untilMs: number;
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

export type PreparedAnswersParts = {
  readonly noted: Pick<NotedLookups, 'revisionsOf' | 'circumstances'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly maxBytes: number;
};

/** What an entry takes beside its bytes and its target: the objects and its place in the map. */
const ENTRY_BYTES = 900;
/** Targets that were asked for lately, in characters; their answers are not kept yet. */
const MAX_ASKED_CHARACTERS = 2 * 1_024 * 1_024;
/** About, of a response with 180 bars and all cells; a longer one is not kept. */
const MAX_BODY_CHARACTERS = 1_024 * 1_024;

/** What is known of a target whose answer is not kept. */
type Asked = {
  /** What its last answer depended on; null: nobody has looked yet. */
  readonly subjects: readonly string[] | null;
  /** It depends on what nobody is told of. */
  readonly isUnfit: boolean;
};

export function createPreparedAnswers(parts: PreparedAnswersParts): PreparedAnswers {
  const { noted, clock, maxBytes } = parts;
  const kept = createBoundedMap(maxBytes, sizeOf);
  const asked = createBoundedMap(MAX_ASKED_CHARACTERS, (_: Asked, target) => target.length);

  function isOfNow({ fromMs, untilMs, circumstances }: PreparedAnswer): boolean {
    const nowMs = clock.now();
    return nowMs >= fromMs && nowMs < untilMs && circumstances === noted.circumstances();
  }

  /** Of what it depends on now some revision may not have been read before it was made: then it is made once more. */
  function keep(
    { route, body, tokens, dependence }: MadeAnswer,
    before: Pick<PreparedAnswer, 'target' | 'revisions' | 'circumstances' | 'fromMs'>,
  ): void {
    const { target } = before;
    asked.set(target, { subjects: dependence?.subjects ?? null, isUnfit: dependence === null });
    if (dependence === null) return;
    const { subjects, untilMs } = dependence;
    const revisions = before.revisions.filter(({ subject }) => subjects.includes(subject));
    if (revisions.length < subjects.length) return;
    const text = JSON.stringify(body);
    if (text.length > MAX_BODY_CHARACTERS) return;
    kept.set(target, { ...before, route, tokens, revisions, untilMs, body: splicedBody(text) });
  }

  return {
    find(target) {
      const answer = kept.use(target);
      if (answer === undefined || isOfNow(answer)) return answer ?? null;
      kept.delete(target);
      return null;
    },
    isOfNow,
    drop: (answer) => {
      if (kept.use(answer.target) === answer) kept.delete(answer.target);
    },
    async begin(target) {
      const known = asked.use(target);
      if (known === undefined) asked.set(target, { subjects: null, isUnfit: false });
      if (known === undefined || known.isUnfit) return null;
      // A call that is not plain enough for what is kept: that stays as it is.
      const there = kept.use(target);
      if (there !== undefined && isOfNow(there)) return null;
      // Before anything is read: what changes from here on makes the answer one of the past.
      const before = { target, fromMs: clock.now(), circumstances: noted.circumstances() };
      const { subjects } = known;
      const revisions = subjects === null ? [] : await noted.revisionsOf(subjects);
      return { keep: (made) => keep(made, { ...before, revisions }) };
    },
    bytes: () => kept.size(),
  };
}

/** As if it were asked for compressed too: then the sum needs no change when it is. */
function sizeOf({ target, body }: PreparedAnswer): number {
  return ENTRY_BYTES + 2 * target.length + Math.ceil(1.4 * body.head.length);
}
