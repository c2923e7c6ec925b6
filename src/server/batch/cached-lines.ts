// Answers the lines of a batch whose answers are cached. Lines that arrive together are charged as one piece of work, after
// a check that their answers are still valid.

import type { AnswerCache } from '../../answer/lookup/cache/answer-cache.ts';
import type { CachedBody } from '../../answer/lookup/cache/cached-bodies.ts';
import type { Charged, Metering } from '../../data/metering/metering.ts';
import { chargeCached } from '../cached-answer.ts';
import type { Work } from '../listen/admission.ts';
import { enterAs } from '../call.ts';
import { roomFor, type AnswerParts, type BatchCall } from './batch-call.ts';
import { targetOf, type LineLookup } from './batch-lines.ts';
import { productLine, type LineAnswer } from './line-answer.ts';

type CachedLinesParts = Pick<
  AnswerParts,
  'cache' | 'metrics' | 'newId' | 'clock' | 'isStopping'
> & { readonly billing: { readonly metering: Pick<Metering, 'charge'> } };

type CachedLines = {
  has(line: LineLookup): boolean;
  /** Null if no answer is cached, or it is out of date. Rejects with the charge's fault. */
  answer(line: LineLookup): Promise<LineAnswer | null>;
};

/** Lines that are charged for together. */
type Group = { readonly room: Promise<Work>; left: number };

/** A batch with an Idempotency-Key gets no cached answers, because each of its lines needs an answer of its own. */
export function createCachedLines(
  parts: CachedLinesParts,
  batch: Pick<BatchCall, 'idempotencyKey' | 'callerNow' | 'signal' | 'admit'>,
): CachedLines {
  const { metering } = parts.billing;
  const cache = batch.idempotencyKey === null ? parts.cache : null;
  /** The group that is still waiting for room: lines that arrive meanwhile join it. */
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

  async function charged(known: AnswerCache, answer: CachedBody): Promise<Charged | null> {
    const group = (waiting ??= { room: roomForGroup(), left: 0 });
    group.left += 1;
    const work = await group.room;
    try {
      batch.signal.throwIfAborted();
      const caller = await batch.callerNow();
      return await chargeCached({ cache: known, metering }, answer, caller, parts.newId());
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
      const paid = await charged(cache, answer);
      if (paid === null) return null;
      const { route } = answer;
      parts.metrics.cachedAnswered({ route, tokens: paid.consumed, request: null });
      return productLine(cache.textOf(answer), paid, false);
    },
  };
}
