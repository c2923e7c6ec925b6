// The way before the framework, for calls that are as plain as most are: answered from what is kept, or made. Whatever it does not
// take goes the ordinary way, through the framework, as if it had never been here.

import { answerMade, type MadeWayParts } from './made-way.ts';
import { plainRequest } from './plain-request.ts';
import { plainTarget } from './plain-target.ts';
import type { PreparedAnswers } from './prepared-answers.ts';
import { answerPrepared, type PreparedWayParts } from './prepared-way.ts';
import type { ShortCall } from './short-call.ts';

/** False: it is not for this way, and nothing was done. */
export type ShortWay = (call: ShortCall) => boolean;

export type ShortWayParts = MadeWayParts &
  Omit<PreparedWayParts, 'prepared'> & {
    /** Null: no answer is given again. */
    readonly prepared: PreparedAnswers | null;
  };

export function createShortWay(parts: ShortWayParts): ShortWay {
  const { prepared } = parts;
  const keeping = prepared === null ? null : { ...parts, prepared };
  return (call) => {
    const { request } = call.exchange;
    const target = request.url ?? '';
    const answer = prepared?.find(target) ?? null;
    const plain = answer === null ? plainTarget(target) : null;
    if (answer === null && plain === null) return false;
    const asked = plainRequest(request);
    if (asked === null) return false;
    if (keeping !== null && answer !== null && !asked.hasUnknownExtension) {
      void answerPrepared(keeping, call, { answer, asked });
      return true;
    }
    const made = plain ?? plainTarget(target);
    if (made === null) return false;
    void answerMade(parts, call, { plain: made, asked });
    return true;
  };
}
