// The way before the framework, for calls that are as plain as most are: answered with a kept answer, or with one that
// is made. Any other call goes the ordinary way, through the framework, as if this way did not exist.

import type { AnswerCache } from '../../answer/lookup/cache/answer-cache.ts';
import { answerMade, type MadeWayParts } from './made-way.ts';
import { plainRequest, type PlainRequest } from './plain-request.ts';
import { plainTarget } from './plain-target.ts';
import type { PlainAnswer, PlainBody } from './plain-answer.ts';
import { answerPrepared, type PreparedWayParts } from './prepared-way.ts';
import type { ShortCall, ShortEnds } from './short-call.ts';

/** A request that did not pass through node:http. */
export type RepeatedCall = ShortEnds & {
  /** Sends the lines of the head, each with its line end, and the body. */
  readonly send: (lines: string, body: PlainBody) => void;
};

export type ShortWay = {
  /** Returns false when the call is not for this way; nothing was done then. */
  begin(call: ShortCall): boolean;
  /**
   * Returns the function that answers a request with a known head from what is kept; null where nothing is kept.
   * `target` is path and query as they were sent.
   */
  again(asked: PlainRequest, target: string): ((call: RepeatedCall) => void) | null;
};

export type ShortWayParts = MadeWayParts &
  Omit<PreparedWayParts, 'cache'> & {
    /** Null where no answer is given again. */
    readonly cache: AnswerCache | null;
  };

export function createShortWay(parts: ShortWayParts): ShortWay {
  const { cache } = parts;
  const caching = cache === null ? null : { ...parts, cache };
  function begin(call: ShortCall): boolean {
    const { request, response } = call.exchange;
    const target = request.url ?? '';
    const answer = cache?.bodyFor(target) ?? null;
    const plain = answer === null ? plainTarget(target) : null;
    if (answer === null && plain === null) return false;
    const asked = plainRequest(request);
    if (asked === null) return false;
    if (caching !== null && answer !== null && !asked.isAnew) {
      const send = (plain: PlainAnswer) => parts.send.asResponse(response, plain);
      void answerPrepared(caching, { ...call, send }, { answer, asked });
      return true;
    }
    const made = plain ?? plainTarget(target);
    if (made === null) return false;
    void answerMade(parts, call, { plain: made, asked });
    return true;
  }

  return {
    begin,
    again: (asked, target) => {
      const answer = cache?.bodyFor(target) ?? null;
      if (caching === null || answer === null || asked.isAnew) return null;
      return (call) => {
        const send = (plain: PlainAnswer) => call.send(parts.send.asLines(plain), plain.body);
        void answerPrepared(caching, { ...call, send }, { answer, asked });
      };
    },
  };
}
