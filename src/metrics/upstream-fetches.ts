// Fetches of shops, counted by whom they asked and what came of it.

import type { Fetcher, FetchOutcome } from '../listing/page.ts';
import { bookForHost } from '../retailers/address-books.ts';
import { publicOrigins } from '../retailers/public-origins.ts';
import type { Counter } from './counting.ts';
import { OTHER } from './fill-metrics.ts';

/** Hosts of the retailers' APIs; those of their pages stand in the address books. */
const API_HOSTS: ReadonlyMap<string, string> = new Map(
  Object.entries(publicOrigins()).flatMap(([slug, { api }]) =>
    Object.values(api).map((origin) => [new URL(origin).hostname, slug] as const),
  ),
);

/** Asks as `fetcher` does and counts. `name`: whom it asks, where that is not for the address to tell. */
export function countedFetcher(fetcher: Fetcher, counter: Counter, name?: string): Fetcher {
  return async (request, context) => {
    const outcome = await fetcher(request, context);
    counter.add({ retailer: name ?? slugOf(request.url), outcome: outcomeOf(outcome) });
    return outcome;
  };
}

/** The known retailer that an address is asked for; `other` for every other shop. */
function slugOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return bookForHost(host)?.slug ?? API_HOSTS.get(host) ?? OTHER;
}

/** The class of the status (`2xx`), or why no answer came. */
function outcomeOf(outcome: FetchOutcome): string {
  return outcome.ok ? `${Math.floor(outcome.page.status / 100)}xx` : outcome.failure.kind;
}
