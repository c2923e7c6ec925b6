// What arrives on a connection, before node:http reads it. Who keeps a connection open sends the same head again, with another
// path at most: what its fields say is known then, and is not read again (a tenth to a fifth of what a kept answer costs). Only a
// request that can be answered at once from what is kept is taken out here; everything else is for node:http, in the bytes and
// the order in which it came.

import type { IncomingMessage } from 'node:http';

import type { PlainBody } from '../short/plain-answer.ts';
import { plainRequest, type PlainRequest } from '../short/plain-request.ts';
import { forwardedAddress } from './client-address.ts';
import type { Connection, Handed } from './connection-book.ts';
import { readShaped, headShapeOf, type HeadShape } from './head-shape.ts';

/** What the fields of a head say, whatever its path. */
export type KnownHead = {
  readonly asked: PlainRequest;
  /** The address that a proxy forwards; null: there is none. */
  readonly address: string | null;
};

/** A request that is answered from what is kept. It ends with `send` or with `handOn`. */
export type Repeat = {
  /**
   * Sends the answer: the lines of its head, in ASCII, each with its end, and the body. `sent` is called when all of it is on its
   * way, or its client has gone.
   */
  readonly send: (lines: string, body: PlainBody, sent: () => void) => void;
  /** It is for node:http after all; where its client has gone, the work ends instead. */
  readonly handOn: (handed: Handed) => void;
};

/** What answers a request of this head at once, path and query as they were sent; null: nothing does. */
export type AnswerRepeat = (head: KnownHead, target: string) => ((repeat: Repeat) => void) | null;

export type ArrivalParts = {
  readonly again: AnswerRepeat;
  /** Whether what is answered now is the last answer of the connection. */
  readonly isLast: (connection: Connection) => boolean;
  /** Whether node:http reads everything, because it is about to close what answers nothing as far as it knows. */
  readonly isClosing: () => boolean;
  /** The lines of a head that are about its connection, and the head's end. */
  readonly ownLines: (isLast: boolean) => string;
  readonly setBusy: (connection: Connection) => void;
  /** Nothing is answered on it now. */
  readonly setFree: (connection: Connection) => void;
};

type Known = {
  readonly head: KnownHead;
  /** All that stands behind the path: the version, the fields and the end. */
  readonly rest: Buffer;
  /** Of what changes from head to head; null: they have always been the same. */
  readonly shape: HeadShape | null;
};

const METHOD = Buffer.from('GET ');
const BLANK = 0x20;
const PATH_END = ' HTTP/1.1\r\n';
const HEAD_END = '\r\n\r\n';
/** A longer head is read each time: what is known stays for as long as its connection is open. */
const MAX_REST = 2_048;
/** A client whose heads change so often does not repeat them. */
const MAX_LEARNED = 8;

/** To be called when node:http has the socket. Where it reads that in a way that is not known here, it reads everything. */
export function watchArrivals(connection: Connection, parts: ArrivalParts): void {
  const { socket } = connection;
  const [read, ...others] = socket.listeners('data');
  if (read === undefined || others.length > 0) return;
  const heads = createHeads();
  const held = createHeld(connection);
  let inHand: NonSharedBuffer | null = null;

  function arrived(bytes: NonSharedBuffer): void {
    if (connection.repeat !== null) {
      held.add(bytes);
      return;
    }
    const isAble = !parts.isClosing() && isFree(connection);
    const asked = isAble ? heads.read(bytes) : null;
    const answer = asked === null ? null : parts.again(asked.head, asked.target);
    if (answer === null) {
      toNode(bytes);
      return;
    }
    inHand = bytes;
    connection.repeat = 'asked';
    connection.requests += 1;
    parts.setBusy(connection);
    answer(repeat);
  }

  function toNode(bytes: NonSharedBuffer): void {
    const before = connection.requests;
    read?.call(socket, bytes);
    heads.wereRead(bytes, connection.requests === before + 1 ? connection.newest : null);
    connection.newest = null;
  }

  const repeat: Repeat = {
    send: (lines, body, sent) => {
      connection.repeat = 'sent';
      const over = (): void => {
        sent();
        connection.repeat = null;
        parts.setFree(connection);
        goOn();
      };
      if (!socket.writable) {
        over();
        return;
      }
      const isLast = parts.isLast(connection);
      const head = lines + parts.ownLines(isLast);
      write(connection, head, body, over);
      if (isLast) socket.destroySoon();
    },
    handOn: (handed) => {
      connection.repeat = null;
      connection.requests -= 1;
      connection.handed = handed;
      if (inHand !== null && isFree(connection)) toNode(inHand);
      // Nobody took it: its client has gone.
      connection.handed?.work.ends();
      connection.handed = null;
      goOn();
    },
  };

  /** Goes on with what has come meanwhile. Behind a last answer nothing is answered, and its client knows it. */
  function goOn(): void {
    inHand = null;
    while (connection.repeat === null && socket.writable) {
      const next = held.next();
      if (next === null) break;
      arrived(next);
    }
  }

  socket.off('data', read);
  socket.on('data', arrived);
}

