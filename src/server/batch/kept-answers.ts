// Answers the lines of a batch whose answers are kept. Lines that come together are charged for as one piece of work,
// after a check that their answers are still right.

import type { CachedBody } from '../../answer/lookup/cache/cached-bodies.ts';
import { AnswerChanged, type Charged, type Metering } from '../../data/metering/metering.ts';
import type { Work } from '../admission/admission.ts';
import { enterAs } from '../refusal.ts';
import { roomFor, type AnswerParts, type BatchCall } from './batch-call.ts';
import { targetOf, type LineLookup } from './batch-lines.ts';
import { productLine, type LineAnswer } from './line-answer.ts';

export type KeptAnswersParts = Pick<
  AnswerParts,
  'cache' | 'preparedAnswered' | 'newId' | 'clock' | 'isStopping'
> & { readonly billing: { readonly metering: Pick<Metering, 'charge'> } };

export type KeptAnswers = {
  has(line: LineLookup): boolean;
  /** Null when no answer is kept, or when it is not right any more. Rejects with the fault of the charge. */
  answer(line: LineLookup): Promise<LineAnswer | null>;
};

/** Lines that are charged for together. */
type Group = { readonly room: Promise<Work>; left: number };

/** A batch with an Idempotency-Key gets no kept answers, because each of its lines needs an answer of its own. */
export function createKeptAnswers(
  parts: KeptAnswersParts,
  batch: Pick<BatchCall, 'idempotencyKey' | 'callerNow' | 'signal' | 'admit'>,
): KeptAnswers {
  const { billing } = parts;
  const cache = batch.idempotencyKey === null ? parts.cache : null;
  /** The group that still waits for room: lines that come meanwhile join it. */
  let waiting: Group | null = null;

  const find = (line: LineLookup): CachedBody | null => cache?.bodyFor(targetOf(line)) ?? null;

  async function roomForGroup(): Promise<Work> {
    try {
      const work = await roomFor(parts, batch);
      try {
        enterAs(work, 'writing');
      } catch (error) {
        work.ends();
        throw error;
      }
      return work;
    } finally {
      waiting = null;
    }
  }

  async function charged(answer: CachedBody): Promise<Charged> {
    const group = (waiting ??= { room: roomForGroup(), left: 0 });
    group.left += 1;
    const work = await group.room;
    try {
      batch.signal.throwIfAborted();
      const caller = await batch.callerNow();
      // The charge compares revisions, not the time, which went on while the group waited.
      if (cache?.isOfNow(answer) !== true) throw new AnswerChanged();
      const { route, tokens, entry } = answer;
      const { revisions } = entry;
      const call = { requestId: parts.newId(), route, tokens, revisions };
      return await billing.metering.charge(caller, call);
    } finally {
      group.left -= 1;
      if (group.left === 0) work.ends();
    }
  }

  return {
    has: (line) => find(line) !== null,
    answer: async (line) => {
      const answer = find(line);
      if (cache === null || answer === null) return null;
      try {
        const paid = await charged(answer);
        parts.preparedAnswered({ route: answer.route, tokens: paid.consumed, request: null });
        return productLine(cache.textOf(answer), paid, false);
      } catch (error) {
        if (!(error instanceof AnswerChanged)) throw error;
        cache.drop(answer);
        return null;
      }
    },
  };
}
