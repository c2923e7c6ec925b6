// Counts the bodies that are on their way, so that clients that begin to send and go no further hold nothing that others need.

import type { IncomingMessage } from 'node:http';

import type { ExpectedBody } from '../call.ts';
import { addressGroup, forwardedAddress } from './client-address.ts';
import { createPlaces } from './places.ts';

/** Each body on its way may hold 64 KB. */
const MAX_IN_ALL = 256;
const MAX_OF_ADDRESS = 32;

const WHOLE: ExpectedBody = { kind: 'whole' };

/**
 * Counts the bodies that are on their way by the address of their client, behind a proxy by the address that it
 * forwards.
 */
export function createBodyCounts(behindProxy: boolean, soon: (run: () => void) => void) {
  const take = createPlaces({ inAll: MAX_IN_ALL, ofOne: MAX_OF_ADDRESS });
  return async (request: IncomingMessage): Promise<ExpectedBody> => {
    // By the next turn of the event loop Node has read the bytes that came with the head.
    await new Promise<void>((resolve) => soon(resolve));
    if (request.complete) return WHOLE;
    const forwarded = behindProxy ? forwardedAddress(request) : null;
    const address = forwarded ?? addressGroup(request.socket.remoteAddress ?? '') ?? '';
    const came = take(address);
    return typeof came === 'string' ? { kind: 'refused' } : { kind: 'coming', came };
  };
}