/** What has come while something was answered. Its connection is paused until there is nothing of it any more. */
function createHeld(connection: Connection) {
  const { socket } = connection;
  const held: NonSharedBuffer[] = [];
  let isHolding = false;
  return {
    add: (bytes: NonSharedBuffer): void => {
      held.push(bytes);
      isHolding = true;
      socket.pause();
    },
    /** Null: there is nothing more, and the connection goes on. */
    next: (): NonSharedBuffer | null => {
      const bytes = held.shift() ?? null;
      if (bytes !== null || !isHolding) return bytes;
      isHolding = false;
      if (!connection.isPaused) socket.resume();
      return null;
    },
  };
}

/** In one call of the system. */
function write(
  { socket }: Connection,
  head: string,
  { bytes, text }: PlainBody,
  over: () => void,
): void {
  socket.cork();
  socket.write(head, 'latin1');
  if (bytes !== null) socket.write(bytes);
  socket.write(text, 'latin1', over);
  socket.uncork();
}

/** What is known of the heads of one connection: of the newest one, as long as only such heads have come. */
function createHeads() {
  let known: Known | null = null;
  let learned = 0;
  /** All that came were whole requests of this kind: the next byte begins another one. */
  let isAtRest = true;
  return {
    /** Null: it is not known. */
    read(bytes: Buffer): KnownRequest | null {
      return known === null ? null : requestOf(bytes, known);
    },
    /** `request`: the only one that node:http has read out of these bytes; null: it has read none, or several. */
    wereRead(bytes: Buffer, request: IncomingMessage | null): void {
      if (!isAtRest) return;
      if (known !== null && request !== null) {
        if (requestOf(bytes, known)?.target === request.url) return;
      }
      const isOver = request === null || learned === MAX_LEARNED;
      known = isOver ? null : knownOf(request, bytes, learned > 0);
      isAtRest = known !== null;
      learned += 1;
    },
  };
}

/** Nothing is answered on it, and something can be. */
function isFree({ current, waiting, endedAtMs, socket }: Connection): boolean {
  return current === null && waiting.length === 0 && endedAtMs === null && socket.writable;
}

type KnownRequest = { readonly head: KnownHead; readonly target: string };

/** A request that is only a head, and has these fields; null: it is another one. */
function requestOf(bytes: Buffer, { head, rest, shape }: Known): KnownRequest | null {
  // The first blank behind the method is that of `rest`, or this is more than one head.
  const end = bytes.indexOf(BLANK, METHOD.length);
  const length = bytes.length - end;
  if (end <= METHOD.length || length > MAX_REST) return null;
  if (METHOD.compare(bytes, 0, METHOD.length) !== 0) return null;
  const target = bytes.toString('latin1', METHOD.length, end);
  if (length === rest.length && rest.compare(bytes, end) === 0) return { head, target };
  const found = shape === null ? null : readShaped(shape, bytes, end);
  if (found === null) return null;
  const { asked, address } = head;
  return { head: { asked: { ...asked, requestId: found.requestId }, address }, target };
}

/**
 * What is known of a request that node:http has read out of these bytes; null: it is more than a plain head, or not alone.
 * `isChanging`: the one before was another.
 */
function knownOf(request: IncomingMessage, bytes: Buffer, isChanging: boolean): Known | null {
  const end = METHOD.length + (request.url ?? '').length;
  const rest = Buffer.allocUnsafeSlow(Math.max(0, bytes.length - end));
  bytes.copy(rest, 0, end);
  const isWhole = rest.indexOf(HEAD_END) === rest.length - HEAD_END.length;
  if (!isWhole || rest.length > MAX_REST || rest.indexOf(PATH_END) !== 0) return null;
  // The fields of a body are none of a plain request.
  const asked = plainRequest(request);
  if (asked === null) return null;
  const head = { asked, address: forwardedAddress(request) };
  const known = { head, rest, shape: isChanging ? headShapeOf(rest) : null };
  return requestOf(bytes, known)?.target === request.url ? known : null;
}
