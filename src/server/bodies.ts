// Reads a call's body before its key is checked, or refuses it. A call whose body is still arriving does no work: it releases
// its room while its client sends, and requests room again once everything has arrived. Before this rule, eight clients that
// sent one byte and no more, without a key, stopped the whole service.

import { FaultError, OVERLOADED } from '../base/fault.ts';
import type { Call, SentBody, Share } from './call.ts';
import { decodedBody } from './decoded-body.ts';
import type { Work } from './listen/admission.ts';
import type { RouteRow } from './route.ts';

/** The kind of body that a route takes: a text, a stream that it reads itself once the key is checked, or none. */
export type Takes = 'text' | 'stream' | null;

export function takesOf({ takes, request }: Pick<RouteRow<never>, 'takes' | 'request'>): Takes {
  if (takes !== undefined) return takes;
  const type = request?.body?.type;
  if (type === undefined) return null;
  return type === 'application/json' ? 'text' : 'stream';
}

const MAX_BODY = 65_536;
const RETRY_SECONDS = 1;

/**
 * Continues with the text of a body, once it has arrived; with an empty one if the route reads a stream itself. FaultError
 * body_not_accepted if the route takes none (clients that always send a body send `{}`, D66), body_too_large,
 * encoding_not_accepted, overloaded.
 */
export async function withBody<T>(
  { asked: { method, headers }, share }: Pick<Call, 'asked' | 'share'>,
  body: SentBody,
  { takes, goOn }: { readonly takes: Takes; readonly goOn: (text: string) => Promise<T> },
): Promise<T> {
  if (takes === 'stream') return await goOn('');
  const decoded = takes === 'text' ? decodedBody({ headers, body }, MAX_BODY) : null;
  const read = () => (decoded === null ? emptyTextOf(body, method) : textOf(decoded));
  const { text, room } = await received(body, share, read);
  try {
    return await goOn(text);
  } finally {
    room?.ends();
  }
}

/** `room` is the room of the call from then on; null if it has kept its own. */
type Received = { readonly text: string; readonly room: Work | null };

async function received(
  body: SentBody,
  share: Share,
  read: () => Promise<string>,
): Promise<Received> {
  const expected = await body.expect();
  if (expected.kind === 'refused') {
    throw new FaultError({ ...OVERLOADED, retryAfterSeconds: RETRY_SECONDS });
  }
  if (expected.kind === 'whole') return { text: await read(), room: null };
  share.work?.ends();
  let text: string;
  try {
    text = await read();
  } finally {
    expected.came();
  }
  return { text, room: await enterAgain(share) };
}

/** Requests room for a call that has released its own. Null if the call had none. FaultError overloaded. */
export async function enterAgain(share: Share): Promise<Work | null> {
  if (share.work === null) return null;
  const room = await share.admit();
  if (!('ends' in room)) throw new FaultError({ ...OVERLOADED, ...room });
  share.work = room;
  return room;
}

async function textOf(body: SentBody): Promise<string> {
  const text = await textUpTo(body, MAX_BODY);
  if (text !== null) return text;
  throw new FaultError({
    code: 'body_too_large',
    detail: `The body has more than ${MAX_BODY / 1_024} KB. Send less at a time, for example fewer addresses.`,
  });
}

/** Room for `{}` with some white space. */
const MAX_EMPTY_BODY = 16;

async function emptyTextOf(body: SentBody, method: string): Promise<string> {
  const text = method === 'POST' ? await textUpTo(body, MAX_EMPTY_BODY) : null;
  if (text !== null && /^\s*(?:\{\s*\}\s*)?$/.test(text)) return '';
  throw new FaultError({
    code: 'body_not_accepted',
    detail:
      'This route does not accept a request body. Send all inputs as path and query parameters.',
  });
}

/** Reads the text of a body of at most this many bytes; null for a longer one, which is not read any further. */
async function textUpTo(body: SentBody, most: number): Promise<string | null> {
  if ((body.length ?? 0) > most) return null;
  body.invite();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > most) return null;
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
