// The watches of an agents' shelf, directly on the data.

import type { Shelf } from '../../../answer/agents/shelf.ts';
import type { WatchOwner } from '../../../answer/lookup/watches/manage-watches.ts';
import { parsedCurrency } from '../../../answer/wire/currency.ts';
import {
  changedOf,
  NewWatchBody,
  presentWatch,
  wantedOf,
  WatchPatchBody,
} from '../../../answer/wire/watches/watches.ts';
import { FaultError } from '../../../base/fault.ts';
import { placeOfCursor, readPage } from '../../../server/routes/watches/list-page.ts';
import type { App } from '../../app.ts';
import { replied } from './replied.ts';

type WatchShelf = Pick<Shelf, 'watch' | 'watches' | 'changeWatch' | 'removeWatch'>;

/** `owner` resolves to the organization whose watches these are; null if there is none. */
export function watchesHere(app: App, owner: () => Promise<WatchOwner | null>): WatchShelf {
  const managing = async () => {
    const by = await owner();
    if (by === null) throw new FaultError(NO_OWNER);
    const { manageWatches } = await app.watching();
    return { manageWatches, by };
  };
  return {
    watch: (wanted) =>
      replied({ kind: 'free' }, async () => {
        const { currency, ...rest } = wanted;
        const code = parsedCurrency('watch', currency);
        const money = code === undefined ? {} : { currency: code };
        const body = NewWatchBody.parse({ ...rest, ...money });
        const watched = wantedOf(body, app.usualCurrency);
        const { manageWatches, by } = await managing();
        return { watch: presentWatch(await manageWatches.add(by, watched, null)) };
      }),
    watches: ({ limit, cursor }) =>
      replied({ kind: 'free' }, async () => {
        const after = placeOfCursor(cursor, 'wat');
        const { manageWatches, by } = await managing();
        const { entries: watches, next } = await readPage({
          limit,
          after,
          read: (count, place) => manageWatches.list(by.organizationId, count, place),
          placeOf: (watch) => watch,
          show: presentWatch,
        });
        return { watches, next };
      }),
    changeWatch: (id, patch) =>
      replied({ kind: 'free' }, async () => {
        const changed = changedOf(WatchPatchBody.parse(patch));
        const { manageWatches, by } = await managing();
        return { watch: presentWatch(await manageWatches.change(by.organizationId, id, changed)) };
      }),
    removeWatch: (id) =>
      replied({ kind: 'free' }, async () => {
        const { manageWatches, by } = await managing();
        await manageWatches.remove(by.organizationId, id);
        return { id };
      }),
  };
}

const NO_OWNER = {
  code: 'insufficient_scope',
  detail:
    'A watch belongs to an organization with an API key, and this data has none, or several. Create one with openshelf keys ' +
    'create --org NAME, start this server with openshelf mcp --org NAME, or over a service with --url.',
} as const;
