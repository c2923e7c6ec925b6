// Posts one notice to a receiver. Its address is checked as text, resolved once, classified and connected as checked, like a
// page's address. No redirect is followed, at most 16 KB of the answer are read, and the total time is at most 10 s. Receivers'
// addresses may contain tokens: nothing here is logged, and no message contains an address.

import type {
  BrokerRequest,
  PostOutcome,
  PostToReceiver,
  ReceiverAnswer,
  ReceiverRequest,
} from '../rules/channels/receiver.ts';
import { openConnection } from './guard/connector.ts';
import { exchange } from './exchange.ts';
import { FetchError, failureOf } from './fetch-error.ts';
import { classifyAddress, isWithinOperatorsReach } from './guard/address-guard.ts';
import type { ParsedAddress } from './guard/address-guard.ts';
import { NO_DENIALS, type Denials } from './guard/denials.ts';
import { guardReceiver, type AllowedReceivers } from './guard/receiver-guard.ts';
import { createOperatorsResolver, createResolver, type Resolve } from './guard/resolver.ts';
import type { CheckedUrl } from './guard/url-guard.ts';
import { userAgent } from './guarded-fetcher.ts';
import { checkedAddresses, operatorsAddresses, ownAddresses, type HopOptions } from './hop.ts';
import { DEFAULT_LIMITS, type FetchLimits } from './limits.ts';
import { NO_ORIGINS, type OriginMap } from './origins.ts';
import { unlessAborted } from './socket-wait.ts';

type PostOptions = {
  /** The version to send, as `openshelf/<version>`. */
  readonly version: string;
  readonly contact?: string | null;
  /** Hosts and ports that may be private (OPENSHELF_NOTIFY_ALLOW). */
  readonly allowed?: AllowedReceivers;
  /** Returns the name of an organization, for entries that are for one only. */
  readonly organizationName?: (organizationId: string) => Promise<string | null>;
  /** Denied hosts and networks (OPENSHELF_DENY, takedowns). They are denied to receivers too, even to listed ones. */
  readonly denials?: Denials;
  /** Maps nothing but the services' own origins: see `SERVICE_ORIGINS`. */
  readonly origins?: OriginMap;
  /** `address` or `address:port`; if empty, the machine's own servers are used. */
  readonly dnsServers?: readonly string[];
  /** The proxy for public receivers. Private ones, which the operator lists, are reached directly. */
  readonly egressProxy?: string | null;
  /** PEM certificates that are trusted in addition to the built-in ones. */
  readonly extraCertificates?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
  readonly localAddresses?: () => readonly string[];
};

/** Maximum bytes read of an answer. */
const ANSWER_BYTES = 16 * 1024;

/** A slow answer is only ended by the total time: its status may be all there is to know. */
const RECEIVER_LIMITS: FetchLimits = {
  ...DEFAULT_LIMITS,
  wholeMs: 10_000,
  firstByteMs: 10_000,
  betweenBytesMs: 10_000,
  minRateBytes: 0,
};

/** One message for every refused address and every name that does not resolve (D50). */
const NOT_ALLOWED =
  'This address is not allowed, or its name does not resolve. A receiver needs a public http or https address with an ordinary port, unless the operator ' +
  'of this installation lists its host and port in OPENSHELF_NOTIFY_ALLOW.';

/** For receivers that the operator lists, whose existence is no secret. */
const UNRESOLVED =
  'The name of this receiver does not resolve. Check its spelling, and the name server of this machine.';

type Parts = {
  readonly hops: HopOptions;
  readonly denials: Denials;
  readonly allowed: AllowedReceivers;
  readonly agent: string;
  readonly organizationName: (organizationId: string) => Promise<string | null>;
};

/** Builds the egress for notices. Throws if a DNS server or the proxy is not an address. */
export function createPostToReceiver(options: PostOptions): PostToReceiver {
  const denials = options.denials ?? NO_DENIALS;
  const hops: HopOptions = {
    ...denials,
    limits: { ...RECEIVER_LIMITS, ...options.limits },
    origins: options.origins ?? NO_ORIGINS,
    resolve: options.resolve ?? createResolver(options.dnsServers ?? []),
    resolveOperators: options.resolve ?? createOperatorsResolver(options.dnsServers ?? []),
    allowIpLiterals: false,
    permits: [],
    localAddresses: options.localAddresses ?? ownAddresses,
    egressProxy: options.egressProxy ? new URL(options.egressProxy) : null,
    extraCertificates: options.extraCertificates ?? [],
  };
  const agent = userAgent(options.version, options.contact ?? null);
  const { allowed = new Set(), organizationName = async () => null } = options;
  const parts = { hops, denials, allowed, agent, organizationName };
  return (request, organizationId = '') => post(parts, request, organizationId);
}

