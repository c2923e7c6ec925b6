// A call whose body is still on its way does no work. It therefore gives its room back while its client sends, and asks
// for room again when everything has come. Before this rule, eight clients that sent one byte and no more, without a
// key, stopped the whole service.

import type { IncomingMessage } from 'node:http';

import { FaultError } from '../../base/fault.ts';
import type { Work } from '../admission/admission.ts';
import { addressGroup, forwardedAddress } from './client-address.ts';
import type { ExpectedBody, HttpEnv } from '../context.ts';
import { createPlaces } from '../admission/places.ts';
import { OVERLOADED } from '../refusal.ts';

/** Each body on its way may hold 64 KB. */
const MAX_IN_ALL = 256;
const MAX_OF_ADDRESS = 32;
const RETRY_SECONDS = 1;

type Bindings = HttpEnv['Bindings'];

/**
 * Reads a body. Returns the room that the call has from then on, which the caller has to end; null where the call has
 * kept its own room. FaultError overloaded, and what `read` throws: the call has no room then.
 */
export async function whenReceived(
  env: Bindings | undefined,
  read: () => Promise<void>,
): Promise<Work | null> {
  const expected = (await env?.expectBody?.()) ?? WHOLE;
  if (expected.kind === 'refused') {
    throw new FaultError({ ...OVERLOADED, retryAfterSeconds: RETRY_SECONDS });
  }
  if (expected.kind === 'whole') {
    await read();
    return null;
  }
  env?.work?.ends();
  try {
    await read();
  } finally {
    expected.came();
  }
  return enterAgain(env);
}

/** Asks for room for a call that has given its own back. Null if the call had none. FaultError overloaded. */
export async function enterAgain(env: Bindings | undefined): Promise<Work | null> {
  if (!env?.work || env.admit === undefined) return null;
  const room = await env.admit();
  if (!('ends' in room)) throw new FaultError({ ...OVERLOADED, ...room });
  env.work = room;
  return room;
}

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
