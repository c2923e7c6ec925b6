// Reads request bodies that contain a page of at most 5 MB, and limits how many are in memory at once.

import { MAX_HTML_MB } from '../../../answer/wire/handed-in.ts';
import { FaultError } from '../../../base/fault.ts';
import type { Call } from '../../call.ts';
import { decodedBody, wholeBody } from '../../decoded-body.ts';
import { createFairTurns } from '../../listen/fair-turns.ts';

const MIB = 1_048_576;
const MAX_HTML = MAX_HTML_MB * MIB;
/** JSON may encode a character of two bytes in six. */
const MAX_BODY = 3 * MAX_HTML + 65_536;
const TOO_LARGE = `The page has more than ${MAX_HTML_MB} MB of HTML.`;

/**
 * Maximum number of pages that may be received and read at the same time, in all and for one organization, so that they do
 * not fill the memory.
 */
const TURNS = { inAll: 8, ofOne: 2 };

export const takePageTurns = () => createFairTurns(TURNS);

/** Reads a body with a page. FaultError body_too_large. */
export async function textOfPage({ asked }: Pick<Call, 'asked'>): Promise<string> {
  const bytes = await wholeBody(decodedBody(asked, MAX_BODY), MAX_BODY, TOO_LARGE);
  return new TextDecoder().decode(bytes);
}

/** Returns the bytes of a page. FaultError body_too_large. */
export function htmlOf(text: string): Uint8Array {
  const html = Buffer.from(text);
  if (html.byteLength > MAX_HTML) {
    throw new FaultError({ code: 'body_too_large', parameter: 'html', detail: TOO_LARGE });
  }
  return html;
}
