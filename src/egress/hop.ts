// One hop of a fetch: its target, the addresses it may reach, and its answer. Pages and robots.txt share this file, so that
// no request leaves the service without these checks.

import { networkInterfaces } from 'node:os';

import { checkAddresses, parseAddress } from './guard/address-guard.ts';
import type { AddressPermit, ParsedAddress } from './guard/address-guard.ts';
import type { Denials } from './guard/denials.ts';
import { exchange } from './exchange.ts';
import type { ExchangeAnswer, ExchangeRequest } from './exchange.ts';
import { FetchError } from './fetch-error.ts';
import type { FetchLimits } from './limits.ts';
import type { OriginMap } from './origins.ts';
import { resolveBounded } from './guard/resolver.ts';
import type { Resolve } from './guard/resolver.ts';
import { guardUrl, resolveLocation } from './guard/url-guard.ts';
import type { CheckedUrl } from './guard/url-guard.ts';

export type HopOptions = Denials & {
  readonly limits: FetchLimits;
  readonly origins: OriginMap;
  readonly resolve: Resolve;
  /** Resolves hosts named by the operator. */
  readonly resolveOperators: Resolve;
  readonly allowIpLiterals: boolean;
  readonly permits: readonly AddressPermit[];
  readonly localAddresses: () => readonly string[];
  readonly egressProxy: URL | null;
  readonly extraCertificates: readonly string[];
};

/** Addresses of this machine's own interfaces, read again each time because they change. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));
}

/** Throws `refused` for a URL that may not be fetched. */
export function checkedTarget(text: string, options: HopOptions): CheckedUrl {
  const verdict = guardUrl(text, options);
  if (!verdict.ok) throw new FetchError('refused', verdict.why);
  return verdict.target;
}

/**
 * Looks the host up once and checks all answers. The target of a mapped origin is the operator's choice and may be private
 * (D5).
 */
export async function checkedAddresses(
  target: CheckedUrl,
  options: HopOptions,
): Promise<readonly ParsedAddress[]> {
  const addresses =
    target.mappedTo === null
      ? await shopAddresses(target, options)
      : await mappedAddresses(target.mappedTo, options);
  if (addresses.some((address) => options.isDeniedAddress(address))) {
    throw new FetchError('refused', `${target.host}: a network that the operator denies`);
  }
  return addresses;
}

async function shopAddresses(
  target: CheckedUrl,
  options: HopOptions,
): Promise<readonly ParsedAddress[]> {
  const answers = target.literal
    ? [target.host]
    : await resolveBounded(options.resolve, target.host, options.limits);
  const policy = { permits: options.permits, localAddresses: options.localAddresses() };
  const verdict = checkAddresses(target.host, answers, policy);
  if (!verdict.ok) throw new FetchError('refused', `${target.host}: ${verdict.why}`);
  return verdict.addresses;
}

async function mappedAddresses(
  mappedTo: URL,
  options: HopOptions,
): Promise<readonly ParsedAddress[]> {
  const host = mappedTo.hostname.replace(/^\[|\]$/g, '');
  if (options.isDeniedHost(host)) {
    throw new FetchError('refused', `${host}: a host that the operator denies`);
  }
  return operatorsAddresses(host, options);
}

/**
 * Returns the addresses, of any kind, of a host named by the operator. `host` is a name, or an address without brackets.
 * Throws `refused` if it has none, `unresolved` if no name server responds.
 */
export async function operatorsAddresses(
  host: string,
  { resolveOperators, limits }: Pick<HopOptions, 'resolveOperators' | 'limits'>,
): Promise<readonly ParsedAddress[]> {
  const answers =
    host === 'localhost'
      ? ['127.0.0.1', '::1']
      : parseAddress(host) === null
        ? await resolveBounded(resolveOperators, host, limits)
        : [host];
  const addresses = answers.map(parseAddress).filter((address) => address !== null);
  if (addresses.length === 0) throw new FetchError('refused', `${host}: no address`);
  return addresses;
}

/** An exchange without the parts common to all exchanges. */
export type HopRequest = Omit<ExchangeRequest, 'bodyMayFail' | 'egressProxy' | 'extraCertificates'>;

/** Sends one request to checked addresses. */
export async function sendRequest(
  request: HopRequest,
  options: HopOptions,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { egressProxy, extraCertificates } = options;
  return exchange({ ...request, egressProxy, extraCertificates }, options.limits, signal);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether this status is a redirect whose `Location` is followed. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * Returns a redirect's target, as an address of the original origins: a mirror that names itself is mapped back (D5).
 * Throws `bad_response` without a Location, `refused` for one that may not be followed.
 */
export function nextAddress(
  answer: ExchangeAnswer,
  target: CheckedUrl,
  origins: OriginMap,
): string {
  const location = utf8(answer.headers['location'] ?? '');
  if (location === '') throw new FetchError('bad_response', `${answer.status} without Location`);
  const resolved = resolveLocation(location, target.url);
  if (!resolved.ok) throw new FetchError('refused', `Location: ${resolved.why}`);
  const next = new URL(resolved.url);
  const mirrored =
    next.origin === target.mappedTo?.origin ? target.url.origin : origins.originOf(next.origin);
  const address =
    mirrored === null ? next.href : `${mirrored}${next.pathname}${next.search}${next.hash}`;
  if (target.url.protocol === 'https:' && !address.startsWith('https:')) {
    throw new FetchError('refused', 'Location: from https down to http');
  }
  return address;
}

/** Header bytes arrive as latin1; shops write UTF-8 into Location. Other bytes stay as they are. */
function utf8(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
