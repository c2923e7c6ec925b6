// How many batches are under way: each holds its lines in memory.

import { FaultError } from '../../core/fault.ts';
import { OVERLOADED } from '../refusal.ts';

const MAX_OF_ORGANIZATION = 4;
const MAX_IN_ALL = 16;
/** A batch of 1,000 held lines takes about as long. */
const RETRY_SECONDS = 2;

export type BatchSlots = {
  /** Returns what gives the place back; only the first call of it counts. FaultError throttled, overloaded. */
  enter(organizationId: string): () => void;
};

export function createBatchSlots(): BatchSlots {
  const underWay = new Map<string, number>();
  let all = 0;
  return {
    enter: (organizationId) => {
      const own = underWay.get(organizationId) ?? 0;
      if (own >= MAX_OF_ORGANIZATION) throw new FaultError(tooMany());
      if (all >= MAX_IN_ALL) {
        throw new FaultError({ ...OVERLOADED, retryAfterSeconds: RETRY_SECONDS });
      }
      underWay.set(organizationId, own + 1);
      all += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all -= 1;
        const left = (underWay.get(organizationId) ?? 1) - 1;
        if (left === 0) underWay.delete(organizationId);
        else underWay.set(organizationId, left);
      };
    },
  };
}

function tooMany() {
  return {
    code: 'throttled',
    detail:
      `${MAX_OF_ORGANIZATION} batches of the organization are under way in this process. Nothing was looked up. Send this one ` +
      'when one of them has ended.',
    retryAfterSeconds: RETRY_SECONDS,
  } as const;
}
