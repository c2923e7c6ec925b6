// Opens the socket to an address that was checked, and never to a name, which could by then resolve to another address. Before
// a byte is written, the address that the socket reached is compared. The address guard does the checking.

import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

import { parseAddress } from './address-guard.ts';
import type { ParsedAddress } from './address-guard.ts';
import { CostlyCertificates, failureOf, FetchError } from '../fetch-error.ts';
import type { FetchLimits } from '../limits.ts';
import { openTunnel } from './proxy-tunnel.ts';
import { waitForEvent } from '../socket-wait.ts';

type ConnectTarget = {
  readonly addresses: readonly ParsedAddress[];
  readonly port: number;
  /** The name that the certificate must have; null for plain http. */
  readonly tlsName: string | null;
  /** PEM certificates that are trusted in addition to the built-in ones. */
  readonly extraCertificates: readonly string[];
  /** The operator's proxy and the host that it connects to. Null if this machine connects to the addresses itself. */
  readonly tunnel: { readonly proxy: URL; readonly host: string } | null;
};

type ConnectLimits = Pick<FetchLimits, 'connectMs' | 'tlsMs'>;

/** A host may list many addresses; trying more than these would only spend the caller's time. */
const MAX_ATTEMPTS = 4;

/**
 * Bytes of TLS overhead that the other side may send, plus a share of the payload. Handshakes take 2 to 20 KB, a record 22 to
 * 60 bytes. New keys take 27 bytes and 12 us of the serving thread, and are never read by anything.
 */
const TLS_BYTES = 128 * 1024;
const TLS_SHARE = 1 / 4;
const TLS_CHECK_MS = 50;

/**
 * Maximum chain length and handshake size of a failed handshake; beyond these, the failure counts as costly. Node checks
 * every signature of a chain, even one with an untrusted root: 90 keys on sect571r1 take 250 ms of the serving thread, and 40
 * ms within these bounds (six keys of 2,048 bits: 1 ms). Shops send two to four certificates, in 2 to 8 KB.
 */
const FAILED_CHAIN = 6;
const FAILED_BYTES = 12 * 1024;

/** Connects to the first checked address that answers. With `tlsName`, the TLS handshake follows. */
export async function openConnection(
  target: ConnectTarget,
  limits: ConnectLimits,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  if (target.tunnel !== null) return throughTunnel(target, target.tunnel, limits, signal);
  const tried = target.addresses.slice(0, MAX_ATTEMPTS);
  const endsAt = performance.now() + limits.connectMs;
  const failures: unknown[] = [];
  for (const [index, address] of tried.entries()) {
    const share = Math.max(0, endsAt - performance.now()) / (tried.length - index);
    try {
      const socket = await openSocket(address, target.port, { ms: share, signal });
      return target.tlsName === null ? socket : await secure(socket, target, limits, signal);
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      failures.push(error);
    }
  }
  // On a machine without IPv6, only the failures of other addresses are informative about the shop.
  const sent = failures.filter((error) => failureOf(error).kind !== 'unsent');
  throw sent.find((error) => error instanceof FetchError) ?? sent[0] ?? failures[0];
}

async function throughTunnel(
  target: ConnectTarget,
  tunnel: { readonly proxy: URL; readonly host: string },
  limits: ConnectLimits,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const host = tunnel.host.includes(':') ? `[${tunnel.host}]` : tunnel.host;
  const authority = `${host}:${target.port}`;
  const { connectMs } = limits;
  const socket = await openTunnel({ proxy: tunnel.proxy, authority, connectMs, signal });
  return target.tlsName === null ? socket : secure(socket, target, limits, signal);
}

/**
 * Whether the failure is final. The next address is tried only if no connection could be made, because a TLS failure would
 * repeat.
 */
function isFinal(error: unknown): boolean {
  return error instanceof FetchError && error.kind !== 'timeout' && error.kind !== 'reset';
}

async function openSocket(
  address: ParsedAddress,
  port: number,
  wait: { readonly ms: number; readonly signal: AbortSignal },
): Promise<Socket> {
  const socket = connectSocket({ host: address.text, port, family: address.family });
  socket.setNoDelay(true);
  try {
    await waitForEvent(socket, 'connect', { ...wait, what: 'connection' });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const reached = parseAddress(socket.remoteAddress ?? '');
  if (reached?.text !== address.text) {
    socket.destroy();
    throw new FetchError(
      'refused',
      `reached ${reached?.text ?? 'no address'}, not ${address.text}`,
    );
  }
  return socket;
}

async function secure(
  socket: Socket,
  target: ConnectTarget,
  limits: ConnectLimits,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const name = target.tlsName ?? '';
  // Taken from the process, because an import would be loaded by every start, with the text of all certificates: 15 ms.
  const { connect, rootCertificates, DEFAULT_CIPHERS } = process.getBuiltinModule('node:tls');
  const { SSL_OP_NO_RENEGOTIATION } = process.getBuiltinModule('node:constants');
  const tls = connect({
    socket,
    ALPNProtocols: ['http/1.1'],
    // Limits the computation that the other side can cause. With custom parameters of 10,000 bits, one key exchange takes 0.8
    // s of the serving thread, and the other side could start another as often as it likes.
    ciphers: `${DEFAULT_CIPHERS}:!DHE`,
    secureOptions: SSL_OP_NO_RENEGOTIATION,
    // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED decides, which may be set for another program in the same
    // environment.
    rejectUnauthorized: true,
    // SNI carries names only (RFC 6066). An address is still checked against the certificate.
    ...(parseAddress(name) === null ? { servername: name } : { host: name }),
    ...(target.extraCertificates.length > 0
      ? { ca: [...rootCertificates, ...target.extraCertificates] }
      : {}),
  });
  watchFraming(tls, socket);
  // Read before the certificate is verified: an untrusted chain ends the connection, after which it can no longer be read.
  let leaf: X509Certificate | undefined;
  tls.prependListener('secure', () => {
    leaf = tls.getPeerX509Certificate();
  });
  try {
    await waitForEvent(tls, 'secureConnect', { ms: limits.tlsMs, signal, what: 'TLS handshake' });
    return tls;
  } catch (error) {
    // A stalled handshake has no end, but its certificates have been checked.
    leaf ??= tls.getPeerX509Certificate();
    tls.destroy();
    socket.destroy();
    throw isCostly(leaf, socket.bytesRead) ? new CostlyCertificates({ cause: error }) : error;
  }
}

function isCostly(leaf: X509Certificate | undefined, bytes: number): boolean {
  let length = 0;
  for (let each = leaf; each !== undefined && length <= FAILED_CHAIN; length += 1) {
    each = each.issuerCertificate;
  }
  return length > FAILED_CHAIN || bytes > FAILED_BYTES;
}

/** Ends a connection with far more TLS overhead than payload: records of one byte, endless new keys. */
function watchFraming(tls: TLSSocket, socket: Socket): void {
  const timer = setInterval(() => {
    const carried = tls.bytesRead;
    if (socket.bytesRead - carried <= TLS_BYTES + carried * TLS_SHARE) return;
    tls.destroy(new FetchError('bad_response', 'more TLS overhead than payload'));
  }, TLS_CHECK_MS).unref();
  tls.once('close', () => clearInterval(timer));
}
