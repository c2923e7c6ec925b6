// How many batches are under way: each holds its lines in memory.

import { FaultError } from '../../core/fault.ts';
import { createPlaces } from '../places.ts';
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
  const take = createPlaces({ inAll: MAX_IN_ALL, ofOne: MAX_OF_ORGANIZATION });
  return {
    enter: (organizationId) => {
      const leave = take(organizationId);
      if (leave === 'of one') throw new FaultError(tooMany());
      if (leave === 'in all') {
        throw new FaultError({ ...OVERLOADED, retryAfterSeconds: RETRY_SECONDS });
      }
      return leave;
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
