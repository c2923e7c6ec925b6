// Creates a watch for every product that a run has found. Repeating the run creates no watch twice.

import type { App } from '../../app.ts';
import { FaultError } from '../../../base/fault.ts';
import { askForWatch, currencyOfWatch, type ServiceParts } from '../../runs/ask-service.ts';
import type { Journal } from '../../runs/journal.ts';
import type { ReadEntry } from '../../runs/read-entries.ts';
import { watchKeyOf } from '../../runs/run-entries.ts';
import { wantedOf } from '../../../answer/wire/watches/watches.ts';
import { ownerOf } from '../accounts/as-organization.ts';

/** Makes the watches. */
export type WatchProducts = (
  entries: AsyncIterable<ReadEntry>,
  journal: Journal,
) => Promise<Watched>;

type Watched = {
  readonly watched: number;
  readonly refused: number;
  /** The first product that was refused, and why; null if none was. */
  readonly first: string | null;
};

/** Creates an organization's watches in the local data. The organization needs a key, under which they are charged. */
export async function watchHere(
  app: App,
  organization: string,
  asked: string | undefined,
): Promise<WatchProducts> {
  const owner = await ownerOf(app, organization);
  const { manageWatches } = await app.watching();
  return (entries, journal) =>
    watchEach(entries, journal, async (identifier) => {
      try {
        const wanted = wantedOf({ identifier, ...currencyOfWatch(asked) }, app.usualCurrency);
        await manageWatches.add(owner, wanted, watchKeyOf(identifier));
        return null;
      } catch (error) {
        // A conflict: it is already watched, with settings that were changed since.
        if (error instanceof FaultError) {
          return error.fault.code === 'idempotency_conflict' ? null : error.message;
        }
        throw error;
      }
    });
}

/** Creates watches for the key's organization. */
export function watchThere(service: ServiceParts): WatchProducts {
  return (entries, journal) =>
    watchEach(entries, journal, (identifier) =>
      askForWatch(service, identifier, watchKeyOf(identifier)),
    );
}

/** `watch` returns null, or why the product cannot be watched. */
async function watchEach(
  entries: AsyncIterable<ReadEntry>,
  journal: Journal,
  watch: (identifier: string) => Promise<string | null>,
): Promise<Watched> {
  const seen = new Set<string>();
  const count = { watched: 0, refused: 0 };
  let first: string | null = null;
  for await (const { wanted } of entries) {
    if (wanted === null || seen.has(wanted)) continue;
    seen.add(wanted);
    if (journal.result(wanted).status !== 'found') continue;
    const refusal = await watch(wanted);
    if (refusal === null) count.watched += 1;
    else {
      count.refused += 1;
      first ??= `${wanted}: ${refusal}`;
    }
  }
  return { ...count, first };
}
