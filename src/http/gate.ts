// Between a connection and the API: a call is answered once it is admitted, and refused without any work of the API when
// it is not. Health and metrics are always answered.

import type { IncomingMessage } from 'node:http';

import { getRequestListener } from '@hono/node-server';

import type { Admission, Work } from './admission.ts';
import { forwardedAddress } from './client-address.ts';
import type { Exchange } from './connection-book.ts';
import type { Api, Refused } from './context.ts';
import { createRefuse, type RefuseParts } from './refusal.ts';
import type { ShortWay } from './short-way.ts';

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

export type GateParts = RefuseParts & {
  readonly admission: Admission;
  readonly nowMs: () => number;
  /** Requests in progress of one forwarded address; null: addresses are those of the connections, counted there. */
  readonly maxPerForwardedAddress: number | null;
  readonly requestRefused: (refused: RefusedRequest) => void;
  /** The way before the framework; null: there is none. */
  readonly shortWay: ShortWay | null;
};

/** Who watches or stops the service must get through, whatever else is in hand. */
const NEVER_REFUSED = new Set(['/livez', '/readyz', '/metrics']);

/** Returns what answers an exchange, now or when its turn comes. */
export function createGate(api: Api, parts: GateParts): (exchange: Exchange) => void {
  const { admission, maxPerForwardedAddress, shortWay } = parts;
  const sendRefusal = createRefuse(parts);
  const countAddress = createAddressCounts(maxPerForwardedAddress);

  function answer(
    { request, response }: Exchange,
    { work, refused }: { readonly work: Work | null; readonly refused: Refused | null },
    done: () => void,
  ): void {
    const listener = getRequestListener((asked, env) => {
      const admit = () => admitPart(admission, { request, response });
      const answered = Promise.resolve(api.fetch(asked, { ...env, work, refused, admit }));
      answered.then(done, done);
      return answered;
    });
    void listener(request, response);
  }

  function start(exchange: Exchange, work: Work, done: () => void): void {
    const otherwise = (refused: Refused | null) => answer(exchange, { work, refused }, done);
    const isTaken = shortWay?.({ exchange, work, answered: done, otherwise }) ?? false;
    if (!isTaken) otherwise(null);
  }

  function refuse({ request, response }: Exchange, sinceMs: number, seconds: number): void {
    const refused = sendRefusal(request, response, seconds);
    const { method = '' } = request;
    const ms = parts.nowMs() - sinceMs;
    parts.requestRefused({ ...refused, method, path: pathOf(request), ms });
  }

  return (exchange) => {
    const { request, response } = exchange;
    if (hasTwoHosts(request)) {
      response.shouldKeepAlive = false;
      response.writeHead(400).end();
      return;
    }
    if (NEVER_REFUSED.has(pathOf(request))) {
      answer(exchange, { work: null, refused: null }, () => undefined);
      return;
    }
    const sinceMs = parts.nowMs();
    const leave = countAddress(request);
    if (leave === null) {
      refuse(exchange, sinceMs, admission.retryAfterSeconds());
      return;
    }
    admission.enter({
      caller: callerOf(request),
      isGone: () => {
        const isGone = response.destroyed || !request.socket.writable;
        if (isGone) leave();
        return isGone;
      },
      refuse: (seconds) => {
        leave();
        refuse(exchange, sinceMs, seconds);
      },
      start: (work) =>
        start(exchange, work, () => {
          work.ends();
          leave();
        }),
    });
  };
}

/** Room for a part of a call under way. Never resolves where the client is gone: nobody waits for it then. */
function admitPart(admission: Admission, { request, response }: Exchange) {
  const { promise, resolve } = Promise.withResolvers<
    Work | { readonly retryAfterSeconds: number }
  >();
  admission.enter({
    caller: callerOf(request),
    isGone: () => response.destroyed || !request.socket.writable,
    refuse: (retryAfterSeconds) => resolve({ retryAfterSeconds }),
    start: resolve,
  });
  return promise;
}

/** Who takes turns. The key is not checked yet: who makes keys up gets as many turns as calls, which is the order of arrival. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}

/** Counts the requests in progress of each forwarded address; null: it has too many already. */
function createAddressCounts(most: number | null) {
  const inProgress = new Map<string, number>();
  return (request: IncomingMessage): (() => void) | null => {
    const address = most === null ? null : forwardedAddress(request);
    if (address === null || most === null) return () => undefined;
    const count = inProgress.get(address) ?? 0;
    if (count >= most) return null;
    inProgress.set(address, count + 1);
    return () => {
      const left = (inProgress.get(address) ?? 1) - 1;
      if (left <= 0) inProgress.delete(address);
      else inProgress.set(address, left);
    };
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** Of two `Host` fields Node takes the first, a proxy perhaps the other: such a request means two things (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
