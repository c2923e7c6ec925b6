// Limits how many batches are in progress, because each keeps its lines in memory.

import { FaultError, OVERLOADED } from '../../base/fault.ts';
import { createPlaces } from '../listen/places.ts';

const MAX_OF_ORGANIZATION = 4;
const MAX_IN_ALL = 16;
/** Maximum characters of lines in memory, over several batches. A thousand lines have some 100,000. */
const MOST_HELD = 134_217_728;
const MOST_HELD_OF_ORGANIZATION = MOST_HELD / 2;
/** A batch of 1,000 lines that are all stored takes about as long. */
const RETRY_SECONDS = 2;

/** One batch's slot. */
export type BatchSlot = {
  /** Counts this many more characters of lines in memory. FaultError throttled, overloaded. */
  hold(characters: number): void;
  /** Releases the slot; only the first call counts. */
  leave(): void;
};

export type BatchSlots = {
  /** Takes a slot. FaultError throttled, overloaded. */
  enter(organizationId: string): BatchSlot;
};

export function createBatchSlots(): BatchSlots {
  const take = createPlaces({ inAll: MAX_IN_ALL, ofOne: MAX_OF_ORGANIZATION });
  /** Characters in memory, by organization with a batch. */
  const running = new Map<string, number>();
  let heldInAll = 0;

  function change(organizationId: string, by: number): void {
    heldInAll += by;
    const left = (running.get(organizationId) ?? 0) + by;
    if (left === 0) running.delete(organizationId);
    else running.set(organizationId, left);
  }

  return {
    enter: (organizationId) => {
      const leave = take(organizationId);
      if (leave === 'of one') throw new FaultError(tooMany());
      if (leave === 'in all') throw new FaultError(FULL);
      let own = 0;
      return {
        hold: (characters) => {
          const ofOrganization = running.get(organizationId) ?? 0;
          // A single batch is accepted regardless of its size, because the number of its lines is limited.
          const isOneOfMany = ofOrganization > own;
          if (isOneOfMany && ofOrganization + characters > MOST_HELD_OF_ORGANIZATION) {
            throw new FaultError(tooLong());
          }
          if (heldInAll > own && heldInAll + characters > MOST_HELD) throw new FaultError(FULL);
          own += characters;
          change(organizationId, characters);
        },
        leave: () => {
          change(organizationId, -own);
          own = 0;
          leave();
        },
      };
    },
  };
}

const FULL = { ...OVERLOADED, retryAfterSeconds: RETRY_SECONDS } as const;

function tooMany() {
  return {
    code: 'throttled',
    detail:
      `The organization already has ${MAX_OF_ORGANIZATION} batches in progress in this process. Nothing was ` +
      'looked up. Send this one when one of them has finished.',
    retryAfterSeconds: RETRY_SECONDS,
  } as const;
}

function tooLong() {
  return {
    code: 'throttled',
    detail:
      'With this batch, the lines of the organization in progress in this process would exceed ' +
      `${MOST_HELD_OF_ORGANIZATION / 1_048_576} MB of lines. Nothing was looked up. Send it when one of them ` +
      'has finished.',
    retryAfterSeconds: RETRY_SECONDS,
  } as const;
}
