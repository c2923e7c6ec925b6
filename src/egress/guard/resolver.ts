// Resolves names to addresses: one lookup, all of its answers, a deadline and a cap on their number. The address guard checks
// the addresses.

import { lookup, Resolver } from 'node:dns/promises';

import { messageOf } from '../../base/fault.ts';
import { FetchError } from '../fetch-error.ts';
import type { FetchLimits } from '../limits.ts';

/** Returns all addresses of a host, A and AAAA, in the resolver's order. Rejects if there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** An unresponsive server is queried twice, for two seconds each. */
const ASKED = { timeout: 2_000, maxTimeout: 2_000, tries: 2 };

/**
 * For names chosen by callers and pages. Queries the given servers (`127.0.0.1:5353`), or the machine's if none is given, for
 * A and AAAA. Throws if a server is not an address.
 */
export function createResolver(dnsServers: readonly string[]): Resolve {
  openResolver(dnsServers);
  return async (host) => {
    const resolver = openResolver(dnsServers);
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = families.flatMap((family) =>
      family.status === 'fulfilled' ? family.value : [],
    );
    const reasons = families.flatMap((family): unknown[] =>
      family.status === 'rejected' ? [family.reason] : [],
    );
    const [reason = null] = reasons.toSorted(
      (a, b) => Number(isUnanswered(b)) - Number(isUnanswered(a)),
    );
    if (addresses.length === 0 && reason !== null) throw reason;
    return addresses;
  };
}

/**
 * Opens a resolver for one lookup. It uses the machine's current servers, and has no state from other names: a resolver
 * shared by many names learns from fast names to give up on slow ones early.
 */
function openResolver(dnsServers: readonly string[]): Resolver {
  const resolver = new Resolver(ASKED);
  if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
  return resolver;
}

/**
 * For names in the operator's settings. Without given servers the system resolves, with its hosts file and search domains. The
 * system has only a few threads for that, which callers' names must not occupy.
 */
export function createOperatorsResolver(dnsServers: readonly string[]): Resolve {
  if (dnsServers.length > 0) return createResolver(dnsServers);
  return async (host) => {
    const answers = await lookup(host, { all: true, order: 'verbatim' });
    return answers.map((answer) => answer.address);
  };
}

/**
 * Codes of lookups without an answer: the name servers are missing, too slow, refuse this machine or could not find out. A
 * name that does not exist or has no address is an answer.
 */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ETIMEOUT',
  'ECONNREFUSED',
  'ESERVFAIL',
  'EREFUSED',
]);

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ANSWER.has(String(error.code));
}

/**
 * Runs one bounded lookup. An answer without an address is `refused`, like a private address, so that callers cannot learn
 * which names exist (D50). `unresolved` means that there was no answer.
 */
export async function resolveBounded(
  resolve: Resolve,
  host: string,
  limits: Pick<FetchLimits, 'dnsMs' | 'maxAnswers'>,
): Promise<readonly string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new FetchError('unresolved', `${host}: no DNS answer within ${limits.dnsMs} ms`));
  }, limits.dnsMs);
  try {
    const answers = await Promise.race([resolve(host), late]);
    if (answers.length > limits.maxAnswers) {
      throw new FetchError('refused', `${host}: ${answers.length} addresses`);
    }
    return answers;
  } catch (error) {
    if (error instanceof FetchError) throw error;
    const reason = messageOf(error);
    const kind = isUnanswered(error) ? 'unresolved' : 'refused';
    throw new FetchError(kind, `${host}: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
