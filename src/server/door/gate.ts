// Stands between a connection and the API. A call is answered once it is admitted; a call that is not admitted is
// refused without any work of the API. Health and metrics are always answered.

import type { IncomingMessage } from 'node:http';

import type { Work } from '../admission/admission.ts';
import type { AnswerRepeat } from './arrivals.ts';
import { createBodyCounts } from './body-arrival.ts';
import { forwardedAddress } from './client-address.ts';
import { isGone, type Exchange, type Handed } from './connection-book.ts';
import type { HttpEnv, Refused } from '../context.ts';
import type { Answering, Room } from './listener.ts';
import { createPlaces } from '../admission/places.ts';
import {
  createRefuse,
  OVERLOADED,
  UNREADABLE,
  type Refusal,
  type RefuseParts,
} from '../refusal.ts';
import type { ShortWay } from '../short/short-way.ts';

/** A call that was refused before the API saw it. */
export type RefusedRequest = {
  readonly requestId: string;
  readonly method: string;
  /** The path, as it was sent. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the request to the refusal. */
  readonly ms: number;
};

/** The API with its framework. */
export type Framework = {
  readonly answer: (exchange: Exchange, bindings: Bindings, told: Told) => void;
  /** The pattern of the route that a request is for. */
  readonly routeOf: (method: string, path: string) => string;
};

export type Told = {
  /** Called when nothing more has to be done for the exchange. */
  readonly done: () => void;
  /** Called when the exchange is no valid request; the framework has sent nothing. */
  readonly unreadable: () => void;
};

export type Bindings = Required<
  Pick<HttpEnv['Bindings'], 'work' | 'refused' | 'admit' | 'expectBody'>
>;

export type GateParts = RefuseParts & {
  readonly requestRefused: (refused: RefusedRequest) => void;
  /** The way before the framework; null where there is none. */
  readonly shortWay: ShortWay | null;
};

/** Whoever watches or stops the service must get through, however busy it is. */
const NEVER_REFUSED = ['/livez', '/readyz', '/metrics'];

/** Answers an exchange now, or when its turn comes. What needs the framework waits until that is loaded. */
export function createGate(
  load: () => Promise<Framework>,
  room: Room,
  parts: GateParts,
): Answering {
  const { admission, nowMs, soon, maxPerForwardedAddress } = room;
  const { shortWay } = parts;
  const whenLoaded = whenSettled(load);
  const refuse = createRefusals(parts, nowMs);
  const countAddress = createAddressCounts(maxPerForwardedAddress);
  const addressOf = ({ request }: Exchange) =>
    maxPerForwardedAddress === null ? null : forwardedAddress(request);
  const countBody = createBodyCounts(maxPerForwardedAddress !== null, soon);

  function answer(
    exchange: Exchange,
    call: { readonly work: Work | null; readonly refused: Refused | null },
    done: () => void,
  ): void {
    const admit = () => admitPart(admission, exchange);
    const unreadable = () => refuse.unreadable(exchange);
    const expectBody = () => countBody(exchange.request);
    const bindings = { ...call, admit, expectBody };
    whenLoaded((framework) => framework.answer(exchange, bindings, { done, unreadable }));
  }

  function start(exchange: Exchange, work: Work, done: () => void): void {
    const otherwise = (refused: Refused | null) => answer(exchange, { work, refused }, done);
    const isTaken = shortWay?.begin({ exchange, work, answered: done, otherwise }) ?? false;
    if (!isTaken) otherwise(null);
  }

  function begin(exchange: Exchange, handed: Handed | null): void {
    const { request, response } = exchange;
    if (hasTwoHosts(request)) {
      response.shouldKeepAlive = false;
      refuse.unreadable(exchange);
      return;
    }
    nameHost(request);
    if (NEVER_REFUSED.some((path) => isFor(path, request))) {
      answer(exchange, { work: null, refused: null }, () => undefined);
      return;
    }
    const sinceMs = nowMs();
    const leave = countAddress(addressOf(exchange));
    if (leave === null) {
      handed?.work.ends();
      refuse.overloaded(exchange, sinceMs, admission.retryAfterSeconds());
      return;
    }
    // A stream, and an answer that is read slowly, counts as in progress for as long as it is sent.
    if (maxPerForwardedAddress !== null) response.once('close', leave);
    if (handed !== null) {
      answer(exchange, handed, () => handed.work.ends());
      return;
    }
    admission.enter({
      caller: callerOf(request),
      isGone: () => isGone(exchange),
      refuse: (seconds) => refuse.overloaded(exchange, sinceMs, seconds),
      start: (work) => start(exchange, work, () => work.ends()),
    });
  }

  return {
    begin,
    again: repeatsBy({ shortWay, admission, countAddress }),
  };
}