async function post(
  parts: Parts,
  request: ReceiverRequest | BrokerRequest,
  organizationId: string,
): Promise<PostOutcome> {
  const { hops, allowed } = parts;
  const organization = await parts.organizationName(organizationId);
  const { verdict, isAllowed } = guardReceiver(request.url, {
    allowed,
    origins: hops.origins,
    organization,
  });
  if (!verdict.ok) return { ok: false, mayChange: false, detail: NOT_ALLOWED };
  const signal = AbortSignal.timeout(hops.limits.wholeMs);
  try {
    const { target } = verdict;
    const addresses = await unlessAborted(signal, addressesOf(parts, target, isAllowed));
    const isPublic = addresses.every(({ text }) => classifyAddress(text).public);
    const egressProxy = isPublic ? hops.egressProxy : null;
    const reached = { target, addresses, egressProxy };
    const answer =
      'messages' in request
        ? await publish(hops, request, reached, signal)
        : await postOver(parts, request, reached, signal);
    return { ok: true, answer };
  } catch (error) {
    return { ok: false, mayChange: true, detail: detailOf(error, isAllowed) };
  }
}

type Reached = {
  readonly target: CheckedUrl;
  readonly addresses: readonly ParsedAddress[];
  readonly egressProxy: URL | null;
};

async function postOver(
  { hops, agent }: Parts,
  request: ReceiverRequest,
  reached: Reached,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const { status, headers, body } = await exchange(
    {
      ...reached,
      method: 'POST',
      headers: { ...request.headers, 'user-agent': agent, 'accept-encoding': 'identity' },
      body: request.body,
      wantsBody: () => true,
      truncateAtBytes: ANSWER_BYTES,
      bodyMayFail: true,
      extraCertificates: hops.extraCertificates,
    },
    hops.limits,
    signal,
  );
  return { status, headers, body: body.toString('utf8') };
}

async function publish(
  { limits, extraCertificates }: HopOptions,
  request: BrokerRequest,
  { target, addresses, egressProxy }: Reached,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const { url, host } = target;
  const isTls = url.protocol === 'https:';
  const socket = await openConnection(
    {
      addresses,
      port: Number(url.port || (isTls ? 443 : 80)),
      tlsName: isTls ? host : null,
      extraCertificates,
      tunnel: egressProxy === null ? null : { proxy: egressProxy, host },
    },
    limits,
    signal,
  );
  try {
    const { publishMqtt } = await import('./publish-mqtt.ts');
    return { status: await publishMqtt(socket, request, signal), headers: {}, body: '' };
  } finally {
    socket.destroySoon();
  }
}

/** Returns the receiver's addresses. Throws `refused` for a denied host, as for a name without an address. */
async function addressesOf(
  { hops, denials }: Parts,
  target: CheckedUrl,
  isAllowed: boolean,
): Promise<readonly ParsedAddress[]> {
  if (denials.isDeniedHost(target.host)) throw new FetchError('refused', 'a denied host');
  if (!isAllowed) return checkedAddresses(target, hops);
  const addresses = await operatorsAddresses(target.host, hops).catch(() => {
    throw new FetchError('unresolved', 'a listed name without an address');
  });
  const isFit = (address: ParsedAddress) =>
    isWithinOperatorsReach(address) && !denials.isDeniedAddress(address);
  if (!addresses.every(isFit)) throw new FetchError('refused', 'an address beyond reach');
  return addresses;
}

/** Describes the error in a message of our own, because messages of the network layers contain addresses. */
function detailOf(error: unknown, isAllowed: boolean): string {
  const { kind } = failureOf(error);
  if (isAllowed && kind === 'unresolved') return UNRESOLVED;
  switch (kind) {
    case 'refused':
    case 'unresolved':
      return NOT_ALLOWED;
    case 'timeout':
      return 'The receiver did not answer in time.';
    case 'egress':
      return 'The proxy of OPENSHELF_EGRESS_PROXY cannot be reached or refuses to connect: its operator has to fix it.';
    case 'bad_response':
      return "The receiver's response is not valid HTTP, or a broker's not valid MQTT.";
    case 'untrusted':
      return (
        'No trusted connection to the receiver is possible: its certificate has expired, is for another name or ' +
        'is signed by an unknown authority.'
      );
    default:
      return 'The connection to the receiver could not be opened, or was lost.';
  }
}
