// Counts the bodies that are still arriving, so that clients that start to send and go no further occupy nothing that others
// need.

import type { IncomingMessage } from 'node:http';

import type { ExpectedBody } from '../call.ts';
import { addressGroup, clientAddress } from './client-address.ts';
import { createPlaces } from './places.ts';

/** Each arriving body may occupy 64 KB. */
const MAX_IN_ALL = 256;
const MAX_OF_ADDRESS = 32;

const WHOLE: ExpectedBody = { kind: 'whole' };

/** Counts the arriving bodies by client address, behind a proxy by the forwarded address. */
export function createBodyCounts(behindProxy: boolean, soon: (run: () => void) => void) {
  const take = createPlaces({ inAll: MAX_IN_ALL, ofOne: MAX_OF_ADDRESS });
  return async (request: IncomingMessage): Promise<ExpectedBody> => {
    // By the next turn of the event loop Node has read the bytes that arrived with the head.
    await new Promise<void>((resolve) => soon(resolve));
    if (request.complete) return WHOLE;
    const { remoteAddress = '' } = request.socket;
    const address = clientAddress(request, behindProxy) ?? addressGroup(remoteAddress) ?? '';
    const came = take(address);
    return typeof came === 'string' ? { kind: 'refused' } : { kind: 'coming', came };
  };
}
