// Names to addresses: one lookup, all of its answers, a deadline and a cap on their number. The address guard
// checks them.

import { lookup, Resolver } from 'node:dns/promises';

import { FetchError } from '../fetch-error.ts';
import type { FetchLimits } from '../limits.ts';

/** All addresses of a host, A and AAAA, in the resolver's order. Rejects when there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** One lookup of both families by the system's resolver. */
async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, order: 'verbatim' });
  return answers.map((answer) => answer.address);
}

/**
 * The resolver for a configuration: the named servers (`127.0.0.1:5353`) are queried for A and AAAA; without any, the
 * system resolves. Throws for a server that is not an address.
 */
export function createResolver(dnsServers: readonly string[]): Resolve {
  if (dnsServers.length === 0) return resolveBySystem;
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([...dnsServers]);
  return async (host) => {
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = families.flatMap((family) =>
      family.status === 'fulfilled' ? family.value : [],
    );
    const failed = families.find((family) => family.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  };
}

/**
 * Codes of lookups without an answer: the name servers are not there, are too slow, refuse to serve this machine or failed
 * to find out. That a name does not exist, or has no address, is an answer.
 */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ETIMEOUT',
  'ECONNREFUSED',
  'ESERVFAIL',
  'EREFUSED',
]);

/**
 * One bounded lookup. An answer without an address is `refused`, as a private address is, so that callers cannot learn which
 * names exist (D50); `unresolved`: there was no answer.
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
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const kind = NO_ANSWER.has(code) ? 'unresolved' : 'refused';
    throw new FetchError(kind, `${host}: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
