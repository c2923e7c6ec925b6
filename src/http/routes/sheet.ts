// POST /console/sheet: a page of the console sends the file that somebody dropped on it, and gets what is in it. Free, with a key.

import { FaultError } from '../../core/fault.ts';
import type { Work } from '../admission.ts';
import { answerFree, type FreeParts } from '../billed.ts';
import { enterAgain } from '../body-arrival.ts';
import type { Api, HttpEnv } from '../context.ts';
import { callerOf, type RequireKey } from '../middleware.ts';
import { createPlaces } from '../places.ts';
import { SHEETS_BUSY, type ReadSheet } from '../sheet-reading.ts';

export type SheetRouteParts = FreeParts & {
  readonly requireKey: RequireKey;
  readonly readSheet: ReadSheet;
};

const ROUTE = 'POST /console/sheet';
const MIB = 1_048_576;
const MAX_BYTES = 4 * MIB;
const LONGEST_NAME = 255;

/** Files on their way at once, so that they do not fill the memory, and those of one organization keep nobody out. */
const AT_ONCE = 16;
const OF_ONE_ORGANIZATION = 4;

export function addSheetRoute(api: Api, parts: SheetRouteParts): void {
  const take = createPlaces({ inAll: AT_ONCE, ofOne: OF_ONE_ORGANIZATION });
  api.post('/console/sheet', parts.requireKey('products:read'), async (c) => {
    const name = (c.req.query('name') ?? '').slice(0, LONGEST_NAME) || 'The file';
    const env = c.env as HttpEnv['Bindings'] | undefined;
    const leave = take(callerOf(c).organizationId);
    if (typeof leave === 'string') throw new FaultError(SHEETS_BUSY);
    let work: Work | null = null;
    try {
      // A file on its way is no work.
      env?.work?.ends();
      const bytes = await wholeBody(c.req.raw);
      work = await enterAgain(env);
      const body = () => parts.readSheet(name, bytes);
      return await answerFree(c, parts, { route: ROUTE, body });
    } finally {
      work?.ends();
      leave();
    }
  });
}

/** Of a file that is too large the rest is read and dropped up to here: who is cut off while he sends does not get to read why. */
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
