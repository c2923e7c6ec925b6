// /feeds/{address}: the notices of a channel of kind `feed`, for feed readers, which send no key. The address is the secret.

import { FaultError } from '../../../base/fault.ts';
import { FEED_PATH, type ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import type { RouteRow } from '../../route.ts';

export type FeedRouteParts = { readonly manageChannels: Pick<ManageChannels, 'readFeed'> };

const HEADERS = {
  'content-type': 'application/atom+xml; charset=utf-8',
  'cache-control': 'private, max-age=60',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};

const NO_FEED = new FaultError({
  code: 'not_found',
  detail:
    'There is no feed at this address: its channel was deleted, or the address is incomplete.',
});

export const FEED_ROWS: readonly RouteRow<FeedRouteParts>[] = [
  {
    method: 'get',
    path: `${FEED_PATH}{address}`,
    scope: 'no key',
    request: null,
    call:
      ({ manageChannels }) =>
      async ({ call }) => {
        const found = await manageChannels.readFeed(call.asked.path.slice(FEED_PATH.length));
        if (found === null) throw NO_FEED;
        const { atomOf } = await import('../../../rules/channels/atom.ts');
        return { status: 200, headers: HEADERS, body: atomOf(found) };
      },
  },
];
