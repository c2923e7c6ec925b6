// Answers that may be given again: kept by the target of their request, as the bytes to send, with what they were made from.
// The least recently used go when they take more than their share of memory. Sends and charges nothing.

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
  /** 0: nothing is kept. */
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
  /** Both with the least recently used first. */
  const kept = new Map<string, PreparedAnswer>();
  const asked = new Map<string, Asked>();
  let bytes = 0;
  let askedCharacters = 0;

  function remove(answer: PreparedAnswer): void {
    if (kept.get(answer.target) !== answer) return;
    kept.delete(answer.target);
    bytes -= sizeOf(answer);
  }

  function put(answer: PreparedAnswer): void {
    const before = kept.get(answer.target);
    if (before !== undefined) remove(before);
    kept.set(answer.target, answer);
    bytes += sizeOf(answer);
    for (const oldest of kept.values()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  }

  function note(target: string, what: Asked): void {
    if (asked.delete(target)) askedCharacters -= target.length;
    asked.set(target, what);
    askedCharacters += target.length;
    for (const oldest of asked.keys()) {
      if (askedCharacters <= MAX_ASKED_CHARACTERS) break;
      asked.delete(oldest);
      askedCharacters -= oldest.length;
    }
  }

  function isOfNow(answer: PreparedAnswer): boolean {
    const nowMs = clock.now();
    return (
      nowMs >= answer.fromMs &&
      nowMs < answer.untilMs &&
      answer.circumstances === noted.circumstances()
    );
  }

  return {
    find(target) {
      const answer = kept.get(target);
      if (answer === undefined) return null;
      if (!isOfNow(answer)) {
        remove(answer);
        return null;
      }
      kept.delete(target);
      kept.set(target, answer);
      return answer;
    },
    isOfNow,
    drop: remove,
    async begin(target) {
      if (maxBytes === 0) return null;
      const known = asked.get(target);
      note(target, known ?? { subjects: null, isUnfit: false });
      if (known === undefined || known.isUnfit) return null;
      // Before anything is read: what changes from here on makes the answer one of the past.
      const fromMs = clock.now();
      const circumstances = noted.circumstances();
      const { subjects } = known;
      const revisions = subjects === null ? [] : await noted.revisionsOf(subjects);
      return {
        keep({ route, body, tokens, dependence }) {
          const needed = dependence?.subjects ?? null;
          note(target, { subjects: needed, isUnfit: needed === null });
          if (dependence === null) return;
          const own = revisions.filter(({ subject }) => dependence.subjects.includes(subject));
          // Of what it depends on now some revision was not read before it was made.
          if (own.length < dependence.subjects.length) return;
          const text = JSON.stringify(body);
          if (text.length > MAX_BODY_CHARACTERS) return;
          const { untilMs } = dependence;
          const made = { target, route, tokens, revisions: own, circumstances, fromMs, untilMs };
          put({ ...made, body: splicedBody(text) });
        },
      };
    },
    bytes: () => bytes,
  };
}

/** As if it were asked for compressed too: then the sum needs no change when it is. */
function sizeOf({ target, body }: PreparedAnswer): number {
  return ENTRY_BYTES + 2 * target.length + Math.ceil(1.4 * body.head.length);
}
