// A tunnel through the operator's egress proxy (OPENSHELF_EGRESS_PROXY), a second layer of protection: the proxy resolves the
// name again after our own checks have passed. HTTP_PROXY and similar variables are never read, because one that was set for
// other programs must not redirect the egress.

import { connect as connectSocket, isIP } from 'node:net';
import type { Socket } from 'node:net';

import type { FetchFailureKind } from '../../base/listing/page.ts';
import { FetchError } from '../fetch-error.ts';
import { waitForEvent } from '../socket-wait.ts';

const MAX_REPLY_BYTES = 8_192;

type TunnelRequest = {
  readonly proxy: URL;
  /** `host:port` that the proxy connects to. */
  readonly authority: string;
  readonly connectMs: number;
  readonly signal: AbortSignal;
};

/** Sends `CONNECT authority` and returns the raw socket after it. */
export async function openTunnel(request: TunnelRequest): Promise<Socket> {
  const { proxy, connectMs, signal } = request;
  const secure = proxy.protocol === 'https:';
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.port) || (secure ? 443 : 80);
  // SNI carries names only (RFC 6066). An address is still checked against the certificate.
  const named = isIP(host) === 0 ? { servername: host } : {};
  const socket = secure
    ? process.getBuiltinModule('node:tls').connect({
        host,
        port,
        ...named,
        ALPNProtocols: ['http/1.1'],
        // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED decides, and any server that answers would get the proxy's
        // password.
        rejectUnauthorized: true,
      })
    : connectSocket({ host, port });
  try {
    const event = secure ? 'secureConnect' : 'connect';
    await waitForProxy(socket, event, { connectMs, signal });
    socket.write(connectHead(request));
    await readReply(socket, request);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Waits for the proxy. If it cannot be reached, the operator has to fix that, and it reveals nothing about a shop. */
async function waitForProxy(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { connectMs, signal }: Pick<TunnelRequest, 'connectMs' | 'signal'>,
): Promise<void> {
  try {
    await waitForEvent(socket, event, { ms: connectMs, signal, what: 'connection to the proxy' });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new FetchError('egress', 'the egress proxy cannot be reached', { cause: error });
  }
}

/**
 * Returns the kind of failure for the proxy's CONNECT status. 403: it refuses the target. 5xx: it did not reach the target.
 * Any other status concerns the proxy itself.
 */
function kindOf(status: string): FetchFailureKind {
  if (status === '403') return 'refused';
  return status.startsWith('5') ? 'reset' : 'egress';
}

function connectHead(request: TunnelRequest): string {
  const { username, password } = request.proxy;
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const credentials =
    username === '' && password === ''
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(secret).toString('base64')}\r\n`;
  const { authority } = request;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

async function readReply(socket: Socket, request: TunnelRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let reply = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    reply = Buffer.concat([reply, chunk]);
    const end = reply.indexOf('\r\n\r\n');
    if (end < 0 && reply.length <= MAX_REPLY_BYTES) return;
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(reply.toString('latin1'))?.[1] ?? 'no HTTP';
    const rest = reply.subarray(end + 4);
    if (end >= 0 && status.startsWith('2')) {
      if (rest.length > 0) socket.unshift(rest);
      resolve();
    } else {
      reject(new FetchError(kindOf(status), `the egress proxy answered ${status}`));
    }
  };
  const late = () => reject(new FetchError('timeout', 'no answer from the egress proxy'));
  const closed = () => reject(new FetchError('egress', 'the egress proxy closed'));
  const aborted = () => reject(request.signal.reason);
  const timer = setTimeout(late, request.connectMs);
  request.signal.addEventListener('abort', aborted, { once: true });
  socket.on('data', read).once('close', closed);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', aborted);
    socket.off('data', read).off('close', closed);
    socket.pause();
  }
}
