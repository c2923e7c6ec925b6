// Makes a watch of every product that a run has found. The same run twice makes none twice.

import type { App } from '../app.ts';
import { FaultError } from '../core/fault.ts';
import { addWatch, type ServiceParts } from '../runs/ask-service.ts';
import type { Journal } from '../runs/journal.ts';
import type { ReadEntry } from '../runs/read-entries.ts';
import { wantedOf } from '../wire/watches.ts';
import { ownerOf } from './desk.ts';

/** The number of products that are watched now. */
export type WatchProducts = (
  entries: AsyncIterable<ReadEntry>,
  journal: Journal,
) => Promise<number>;

const onceKey = (identifier: string): string => `file ${identifier}`;

/** Watches of an organization in the data here; it needs a key, under which they are paid. */
export async function watchHere(app: App, organization: string): Promise<WatchProducts> {
  const owner = await ownerOf(app, organization);
  return (entries, journal) =>
    watchEach(entries, journal, async (identifier) => {
      try {
        await app.manageWatches.add(owner, wantedOf({ identifier }), onceKey(identifier));
        return true;
      } catch (error) {
        // It is watched, with settings that were changed since.
        if (error instanceof FaultError) return error.fault.code === 'idempotency_conflict';
        throw error;
      }
    });
}

/** Watches of the organization of the key. */
export function watchThere(service: ServiceParts): WatchProducts {
  return (entries, journal) =>
    watchEach(entries, journal, (identifier) => addWatch(service, identifier, onceKey(identifier)));
}

async function watchEach(
  entries: AsyncIterable<ReadEntry>,
  journal: Journal,
  watch: (identifier: string) => Promise<boolean>,
): Promise<number> {
  const seen = new Set<string>();
  let watched = 0;
  for await (const { wanted } of entries) {
    if (wanted === null || seen.has(wanted)) continue;
    seen.add(wanted);
    if (journal.result(wanted).status === 'found' && (await watch(wanted))) watched += 1;
  }
  return watched;
}
