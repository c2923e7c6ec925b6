// POST /console/sheet: the console sends a file that a person dropped on it, and gets the content of the sheet. Free,
// with a key.

import { FaultError } from '../../../base/fault.ts';
import type { Work } from '../../admission/admission.ts';
import { answerFree, type FreeParts } from '../answer-route.ts';
import { enterAgain } from '../../door/body-arrival.ts';
import type { Api, HttpEnv } from '../../context.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { createPlaces } from '../../admission/places.ts';
import { SHEETS_BUSY, type ReadSheet } from '../../sheet-reading.ts';
import { createWaitingCalls, type WaitingCall } from '../../admission/waiting-calls.ts';

export type SheetRouteParts = FreeParts & {
  readonly requireKey: RequireKey;
  readonly readSheet: ReadSheet;
};

const ROUTE = 'POST /console/sheet';
const MIB = 1_048_576;
const MAX_BYTES = 4 * MIB;
const LONGEST_NAME = 255;

/**
 * Files that may be on their way at once, so that they do not fill the memory; and those of one organization, so that
 * it keeps nobody out.
 */
const AT_ONCE = 16;
const OF_ONE_ORGANIZATION = 4;

export function addSheetRoute(api: Api, parts: SheetRouteParts): void {
  const take = createPlaces({ inAll: AT_ONCE, ofOne: OF_ONE_ORGANIZATION });
  const takeTurn = createSheetTurns();
  api.post('/console/sheet', parts.requireKey('products:read'), async (c) => {
    const name = (c.req.query('name') ?? '').slice(0, LONGEST_NAME) || 'The file';
    const env = c.env as HttpEnv['Bindings'] | undefined;
    const { organizationId } = callerOf(c);
    const leave = take(organizationId);
    if (typeof leave === 'string') throw new FaultError(SHEETS_BUSY);
    let work: Work | null = null;
    let endTurn: (() => void) | null = null;
    try {
      // The call gives its room back: a file on its way is no work, and neither is one that waits.
      env?.work?.ends();
      const bytes = await wholeBody(c.req.raw);
      endTurn = await takeTurn(organizationId);
      work = await enterAgain(env);
      const body = () => parts.readSheet(name, bytes);
      return await answerFree(c, parts, { route: ROUTE, body });
    } finally {
      work?.ends();
      endTurn?.();
      leave();
    }
  });
}

/**
 * Lets one sheet be read at a time. Organizations take turns, so that whoever sends one sheet after the other keeps out
 * nobody. Resolves to the function that ends the turn, to be called once.
 */
function createSheetTurns(): (organizationId: string) => Promise<() => void> {
  const waiting = createWaitingCalls<WaitingCall & { readonly begin: () => void }>();
  let isTaken = false;
  const end = (): void => {
    const next = waiting.take('oldest');
    if (next === undefined) isTaken = false;
    else next.begin();
  };
  return async (organizationId) => {
    if (isTaken) {
      await new Promise<void>((begin) => {
        waiting.add({ caller: organizationId, sinceMs: 0, begin });
      });
    }
    isTaken = true;
    return end;
  };
}

/**
 * Bytes that are read and dropped of the rest of a file that is too large. A client that is cut off while it sends does
 * not get to read why.
 */
const MAX_DROPPED = 16 * MAX_BYTES;

async function wholeBody({ headers, body }: Request): Promise<Uint8Array> {
  const declared = Number(headers.get('content-length') ?? 0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (declared <= MAX_DROPPED && body !== null) {
    for await (const piece of body) {
      size += piece.byteLength;
      if (size > MAX_DROPPED) break;
      if (size <= MAX_BYTES) pieces.push(piece);
    }
  }
  if (Math.max(size, declared) <= MAX_BYTES) return Buffer.concat(pieces);
  throw new FaultError({
    code: 'body_too_large',
    detail: `The file has more than ${MAX_BYTES / MIB} MiB. Send its column of identifiers alone, or look it up in a terminal: \`openshelf lookup --file\`.`,
  });
}
