// Names to addresses: one lookup, every answer, a deadline and a cap on their number (security 1.2.5).
// It does not judge them; the address guard does.

import { lookup, Resolver } from 'node:dns/promises';

import { FetchError } from '../fetch-error.ts';
import type { FetchLimits } from '../limits.ts';

/** All addresses of a host, A and AAAA, in the resolver's order. Rejects when there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The system's resolver, asked once for both families. */
async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, order: 'verbatim' });
  return answers.map((answer) => answer.address);
}

/**
 * The resolver for a configuration: named servers (`127.0.0.1:5353`) are asked for A and AAAA, else the
 * system is. Throws for a server that is no address.
 */
export function createResolver(dnsServers: readonly string[]): Resolve {
  if (dnsServers.length === 0) return resolveBySystem;
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([...dnsServers]);
  return async (host) => {
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const failed = families.find((family) => family.status === 'rejected');
    if (found.length === 0 && failed !== undefined) throw failed.reason;
    return found;
  };
}

/** One bounded lookup. Every way to fail is `refused`: callers cannot tell a name from its absence (D50). */
export async function resolveBounded(
  resolve: Resolve,
  host: string,
  limits: Pick<FetchLimits, 'dnsMs' | 'maxAnswers'>,
): Promise<readonly string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new FetchError('refused', `${host}: no DNS answer within ${limits.dnsMs} ms`));
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
    throw new FetchError('refused', `${host}: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