type RepeatParts = Pick<GateParts, 'shortWay'> &
  Pick<Room, 'admission'> & { readonly countAddress: ReturnType<typeof createAddressCounts> };

/** Answers a request that node:http has not read, if there is room for it now. */
function repeatsBy({ shortWay, admission, countAddress }: RepeatParts): AnswerRepeat {
  return ({ asked, address }, target) => {
    const give = shortWay?.again(asked, target) ?? null;
    if (give === null) return null;
    const leave = countAddress(address);
    const work = leave === null ? null : admission.enterAtOnce();
    if (leave === null || work === null) {
      leave?.();
      return null;
    }
    return (repeat) =>
      give({
        work,
        send: (lines, body) => repeat.send(lines, body, leave),
        answered: () => work.ends(),
        otherwise: (refused) => {
          leave();
          repeat.handOn({ work, refused });
        },
      });
  };
}

/** Sends the refusals of calls that the API never sees; each is counted and logged. */
function createRefusals(parts: GateParts, nowMs: () => number) {
  const sendOverloaded = createRefuse(OVERLOADED, parts);
  const sendUnreadable = createRefuse(UNREADABLE, parts);
  const tell = (request: IncomingMessage, refused: Refusal, ms: number): void => {
    const { method = '' } = request;
    parts.requestRefused({ ...refused, method, path: pathOf(request), ms });
  };
  return {
    overloaded: ({ request, response }: Exchange, sinceMs: number, seconds: number): void =>
      tell(request, sendOverloaded(request, response, seconds), nowMs() - sinceMs),
    unreadable: ({ request, response }: Exchange): void =>
      tell(request, sendUnreadable(request, response, null), 0),
  };
}

/**
 * Runs a function as soon as the value is loaded, at once where it is loaded already. Whoever made the promise reports
 * its rejection.
 */
function whenSettled<T extends object>(load: () => Promise<T>): (run: (value: T) => void) => void {
  let settled: T | null = null;
  return (run) => {
    if (settled !== null) {
      run(settled);
      return;
    }
    const loaded = load().then((value) => run((settled = value)));
    loaded.catch(() => undefined);
  };
}

/** Asks for room for a part of a call under way; there is none for a client that is gone. */
function admitPart(admission: Room['admission'], exchange: Exchange) {
  const { promise, resolve } = Promise.withResolvers<
    Work | { readonly retryAfterSeconds: number }
  >();
  admission.enter({
    caller: callerOf(exchange.request),
    isGone: () => {
      const hasGone = isGone(exchange);
      if (hasGone) resolve({ retryAfterSeconds: 1 });
      return hasGone;
    },
    refuse: (retryAfterSeconds) => resolve({ retryAfterSeconds }),
    start: resolve,
  });
  return promise;
}

/**
 * Whose call it is, for the turns. The key is not checked yet. A client that makes up keys gets as many turns as calls,
 * which is the order of arrival.
 */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}

const UNCOUNTED = (): void => undefined;

/** Counts the requests in progress of each forwarded address. Null when the address has too many already. */
function createAddressCounts(most: number | null) {
  const take = createPlaces({ inAll: Infinity, ofOne: most ?? Infinity });
  return (address: string | null): (() => void) | null => {
    if (most === null || address === null) return UNCOUNTED;
    const leave = take(address);
    return typeof leave === 'string' ? null : leave;
  };
}

/** Compares in place: cutting the path out of each address would cost more. */
function isFor(path: string, { url = '' }: IncomingMessage): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?');
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * HTTP/1.0 knows no `Host` (RFC 9112 3.2), and load balancers that check health with it send none. To HAProxy a service
 * that demands one is down. No answer depends on the name given here.
 */
function nameHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.0') headers.host ??= 'localhost';
}

/**
 * Whether the head has two `Host` fields. Node takes the first of them, a proxy perhaps the other: such a request means
 * two things (RFC 9112, 3.2).
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
